import type { JSX } from "preact";
import type { Outline } from "../../parts/view.tsx";
import { groupsOf } from "../desk/outline.ts";

/** The book's chapters by part, the one that is read marked. */
export function Contents({ book, chapterId }: { book: Outline; chapterId: string }): JSX.Element {
  return (
    <nav class="contents" aria-label="Chapters">
      {groupsOf(book).map(
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
