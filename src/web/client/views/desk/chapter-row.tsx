import type { JSX } from "preact";
import { InPlace } from "../../parts/in-place.tsx";
import { later } from "../../parts/later.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Meter } from "../../parts/meter.tsx";
import { number } from "../../parts/numbers.ts";
import { StatusChoice } from "../../parts/status.tsx";
import type { Outline } from "../../parts/view.tsx";
import { draggedOf } from "./drag.ts";
import { moveBy, type OutlineChapter, saveSynopsis } from "./outline.ts";

/** Loaded when the first menu is opened. */
const MenuList = later(() => import("./chapter-menu-list.tsx"));

interface RowProps {
  book: Outline;
  chapter: OutlineChapter;
  /** Words of the longest chapter. */
  longest: number;
  noteCount: number;
  /** True if chapters stand beside each other, too. */
  isCards: boolean;
}

const DOWN: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };
const ACROSS: typeof DOWN = { ...DOWN, ArrowLeft: -1, ArrowRight: 1 };

/** A chapter in the outline: all of it but the prose, changed where it stands, dragged, or moved by Alt and the arrows. */
export function ChapterRow({ book, chapter, longest, noteCount, isCards }: RowProps): JSX.Element {
  const { id, position, title, synopsis, wordCount } = chapter;
  const dragged = draggedOf(chapter);
  return (
    <li
      class={`row ${dragged.mark}`}
      {...dragged.on}
      onKeyDown={(event) => {
        const by = (isCards ? ACROSS : DOWN)[event.key];
        if (!event.altKey || by === undefined) return;
        event.preventDefault();
        moveBy(book, chapter, by);
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
          <Menu label={`More for ${title}`}>
            {(close) => <MenuList book={book} chapter={chapter} onDone={close} />}
          </Menu>
        </h3>
        <div class="syn" dir="auto">
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
        <Meter part={wordCount / longest} />
      </div>
    </li>
  );
}
