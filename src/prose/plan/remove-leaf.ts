import { leafIds, withLeafIds } from "../document/leaf.ts";
import { isLeaf } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { definitionsOf, innerDefinitions, keepDefinitions } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import { readPage } from "../markdown/leaf-lines.ts";
import { parseBlocks } from "../markdown/parser.ts";
import { writeBlock } from "../markdown/write.ts";
import { assembleProse } from "./assemble.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { cannotStand } from "./rewrite-leaf.ts";

/**
 * A chapter's prose without one leaf, and without the list entries and quotes that would be left empty; all other leaves
 * keep their ids and their bytes, and no link definition goes. The leaf is there. Throws `BadRequest` if Markdown cannot
 * say what is left. O(text).
 */
export function removeLeaf(old: StoredProse, blockId: string): NewProse {
  const at = old.blocks.findIndex((block) => leafIds([block]).includes(blockId));
  const block = old.blocks[at];
  const node = block && withoutLeaf(block.node, blockId);
  if (block === undefined || node === undefined) {
    return assembleProse(
      old,
      old.blocks.filter((_, index) => index !== at).map((stored) => ({ node: stored.node, stored })),
    );
  }
  const left = without(block, { blockId, node }, definitionsOf(old));
  const joined = joinBlocks({ head: old.head, blocks: old.blocks.with(at, { ...block, ...left }) });
  if (joined === undefined) throw cannotStand();
  return { bom: old.bom, eol: old.eol, ...joined };
}

/** The block without the leaf; undefined if nothing is left of it. */
function withoutLeaf(block: DocNode, blockId: string): DocNode | undefined {
  if (isLeaf(block)) return block.attrs?.blockId === blockId ? undefined : block;
  const content = (block.content ?? []).flatMap((child) => withoutLeaf(child, blockId) ?? []);
  return content.length === 0 ? undefined : { ...block, content };
}

/** The container without the lines of the leaf, if that reads as it should, else written afresh. */
function without(
  block: SourceBlock,
  { blockId, node }: { blockId: string; node: DocNode },
  definitions: string,
): SourceBlock {
  const place = leafIds([block]).indexOf(blockId);
  const { leaves } = readPage(block.source);
  const lines = block.source.split("\n");
  const own = leaves[place];
  const next = leaves[place + 1];
  const from = next === undefined ? (leaves[place - 1]?.last ?? -1) + 1 : (own?.first ?? 0);
  const to = next?.first ?? lines.length;
  const source = lines.toSpliced(from, Math.max(to - from, 0)).join("\n");
  const [read, ...others] = parseBlocks(source.replace(/\r\n?/g, "\n"), definitions).nodes;
  const isRead = read !== undefined && others.length === 0 && sameNode(read, node, FORM);
  const [named = node] = isRead
    ? withLeafIds([{ node: read }], leafIds([{ node }])).map((one) => one.node)
    : [];
  const left = { node: named, source: isRead ? source : writeBlock(node, definitions) };
  const kept = new Set(innerDefinitions(left));
  const lost = innerDefinitions(block).filter((definition) => !kept.has(definition));
  return { ...left, gap: keepDefinitions(block.gap, lost) };
}

// Of what is left of a list its entries may stand closer, or begin with another number.
const FORM: ReadonlySet<string> = new Set(["tight", "order"]);
