import type { JSX } from "preact";
import type { Outline } from "../desk/outline.ts";

/** The book's chapters by part, the one that is read marked. */
export function Contents({ book, chapterId }: { book: Outline; chapterId: string }): JSX.Element {
  const groups = [{ id: null, title: "" }, ...book.parts].map(({ id, title }) => ({
    id,
    title,
    chapters: book.chapters.filter(({ partId }) => partId === id),
  }));
  return (
    <nav class="contents" aria-label="Chapters">
      {groups.map(
        ({ id, title, chapters }) =>
          chapters.length > 0 && (
            <section key={id}>
              {title !== "" && <p class="caps">{title}</p>}
              <ol>
                {chapters.map((chapter) => (
                  <li key={chapter.id}>
                    <a
                      href={`/b/${book.id}/c/${chapter.id}`}
                      aria-current={chapter.id === chapterId ? "page" : undefined}
                    >
                      {chapter.title}
                    </a>
                  </li>
                ))}
              </ol>
            </section>
          ),
      )}
    </nav>
  );
}
