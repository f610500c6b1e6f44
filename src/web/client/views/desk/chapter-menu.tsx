import type { JSX } from "preact";
import { later } from "../../parts/later.tsx";
import { Menu } from "../../parts/menu.tsx";
import type { Outline } from "../../parts/view.tsx";
import type { OutlineChapter } from "./outline.ts";

/** Loaded when the first of them is opened. */
const List = later(() => import("./chapter-menu-list.tsx"));

/** The button behind which stands what can be done with a whole chapter. */
export function ChapterMenu({ book, chapter }: { book: Outline; chapter: OutlineChapter }): JSX.Element {
  return (
    <Menu label={`More for ${chapter.title}`}>
      {(close) => <List book={book} chapter={chapter} onDone={close} />}
    </Menu>
  );
}
