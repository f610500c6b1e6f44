import type { EditorView } from "prosemirror-view";
import { useKeys } from "../../parts/keys.ts";
import { go } from "../../router.ts";
import { preference, setPreference, togglePreference } from "./preferences.ts";
import { FOCUS_MODES, type FocusMode, setFocus } from "./text/focus.ts";
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
        does: "Typewriter",
        run: () => togglePreference("typewriter"),
        ...all,
      },
      { keys: "Ctrl+Alt+m", does: "A note beside this paragraph", run: note, ...all },
      { keys: "Escape", does: "Done writing; Tab goes on from there", run: () => leave(done) },
    ],
    [writer, done, book],
  );
}

/** Closes a menu that is open above the text, else ends the writing. */
function leave(done: string): void {
  const open = document.querySelector<HTMLElement>(":popover-open");
  if (open === null) go(done);
  else open.hidePopover();
}

/** Goes on to the next focus mode. */
export function nextFocus(view: EditorView): void {
  const at = FOCUS_MODES.indexOf(preference("focus").peek() as FocusMode);
  const next = FOCUS_MODES[(at + 1) % FOCUS_MODES.length] ?? "off";
  setPreference("focus", next);
  view.dispatch(setFocus(view.state, next));
}

/** Sets the focus mode that is preferred. */
export function applyFocus(view: EditorView): void {
  const mode = preference("focus").peek() as FocusMode;
  if (mode !== "off" && FOCUS_MODES.includes(mode)) view.dispatch(setFocus(view.state, mode));
}

/** The address where a text is replaced in the whole book. */
export function findPlace(bookId: string, query: string): string {
  const asked = query === "" ? "" : `?${new URLSearchParams({ find: query })}`;
  return `/b/${bookId}/replace${asked}`;
}
