import type { Node } from "prosemirror-model";
import { flatText, isLeafBlock, placedLeaves } from "../text/leaves.ts";
import { withSayableEdges } from "./mark-edges.ts";

/** The part of a document that is to be saved: a few paragraphs, or all of it. */
export type Changes = { leaves: Node[] } | "whole";

/** The most paragraphs that are sent one by one; for more, the whole chapter costs less. */
const MOST_ALONE = 3;

/** Finds what differs between the saved document and the present one; undefined if nothing does. O(blocks). */
export function changesBetween(saved: Node, now: Node): Changes | undefined {
  if (saved === now) return undefined;
  const leaves: Node[] = [];
  if (!compare(saved, now, leaves)) return "whole";
  if (leaves.length === 0) return undefined;
  return leaves.length <= MOST_ALONE && leaves.every(canGoAlone) ? { leaves } : "whole";
}

function canGoAlone({ attrs, isTextblock, textContent, type }: Node): boolean {
  return attrs.blockId !== null && isTextblock && type.name !== "raw_block" && textContent.trim() !== "";
}

/** True if two nodes differ at most in the words of leaves. Collects those. */
function compare(was: Node, is: Node, leaves: Node[]): boolean {
  if (was === is) return true;
  if (!was.hasMarkup(is.type, is.attrs, is.marks)) return false;
  if (isLeafBlock(is)) {
    if (!was.content.eq(is.content)) leaves.push(is);
    return true;
  }
  if (was.childCount !== is.childCount) return false;
  return is.children.every((child, index) => compare(was.child(index), child, leaves));
}

/** The document with a leaf in place of the one of its id. */
export function withLeaf(doc: Node, leaf: Node): Node {
  if (isLeafBlock(doc)) return doc.attrs.blockId === leaf.attrs.blockId ? leaf : doc;
  const children = doc.children.map((child) => withLeaf(child, leaf));
  return children.every((child, index) => child === doc.child(index))
    ? doc
    : doc.type.create(doc.attrs, children, doc.marks);
}

/** The document with each of its leaves' ids as they are listed, in order; those beyond the list keep theirs. */
export function withIds(doc: Node, ids: readonly (string | null)[]): Node {
  let at = 0;
  const visit = (node: Node): Node => {
    if (!isLeafBlock(node)) return node.type.create(node.attrs, node.children.map(visit), node.marks);
    const blockId = ids[at++] ?? node.attrs.blockId;
    return node.attrs.blockId === blockId
      ? node
      : node.type.create({ ...node.attrs, blockId }, node.content, node.marks);
  };
  return doc.childCount === 0 ? doc : doc.copy(visit(doc).content);
}

/** The leaves that have no id yet, with that of the same leaf of another copy of the document, `toStore` its form. */
export function newlyNamed(doc: Node, named: Node): { pos: number; id: string }[] {
  const others = placedLeaves(named);
  const stored = byId(named);
  const leaves = placedLeaves(doc).filter(({ id, node }) => stored.has(id) || !isBlank(node));
  return leaves.flatMap(({ id, pos }, index) => {
    const other = others[index]?.id;
    return id === null && other ? [{ pos, id: other }] : [];
  });
}

/**
 * The document as it is to be stored: without paragraphs that hold no more than blanks, which Markdown cannot say and a reader does
 * not see, without the blank that Enter before a word leaves at a paragraph's start, without blanks at its end, where somebody
 * stopped after a word, and with marks that end where Markdown can say it. Else signs of its own would stay in the source for
 * good. A block of which no word was changed since it was saved stays as it is.
 */
export function toStore(doc: Node, saved: Node): Node {
  return asSayable(doc, byId(saved)) ?? doc.cut(0, 0);
}

type Leaves = ReadonlyMap<string | null, Node>;

function byId(doc: Node): Leaves {
  return new Map(placedLeaves(doc).map(({ id, node }) => [id, node]));
}

/** True of a paragraph without words. */
function isBlank(leaf: Node | undefined): boolean {
  return leaf?.type.name === "paragraph" && flatText(leaf).trim() === "";
}

/** Undefined if nothing of it is to be stored. */
function asSayable(doc: Node, saved: Leaves): Node | undefined {
  if (isLeafBlock(doc)) {
    const was = saved.get(doc.attrs.blockId);
    if (isBlank(doc) && !isBlank(was)) return undefined; // one that was stored so is a block like others
    const isAsSaved = was?.content.eq(doc.content);
    return isAsSaved || !doc.isTextblock || doc.type.spec.code ? doc : trimmed(doc);
  }
  const children = doc.children.flatMap((child) => asSayable(child, saved) ?? []);
  if (children.length === 0) return undefined;
  return children.length === doc.childCount && children.every((child, index) => child === doc.child(index))
    ? doc
    : doc.type.create(doc.attrs, children, doc.marks);
}

function trimmed(leaf: Node): Node {
  const first = /^ (?![ \t])/.test(leaf.firstChild?.text ?? "") ? 1 : 0;
  const blanks = /[ \t]+$/.exec(leaf.lastChild?.text ?? "")?.[0].length ?? 0;
  const last = Math.max(first, leaf.content.size - blanks);
  return withSayableEdges(
    leaf.content.size === last - first ? leaf : leaf.copy(leaf.content.cut(first, last)),
  );
}
