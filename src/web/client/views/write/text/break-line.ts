import type { Command } from "prosemirror-state";
import { schema } from "./schema.ts";

/** A line end within the paragraph. */
export const breakLine: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type.spec.code) dispatch?.(state.tr.insertText("\n").scrollIntoView());
  else dispatch?.(state.tr.replaceSelectionWith(schema.nodes.hard_break.create()).scrollIntoView());
  return true;
};
