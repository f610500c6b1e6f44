import { keymap } from "prosemirror-keymap";
import type { EditorView } from "prosemirror-view";
import { beside } from "./beside.ts";
import { indent, outdent, splitEntry } from "./commands.ts";
import { find } from "./find.ts";
import { focus } from "./focus.ts";
import { typingRules, undoRule } from "./rules.ts";

/** Gives a text what is not needed for the first key: lists, what typing makes of itself, finding, focus, room for notes. */
export function equip(view: EditorView, isCurly: () => boolean): void {
  const keys = { Enter: splitEntry, Tab: indent, "Shift-Tab": outdent, Backspace: undoRule };
  const more = [beside, focus, find, typingRules(isCurly), keymap(keys)];
  view.updateState(view.state.reconfigure({ plugins: [...more, ...view.state.plugins] }));
}
