import { type EditorState, Plugin, PluginKey, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { changedBlocks, changedWords, placedLeaves } from "./leaves.ts";

/** The paragraphs that something stands beside, by id, each with the room in pixels that it needs below. */
export type Beside = ReadonlyMap<string, number>;

interface Marked {
  beside: Beside;
  decorations: DecorationSet;
}

const key = new PluginKey<Marked>("beside");

/** Marks the paragraphs that have notes, and makes room for those where the margin is too narrow. */
export const beside: Plugin<Marked> = new Plugin<Marked>({
  key,
  state: {
    init: () => ({ beside: new Map(), decorations: DecorationSet.empty }),
    apply(tr, marked, old, now) {
      const told = tr.getMeta(key) as Beside | undefined;
      if (told !== undefined) return { beside: told, decorations: decorate(now, told) };
      if (!tr.docChanged || marked.beside.size === 0) return marked;
      const { beside } = marked;
      const changed = changedBlocks(old.doc, now.doc);
      return changed === undefined || changedWords(old.doc, now.doc, changed) !== undefined
        ? { beside, decorations: marked.decorations.map(tr.mapping, tr.doc) }
        : { beside, decorations: decorate(now, beside) };
    },
  },
  props: { decorations: (state) => key.getState(state)?.decorations },
});

/** Says what stands beside which paragraph. */
export function setBeside(state: EditorState, told: Beside): Transaction {
  return state.tr.setMeta(key, told).setMeta("addToHistory", false);
}

function decorate({ doc }: EditorState, told: Beside): DecorationSet {
  const marks = placedLeaves(doc).flatMap(({ id, pos, node }) => {
    const room = id === null ? undefined : told.get(id);
    if (room === undefined) return [];
    const style = room > 0 ? { style: `padding-bottom: ${room}px` } : {};
    return [Decoration.node(pos, pos + node.nodeSize, { class: "marked", ...style })];
  });
  return DecorationSet.create(doc, marks);
}
