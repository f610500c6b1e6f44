import { useKeys } from "../../parts/keys.ts";
import { go } from "../../router.ts";
import { findPlace } from "./find-place.ts";
import { nextFocus } from "./modes.ts";
import { toggleWish } from "./wishes.ts";
import type { Writer } from "./writer.ts";

/** The shortcuts of writing; those of letters and marks are the text's own. */
export function useWriteKeys(
  writer: Writer | undefined,
  { done, book, find, note }: { done: string; book: string; find: () => void; note: () => void },
): void {
  const all = { isEverywhere: true };
  const selected = () => {
    const range = writer?.range.peek();
    return range === undefined || writer === undefined
      ? ""
      : writer.view.state.doc.textBetween(range.from, range.to, " ").slice(0, 200);
  };
  useKeys(
    [
      { keys: "Ctrl+s", does: "Save now", run: () => void writer?.saver.saveAll(), ...all },
      { keys: "Ctrl+f", does: "Find in this chapter", run: find, ...all },
      {
        keys: "Ctrl+h",
        does: "Replace in the whole book",
        run: () => go(findPlace(book, selected())),
        ...all,
      },
      {
        keys: "Ctrl+.",
        does: "Focus: off, paragraph, sentence",
        run: () => writer !== undefined && nextFocus(writer.view),
        ...all,
      },
      {
        keys: "Ctrl+Shift+t",
        does: "Typewriter: the line stays in the middle",
        run: () => toggleWish("typewriter"),
        ...all,
      },
      { keys: "Ctrl+Alt+m", does: "A note beside this paragraph", run: note, ...all },
      { keys: "Escape", does: "Done writing", run: () => go(done) },
    ],
    [writer, done, book],
  );
}
