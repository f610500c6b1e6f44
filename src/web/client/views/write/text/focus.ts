import { type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { flatText, leafAt } from "./leaves.ts";

/** The part of the text that stands out while writing. */
export type FocusMode = "off" | "paragraph" | "sentence";

/** The modes in the order in which a key goes through them. */
export const FOCUS_MODES: readonly FocusMode[] = ["off", "paragraph", "sentence"];

const key = new PluginKey<FocusMode>("focus");
let segmenter: Intl.Segmenter | undefined;

/** Marks the paragraph or the sentence that the cursor is in. */
export const focus: Plugin<FocusMode> = new Plugin<FocusMode>({
  key,
  state: { init: () => "off", apply: (tr, mode) => tr.getMeta(key) ?? mode },
  props: { decorations: (state) => (key.getState(state) === "off" ? null : decorate(state)) },
});

/** Sets what stands out. */
export function setFocus(state: EditorState, mode: FocusMode): Transaction {
  return state.tr.setMeta(key, mode);
}

function decorate(state: EditorState): DecorationSet | null {
  const leaf = leafAt(state.doc, state.selection.head);
  if (leaf === undefined) return null;
  const { pos, node } = leaf;
  const marks = [Decoration.node(pos, pos + node.nodeSize, { class: "here" })];
  if (key.getState(state) === "sentence" && node.isTextblock) {
    const { from, to } = sentenceAt(flatText(node), state.selection.head - pos - 1);
    if (to > from) marks.push(Decoration.inline(pos + 1 + from, pos + 1 + to, { class: "sentence" }));
  }
  return DecorationSet.create(state.doc, marks);
}

/** Where the sentence begins and ends that an offset is in. */
function sentenceAt(text: string, offset: number): { from: number; to: number } {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "sentence" });
  const at = Math.max(0, Math.min(offset, text.length - 1));
  const found = segmenter.segment(text).containing(at);
  return found === undefined
    ? { from: 0, to: 0 }
    : { from: found.index, to: found.index + found.segment.length };
}
