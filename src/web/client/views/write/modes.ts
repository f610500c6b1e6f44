import type { EditorView } from "prosemirror-view";
import { FOCUS_MODES, type FocusMode, setFocus } from "./text/focus.ts";
import { setWish, wish } from "./wishes.ts";

/** Goes on to the next way in which the place that is written at stands out. */
export function nextFocus(view: EditorView): void {
  const at = FOCUS_MODES.indexOf(wish("focus").peek() as FocusMode);
  const next = FOCUS_MODES[(at + 1) % FOCUS_MODES.length] ?? "off";
  setWish("focus", next);
  view.dispatch(setFocus(view.state, next));
}

/** Sets a text up as one likes to write. */
export function applyFocus(view: EditorView): void {
  const mode = wish("focus").peek() as FocusMode;
  if (mode !== "off" && FOCUS_MODES.includes(mode)) view.dispatch(setFocus(view.state, mode));
}
