import type { Node } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import { flatText, placedLeaves } from "./leaves.ts";

/** The text searched for in the chapter, and its places. */
export interface Found {
  query: string;
  matches: readonly { from: number; to: number }[];
  /** Which of them is shown; -1 for none. */
  current: number;
}

const NOTHING: Found = { query: "", matches: [], current: -1 };
const key = new PluginKey<Found>("find");

/** Shows where a text is in the chapter, small and capital letters alike. */
export const find: Plugin<Found> = new Plugin<Found>({
  key,
  state: {
    init: () => NOTHING,
    apply(tr, found, _old, now) {
      const told = tr.getMeta(key) as Partial<Found> | undefined;
      const query = told?.query ?? found.query;
      if (query === "") return NOTHING;
      const isNew = tr.docChanged || query !== found.query;
      const matches = isNew ? listMatches(now.doc, query) : found.matches;
      const current = told?.current ?? Math.min(found.current, matches.length - 1);
      return { query, matches, current };
    },
  },
  props: {
    decorations(state) {
      const { matches, current } = foundIn(state);
      if (matches.length === 0) return null;
      const marks = matches.map(({ from, to }, index) =>
        Decoration.inline(from, to, { class: index === current ? "match current" : "match" }),
      );
      return DecorationSet.create(state.doc, marks);
    },
  },
});

/** Returns the current search. */
export function foundIn(state: EditorState): Found {
  return key.getState(state) ?? NOTHING;
}

/** Looks for another text; "" ends it. */
export function lookFor(state: EditorState, query: string): Transaction {
  const matches = listMatches(state.doc, query);
  const next = matches.findIndex(({ to }) => to >= state.selection.from);
  return show(state.tr, matches, matches.length === 0 ? -1 : Math.max(0, next), query);
}

/** Goes to the next place, or with -1 to the one before; behind the last comes the first. */
export function goOn(state: EditorState, by: 1 | -1): Transaction {
  const { matches, current, query } = foundIn(state);
  if (matches.length === 0) return state.tr;
  return show(state.tr, matches, (current + by + matches.length) % matches.length, query);
}

function show(tr: Transaction, matches: Found["matches"], current: number, query: string): Transaction {
  const match = matches[current];
  if (match !== undefined)
    tr.setSelection(TextSelection.create(tr.doc, match.from, match.to)).scrollIntoView();
  return tr.setMeta(key, { query, current }).setMeta("addToHistory", false);
}

/** Where a text is, as it is written but for capitals; a blank stands for a line end, too. */
function listMatches(doc: Node, query: string): { from: number; to: number }[] {
  if (query === "") return [];
  const pattern = new RegExp(
    query
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replace(/\s+/g, "\\s+")
      .replace(/['’]/g, "['’]")
      .replace(/["“”]/g, '["“”]'),
    "giu",
  );
  return placedLeaves(doc).flatMap(({ pos, node }) =>
    node.isTextblock
      ? [...flatText(node).matchAll(pattern)].map(({ index, 0: text }) => ({
          from: pos + 1 + index,
          to: pos + 1 + index + text.length,
        }))
      : [],
  );
}
