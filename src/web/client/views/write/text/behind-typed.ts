import { Plugin, TextSelection } from "prosemirror-state";

/**
 * The cursor stands behind what was typed. Chromium leaves it before the first letter of an empty line that it has not shown
 * yet, as when a key follows Enter within a frame: all that is typed next would stand before that letter.
 */
export const behindTyped: Plugin = new Plugin({
  props: {
    // biome-ignore lint/complexity/useMaxParams: ProseMirror's
    handleTextInput(view, from, to, text, typed) {
      const tr = typed();
      const isLineStart = from === to && !view.state.doc.resolve(from).nodeBefore?.isText;
      const isBefore = tr.selection.empty && tr.selection.head === from;
      // To move the cursor while something is composed would end that, and double it.
      if (isLineStart && isBefore && !view.composing)
        tr.setSelection(TextSelection.create(tr.doc, from + text.length));
      view.dispatch(tr);
      return true;
    },
  },
});
