import type { JSX } from "preact";
import { InPlace } from "../../parts/in-place.tsx";
import { number } from "../../parts/numbers.ts";
import { STATUS_NAMES, StatusChoice } from "../../parts/status.tsx";
import { useNear } from "../../parts/use-near.ts";
import { saveSynopsis } from "./chapter-acts.ts";
import { ChapterMenu } from "./chapter-menu.tsx";
import { useDragged } from "./drag.ts";
import { moveBy } from "./move.ts";
import type { Outline, OutlineChapter } from "./outline.ts";

/** What a view of the desk shows of each chapter. */
export interface ChapterPlace {
  book: Outline;
  chapter: OutlineChapter;
  /** Words of the longest chapter. */
  longest: number;
  noteCount: number;
}

/** So many rows are more than a window shows; the others get their fields when they come near. */
const AT_ONCE = 12;

/** A chapter as a line of the outline: all of it but the prose, changed where it stands. */
export function ChapterRow(given: ChapterPlace): JSX.Element {
  const { book, chapter } = given;
  const { isNear, place } = useNear<HTMLLIElement>(chapter.position <= AT_ONCE);
  if (isNear) return <NearRow {...given} />;
  return (
    <li class="row" ref={place}>
      <span class="n">{chapter.position}</span>
      <div>
        <h3>
          <a href={`/b/${book.id}/c/${chapter.id}`} data-chapter={chapter.id}>
            {chapter.title}
          </a>
        </h3>
        <div class="syn">{chapter.synopsis}</div>
      </div>
      <span class="status">{STATUS_NAMES[chapter.status]}</span>
      <span class="len">{number(chapter.wordCount)}</span>
    </li>
  );
}

function NearRow({ book, chapter, longest, noteCount }: ChapterPlace): JSX.Element {
  const { id, position, title, synopsis, wordCount } = chapter;
  const dragged = useDragged(book, chapter);
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
