import type { JSX } from "preact";
import { InPlace } from "../../parts/in-place.tsx";
import { number } from "../../parts/numbers.ts";
import { StatusChoice } from "../../parts/status.tsx";
import type { Outline } from "../../parts/view.tsx";
import { ChapterMenu } from "./chapter-menu.tsx";
import { draggedOf } from "./drag.ts";
import { moveBy, type OutlineChapter, saveSynopsis } from "./outline.ts";

interface RowProps {
  book: Outline;
  chapter: OutlineChapter;
  /** Words of the longest chapter. */
  longest: number;
  noteCount: number;
}

/** A chapter as a line of the outline: all of it but the prose, changed where it stands. */
export function ChapterRow({ book, chapter, longest, noteCount }: RowProps): JSX.Element {
  const { id, position, title, synopsis, wordCount } = chapter;
  const dragged = draggedOf(book, chapter);
  return (
    <li
      class={`row ${dragged.mark}`}
      {...dragged.on}
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
          <ChapterMenu book={book} chapter={chapter} />
        </h3>
        <div class="syn">
          <InPlace
            value={synopsis}
            label={`Synopsis of ${title}`}
            none="No synopsis yet. Write one."
            isLong
            onSave={(text) => saveSynopsis(chapter, text)}
          />
        </div>
      </div>
      <StatusChoice chapter={chapter} />
      <div class="len">
        <span>{number(wordCount)}</span>
        <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect width="100" height="4" rx="2" />
          <rect width={(100 * wordCount) / longest} height="4" rx="2" />
        </svg>
      </div>
    </li>
  );
}
