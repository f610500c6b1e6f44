import { keymap } from "prosemirror-keymap";
import { type Command, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { beside } from "./beside.ts";
import { indent, outdent, splitEntry } from "./commands.ts";
import { find } from "./find.ts";
import { focus } from "./focus.ts";
import { typingRules, undoRule } from "./rules.ts";

/** Gives a text what is not needed for the first key: lists, what typing makes of itself, finding, focus, room for notes. */
export function equip(
  view: EditorView,
  { isCurly, onEscape }: { isCurly: () => boolean; onEscape: () => void },
): void {
  // The text takes this key from the page: with something selected it ends that, else the writing.
  const Escape: Command = (state, dispatch) => {
    if (state.selection.empty) onEscape();
    else dispatch?.(state.tr.setSelection(TextSelection.near(state.selection.$head)));
    return true;
  };
  const keys = { Escape, Enter: splitEntry, Tab: indent, "Shift-Tab": outdent, Backspace: undoRule };
  const more = [beside, focus, find, typingRules(isCurly), keymap(keys)];
  view.updateState(view.state.reconfigure({ plugins: [...more, ...view.state.plugins] }));
}
