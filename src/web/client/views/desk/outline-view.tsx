import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { write } from "../../api/write.ts";
import { counted } from "../../parts/numbers.ts";
import { useSlices } from "../../parts/use-slices.ts";
import type { Outline } from "../../parts/view.tsx";
import { useCursor } from "../read/use-cursor.ts";
import { Add } from "./add.tsx";
import { ChapterRow } from "./chapter-row.tsx";
import { type groupsOf, longestOf, type OutlineChapter } from "./outline.ts";
import { PartHead } from "./part-head.tsx";

/** The properties of every form of the desk. */
export interface Shown {
  book: Outline;
  groups: ReturnType<typeof groupsOf>;
  /** Marginalia by chapter. */
  noteCounts: ReadonlyMap<string, number>;
}

/** A row is at least so high, so that no window holds more than are shown at first. */
const ROW_PX = 60;
/** The height of a row that is not there yet. */
const ROW_REM = 5.8;
const SLICE = 20;

/** The book as a list or as cards: chapters by part, with synopsis, status and length. What is below the window comes in slices. */
export function OutlineView({
  book,
  groups,
  noteCounts,
  isCards = false,
}: Shown & { isCards?: boolean }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useCursor(place, { name: "chapter", noun: "chapter" });
  const atFirst = Math.ceil(innerHeight / ROW_PX);
  let left = useSlices(book.chapters.length, atFirst, SLICE);
  // A row that stays as it is keeps its element, so that a slice costs only what is new.
  const rows = useMemo(() => new Map<string, JSX.Element>(), [book, noteCounts, isCards]);
  const longest = longestOf(book);
  const params = { bookId: book.id };
  const rowOf = (chapter: OutlineChapter) => {
    const { id } = chapter;
    const noteCount = noteCounts.get(id) ?? 0;
    const row = rows.get(id) ?? <ChapterRow key={id} {...{ book, chapter, longest, noteCount, isCards }} />;
    rows.set(id, row);
    return row;
  };
  return (
    <div ref={place}>
      {groups.map(({ id, title, chapters }) => {
        const shown = chapters.slice(0, left);
        left -= shown.length;
        return (
          <section class="part" key={id ?? ""}>
            {id !== null && (
              <PartHead book={book} partId={id} title={title} said={counted(wordsOf(chapters), "word")} />
            )}
            <ol class={isCards ? "cards" : "rows"}>{shown.map(rowOf)}</ol>
            <div style={{ height: `${(chapters.length - shown.length) * ROW_REM}rem` }} />
            <Add
              what="chapter"
              onAdd={(title) =>
                write("createChapter", { params, body: { title, partId: id } }, `“${title}” is added.`)
              }
            />
          </section>
        );
      })}
      <Add
        what="part"
        onAdd={(title) => write("createPart", { params, body: { title } }, `“${title}” is added.`)}
      />
    </div>
  );
}

function wordsOf(chapters: readonly OutlineChapter[]): number {
  return chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
}
