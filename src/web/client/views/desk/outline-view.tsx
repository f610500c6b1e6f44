import type { JSX } from "preact";
import { counted } from "../../parts/numbers.ts";
import { AddChapter, AddPart } from "./add.tsx";
import { ChapterRow } from "./chapter-row.tsx";
import { type groupsOf, longestOf, type Outline, type OutlineChapter } from "./outline.ts";
import { PartHead } from "./part-head.tsx";

/** What every form of the desk shows. */
export interface Shown {
  book: Outline;
  groups: ReturnType<typeof groupsOf>;
  /** Marginalia by chapter. */
  noteCounts: ReadonlyMap<string, number>;
}

/** The book as a list: chapters by part, with synopsis, status and length. */
export function OutlineView({ book, groups, noteCounts }: Shown): JSX.Element {
  const longest = longestOf(book);
  return (
    <div>
      {groups.map(({ id, title, chapters }) => (
        <section class="part" key={id ?? ""}>
          {id !== null && (
            <PartHead book={book} partId={id} title={title} said={counted(wordsOf(chapters), "word")} />
          )}
          <ol>
            {chapters.map((chapter) => (
              <ChapterRow
                key={chapter.id}
                book={book}
                chapter={chapter}
                longest={longest}
                noteCount={noteCounts.get(chapter.id) ?? 0}
              />
            ))}
          </ol>
          <AddChapter bookId={book.id} partId={id} />
        </section>
      ))}
      <AddPart bookId={book.id} />
    </div>
  );
}

function wordsOf(chapters: readonly OutlineChapter[]): number {
  return chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
}
