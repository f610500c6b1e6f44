import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Outline } from "../../parts/view.tsx";
import { groupsOf } from "../desk/outline.ts";

/** The book's chapters by part, the one that is read marked and in sight. */
export function Contents({ book, chapterId }: { book: Outline; chapterId: string }): JSX.Element {
  const rail = useRef<HTMLElement>(null);
  useEffect(() => {
    const here = rail.current?.querySelector<HTMLElement>("[aria-current]");
    rail.current?.scrollTo(0, (here?.offsetTop ?? 0) - innerHeight / 2);
  }, [chapterId]);
  return (
    <nav class="contents" aria-label="Chapters" ref={rail}>
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
