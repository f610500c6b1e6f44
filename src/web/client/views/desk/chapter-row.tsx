import type { JSX } from "preact";
import { InPlace } from "../../parts/in-place.tsx";
import { number } from "../../parts/numbers.ts";
import { STATUS_NAMES, StatusChoice } from "../../parts/status.tsx";
import { saveSynopsis } from "./chapter-acts.ts";
import { ChapterMenu } from "./chapter-menu.tsx";
import { draggedOf } from "./drag.ts";
import { moveBy } from "./move.ts";
import type { Outline, OutlineChapter } from "./outline.ts";

/** What a view of the desk shows of each chapter. */
export interface ChapterPlace {
  book: Outline;
  chapter: OutlineChapter;
  /** Words of the longest chapter. */
  longest: number;
  noteCount: number;
  /** With fields and menu; without them it can be read, found and followed. */
  isWhole: boolean;
}

/** A chapter as a line of the outline: all of it but the prose, changed where it stands. */
export function ChapterRow({ book, chapter, longest, noteCount, isWhole }: ChapterPlace): JSX.Element {
  const { id, position, title, synopsis, status, wordCount } = chapter;
  const dragged = isWhole ? draggedOf(book, chapter) : undefined;
  return (
    <li
      class={dragged ? `row ${dragged.mark}` : "row"}
      data-far={isWhole ? undefined : id}
      {...dragged?.on}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
        event.preventDefault();
        moveBy(book, chapter, event.key === "ArrowUp" ? -1 : 1);
      }}
    >
      <span class="n">{position}</span>
      <div>
        <h3>
          <a href={`/b/${book.id}/c/${id}`} data-chapter={id}>
            {title}
          </a>
          {noteCount > 0 && (
            <span class="beside" title="Marginalia">
              {noteCount} ¶
            </span>
          )}
          {isWhole && <ChapterMenu book={book} chapter={chapter} />}
        </h3>
        <div class="syn">
          {isWhole ? (
            <InPlace
              value={synopsis}
              label={`Synopsis of ${title}`}
              none="No synopsis yet. Write one."
              isLong
              onSave={(text) => saveSynopsis(chapter, text)}
            />
          ) : (
            synopsis
          )}
        </div>
      </div>
      {isWhole ? <StatusChoice chapter={chapter} /> : <span class="status">{STATUS_NAMES[status]}</span>}
      <div class="len">
        <span>{number(wordCount)}</span>
        {isWhole && (
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect width="100" height="4" rx="2" />
            <rect width={(100 * wordCount) / longest} height="4" rx="2" />
          </svg>
        )}
      </div>
    </li>
  );
}
