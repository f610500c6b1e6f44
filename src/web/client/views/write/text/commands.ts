import { lift, setBlockType, wrapIn } from "prosemirror-commands";
import { Fragment, type Node, type NodeRange, Slice } from "prosemirror-model";
import { type Command, TextSelection, type Transaction } from "prosemirror-state";
import { canSplit, findWrapping, ReplaceAroundStep } from "prosemirror-transform";
import { schema } from "./schema.ts";

const { nodes } = schema;

/** A kind of list. */
export type ListKind = "bullet_list" | "ordered_list";

/** Makes the paragraph a heading, or the heading a paragraph. */
export const toggleHeading: Command = (state, dispatch) =>
  state.selection.$from.parent.type === nodes.heading
    ? setBlockType(nodes.paragraph)(state, dispatch)
    : setBlockType(nodes.heading, { level: 2 })(state, dispatch);

/** Sets the paragraphs as a quotation, or takes them out of it. */
export const toggleQuote: Command = (state, dispatch) =>
  isWithin(state.selection.$from, "blockquote")
    ? lift(state, dispatch)
    : wrapIn(nodes.blockquote)(state, dispatch);

/** Makes the paragraphs a list, or takes them out of it. */
export function toggleList(kind: ListKind): Command {
  return (state, dispatch) => {
    const { $from, $to } = state.selection;
    if (isWithin($from, "list_item")) return lift(state, dispatch);
    const range = $from.blockRange($to);
    const wrappers = range && findWrapping(range, nodes[kind]);
    if (!wrappers) return false;
    dispatch?.(splitEntries(state.tr.wrap(range, wrappers), range, wrappers.length).scrollIntoView());
    return true;
  };
}

// Wrapping puts all paragraphs into one entry: each gets one of its own.
function splitEntries(tr: Transaction, range: NodeRange, depth: number): Transaction {
  let pos = range.start + depth;
  for (let index = range.startIndex; index < range.endIndex; index++) {
    if (index > range.startIndex && canSplit(tr.doc, pos, depth - 1)) {
      tr.split(pos, depth - 1);
      pos += 2 * (depth - 1);
    }
    pos += range.parent.child(index).nodeSize;
  }
  return tr;
}

/** Enter in a list: the next entry; in an empty entry, out of the list. */
export const splitEntry: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  if ($from.depth < 2 || !$from.sameParent($to) || $from.node(-1).type !== nodes.list_item) return false;
  if ($from.parent.content.size === 0) return outdent(state, dispatch);
  const tr = state.tr.delete($from.pos, $to.pos);
  const types = [{ type: nodes.list_item }, { type: nodes.paragraph }];
  if (!canSplit(tr.doc, $from.pos, 2, types)) return false;
  dispatch?.(tr.split($from.pos, 2, types).scrollIntoView());
  return true;
};

/** Moves an entry of a list one level in, under the entry above it. */
export const indent: Command = (state, dispatch) => {
  const range = entriesOf(state.selection);
  if (range === null || range.startIndex === 0) return false;
  const { parent, start, end, startIndex } = range;
  const above = parent.child(startIndex - 1);
  const isNested = above.lastChild?.type === parent.type;
  const inner = Fragment.from(isNested ? nodes.list_item.create() : null);
  const entry = nodes.list_item.create(null, Fragment.from(parent.type.create(null, inner)));
  const depth = isNested ? 3 : 1;
  const slice = new Slice(Fragment.from(entry), depth, 0);
  const step = new ReplaceAroundStep(start - depth, end, start, end, slice, 1, true);
  dispatch?.(state.tr.step(step).scrollIntoView());
  return true;
};

/** Moves an entry one level out, at the outermost out of the list. */
export const outdent: Command = (state, dispatch) =>
  isWithin(state.selection.$from, "list_item") && lift(state, dispatch);

function entriesOf({ $from, $to }: Pick<TextSelection, "$from" | "$to">): NodeRange | null {
  return $from.blockRange($to, ({ firstChild }) => firstChild?.type === nodes.list_item);
}

/** True if a position is within a node of this name. */
function isWithin($pos: { depth: number; node(depth: number): Node }, name: string): boolean {
  for (let depth = $pos.depth; depth > 0; depth--) if ($pos.node(depth).type.name === name) return true;
  return false;
}

/** Puts a scene break behind the paragraph, in place of an empty one, and goes on below it. */
export const breakScene: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if ($from.depth === 0) return false;
  const isEmpty = $from.depth === 1 && $from.parent.content.size === 0;
  const from = isEmpty ? $from.before(1) : $from.after(1);
  dispatch?.(sceneBreakAt(state.tr, from, isEmpty ? $from.after(1) : from));
  return true;
};

/** Signs of a scene break that are one once Enter says that nothing follows, `---` as a dash too; stars are at once. */
const SIGN = /^(?:---|—|#)$/;

/** Enter makes a scene break of its sign. In the empty paragraph behind one it does nothing: there is room already. */
export const breakTyped: Command = ({ doc, selection: { $from, empty }, tr }, dispatch) => {
  if (!empty || $from.depth !== 1 || $from.parent.type !== nodes.paragraph) return false;
  if ($from.parent.content.size === 0)
    return doc.resolve($from.before()).nodeBefore?.type === nodes.scene_break;
  if ($from.pos < $from.end() || !SIGN.test($from.parent.textContent)) return false;
  dispatch?.(sceneBreakAt(tr, $from.before(), $from.after()));
  return true;
};

/** Replaces what is between two positions at the top by a scene break and an empty paragraph, where writing goes on. */
export function sceneBreakAt(tr: Transaction, from: number, to: number): Transaction {
  const isLast = to === tr.doc.content.size;
  const next = tr.doc.resolve(to).nodeAfter;
  const isRoom = !isLast && next?.type === nodes.paragraph && next.content.size === 0;
  tr.replaceWith(from, to, [nodes.scene_break.create(), ...(isRoom ? [] : [nodes.paragraph.create()])]);
  return tr.setSelection(TextSelection.near(tr.doc.resolve(from + 1))).scrollIntoView();
}
