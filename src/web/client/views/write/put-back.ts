import "./writer.ts";
import type { Node } from "prosemirror-model";
import type { EditorView } from "prosemirror-view";
import { counted } from "../../parts/numbers.ts";
import { tell } from "../../parts/toasts.tsx";
import { findLeaf, placedLeaves } from "./text/leaves.ts";

/** Tells which notes have lost their paragraph; Undo puts the paragraphs back where they were, and the notes with them. */
export function putBack(
  view: EditorView,
  notes: readonly { quote: string; blockId: string | null }[],
  lost: Node,
): void {
  const quotes = [...new Set(notes.map(({ quote }) => `“${shortened(quote)}”`))].join(", ");
  const words = notes.length === 1 ? "A note has" : `${counted(notes.length, "note")} have`;
  const ids = new Set(notes.map(({ blockId }) => blockId));
  tell(`${words} lost the paragraph ${quotes} and stays with the chapter.`, {
    undo: () => {
      for (const { id, node } of placedLeaves(lost))
        if (id !== null && ids.has(id)) insert(view, lost, id, node);
    },
  });
}

function insert(view: EditorView, lost: Node, id: string, node: Node): void {
  const { state } = view;
  const here = findLeaf(state.doc, id);
  if (view.isDestroyed || (here?.node.content.size ?? 0) > 0) return;
  if (here !== undefined) {
    view.dispatch(state.tr.insert(here.pos + 1, node.content).scrollIntoView());
    return;
  }
  const before = placedLeaves(lost).map((leaf) => leaf.id);
  const near = before
    .slice(0, before.indexOf(id))
    .findLast((other) => other !== null && findLeaf(state.doc, other) !== undefined);
  const after = near ? findLeaf(state.doc, near) : undefined;
  const $after = after === undefined ? undefined : state.doc.resolve(after.pos);
  const pos =
    $after === undefined
      ? 0
      : $after.depth > 0
        ? $after.after(1)
        : $after.pos + ($after.nodeAfter?.nodeSize ?? 0);
  view.dispatch(state.tr.insert(pos, node).scrollIntoView());
}

function shortened(text: string): string {
  const words = text.trim().split(/\s+/);
  return words.length > 8 ? `${words.slice(0, 8).join(" ")} …` : words.join(" ");
}
