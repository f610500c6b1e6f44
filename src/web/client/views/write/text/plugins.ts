import { chainCommands } from "prosemirror-commands";
import { keymap } from "prosemirror-keymap";
import { type Command, Plugin, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { beside } from "./beside.ts";
import { breakTyped, indent, outdent, splitEntry } from "./commands.ts";
import { find } from "./find.ts";
import { focus } from "./focus.ts";
import { paste } from "./paste.ts";
import { typingRules, undoRule } from "./rules.ts";

/** Preferences that are read at every key, and what Escape does. */
export interface TextPreferences {
  isCurly(): boolean;
  language: string;
  isTypewriter(): boolean;
  onEscape(): void;
}

/** Adds the plugins that the first key does not need: lists, typing rules, finding, focus, pasting, room for notes. */
export function addPlugins(
  view: EditorView,
  { isCurly, language, isTypewriter, onEscape }: TextPreferences,
): void {
  // The text takes this key from the page: with something selected it ends that, else the writing.
  const Escape: Command = (state, dispatch) => {
    if (state.selection.empty) onEscape();
    else dispatch?.(state.tr.setSelection(TextSelection.near(state.selection.$head)));
    return true;
  };
  // At the start of what a sign has made; elsewhere it takes the last character.
  const Backspace: Command = (state, dispatch) =>
    state.selection.$from.parentOffset === 0 && undoRule(state, dispatch);
  const Enter = chainCommands(splitEntry, breakTyped);
  const keys = { Escape, Enter, Tab: indent, "Shift-Tab": outdent, Backspace, "Mod-z": undoRule };
  const typewriter = new Plugin({
    props: { handleScrollToSelection: (scrolled) => isTypewriter() && keepInMiddle(scrolled) },
  });
  const more = [beside, focus, find, paste, typewriter, typingRules(isCurly, language), keymap(keys)];
  view.updateState(view.state.reconfigure({ plugins: [...more, ...view.state.plugins] }));
}

/** Typewriter: the line that is written stays in the middle of the window. */
function keepInMiddle(view: EditorView): boolean {
  const { top } = view.coordsAtPos(view.state.selection.head);
  const by = top - innerHeight * 0.45;
  if (Math.abs(by) > 4) scrollBy({ top: by, behavior: "instant" });
  return true;
}
