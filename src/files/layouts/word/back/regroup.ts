import { type HeldLeaf, heldLeaves } from "../../../../prose/document/leaves.ts";
import { settleYears } from "../../../../prose/document/text.ts";
import type { DocNode } from "../../../../prose/document/types.ts";
import { isQuoted } from "../blocks.ts";
import type { ShownParagraph } from "../changes.ts";

/** Returns where a new paragraph goes that follows a leaf in Word; undefined if it belongs elsewhere. */
export function holdersBehind(
  { holders }: HeldLeaf,
  { list, level, style, isSetIn, cell }: ShownParagraph,
): readonly DocNode[] | undefined {
  if (level !== undefined || cell !== undefined) return undefined;
  const isEntry = holders.at(-1)?.type === "list_item";
  if (!isEntry) return list === undefined && isQuoted({ style, isSetIn }) ? holders : undefined;
  const depth = holders.filter(({ type }) => type === "list_item").length - 1;
  if (list?.depth !== depth) return undefined;
  return [...holders.slice(0, -1), { type: "list_item", attrs: { value: null }, content: [] }];
}

/** Returns a list or quote of leaves in their new order: neighbours that had one holder share it. */
export function regroup(leaves: readonly HeldLeaf[], depth = 0): DocNode[] {
  const made: DocNode[] = [];
  for (let from = 0; from < leaves.length; ) {
    const { leaf, holders } = leaves[from]!; // within the list
    const holder = holders[depth];
    let to = from + 1;
    while (holder !== undefined && leaves[to]?.holders[depth] === holder) to++;
    const content = holder === undefined ? [] : regroup(leaves.slice(from, to), depth + 1);
    made.push(holder === undefined ? leaf : settleYears({ ...holder, content }));
    from = to;
  }
  return made;
}

/** Returns the leaves with those of a block that Word was not given, each behind the one that it stood behind. */
export function withLeft(
  leaves: readonly HeldLeaf[],
  block: DocNode,
  isSent: (leaf: DocNode) => boolean,
): HeldLeaf[] {
  const all = [...leaves];
  const own = heldLeaves(block);
  for (const [at, held] of own.entries()) {
    if (isSent(held.leaf)) continue;
    const before = own.slice(0, at).map(({ leaf }) => leaf.attrs?.blockId);
    all.splice(all.findLastIndex(({ leaf }) => before.includes(leaf.attrs?.blockId)) + 1, 0, held);
  }
  return all;
}
