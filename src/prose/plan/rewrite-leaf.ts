import { BadRequest } from "../../refusals.ts";
import { type Leaf, readLeaves } from "../document/leaf.ts";
import { isLeaf, mapLeaves } from "../document/leaves.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { definitionsOf, innerDefinitions, keepDefinitions } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import { readLeaf } from "../markdown/parse-leaf.ts";
import { readsAs } from "../markdown/reads-as.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { rewriteBlock, type Wishes } from "./splice.ts";

/** A paragraph's new Markdown. */
export interface LeafText {
  markdown: string;
  /** The blanks around it are meant: those that stand there now are not kept. */
  isExact?: boolean;
}

/**
 * A block with the text of some of its leaves replaced, written alone: only the lines of those leaves change if that
 * reads right, else the whole block is written afresh; link definitions within it are kept.
 * Throws `BadRequest` if a text is not one paragraph, heading or code block.
 */
export function rewriteLeaves<Block extends SourceBlock>(
  block: Block,
  texts: ReadonlyMap<string, LeafText>,
  definitions: string,
): Block {
  const sent = new Map<number, string>();
  let exact: string | undefined;
  const node = mapLeaves(block.node, (leaf, at) => {
    const text = texts.get(String(leaf.attrs?.blockId));
    if (text === undefined) return leaf;
    // Blocks are stored with plain line ends; the chapter puts its own back.
    const body = text.markdown.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
    sent.set(at, body.trim());
    if (text.isExact && isLeaf(block.node)) exact = withEndsOf(block.source, body.replace(/\n+$/, ""));
    return readLeaf(body, leaf, definitions).node;
  });
  if (exact !== undefined && readsAs(exact, node, definitions)) return { ...block, node, source: exact };
  const own = texts.get(String(block.node.attrs?.blockId))?.markdown;
  if (exact === undefined && own !== undefined && isLineForLine(block, node, own))
    return { ...block, node, source: own };
  return sent.size === 0 ? block : withNode(block, node, definitions, { sent });
}

/** Whether the text is one line that was read as a paragraph, in the place of one line: then it stands there as it was read. */
export function isLineForLine(block: SourceBlock, node: DocNode, markdown: string): boolean {
  const isLine = (text: string) => text === text.trim() && !/[\r\n]/.test(text);
  return (
    block.node.type === "paragraph" && node.type === "paragraph" && isLine(block.source) && isLine(markdown)
  );
}

/** The text with the line ends of what stands there, in a chapter that has both kinds. */
function withEndsOf(source: string, text: string): string {
  if (!source.includes("\r")) return text;
  const ends = Array.from(source.matchAll(/\r?\n/g), ([end]) => end);
  let at = 0;
  return text.replaceAll("\n", () => ends[at++] ?? "\n");
}

/** The block as it shall be: respelt if it can be, else written afresh. Definitions within it that go stand behind it. */
export function withNode<Block extends SourceBlock>(
  block: Block,
  node: DocNode,
  definitions: string,
  wishes: Wishes = {},
): Block {
  const written = rewriteBlock(block, node, definitions, wishes);
  const left = new Set(innerDefinitions(written));
  const lost = innerDefinitions(block).filter((definition) => !left.has(definition));
  return { ...block, ...written, gap: keepDefinitions(block.gap, lost) };
}

/**
 * A chapter's prose with the text of some of its leaves replaced, by `blockId`; every other line stays as its author wrote it, and
 * every leaf keeps its id. Throws `BadRequest` if a text is not one paragraph. O(text).
 */
export function editLeaves(old: StoredProse, texts: ReadonlyMap<string, LeafText>): NewProse {
  const definitions = definitionsOf(old);
  const blocks = old.blocks.map((block) => rewriteLeaves(block, texts, definitions));
  const joined = joinBlocks({ head: old.head, blocks });
  if (joined === undefined) throw cannotStand();
  return { bom: old.bom, eol: old.eol, ...joined };
}

/** The leaf of this id; the caller has found the block by it. */
export function leafOf({ node }: SourceBlock, blockId: string): Leaf {
  return readLeaves(node).find((leaf) => leaf.blockId === blockId)!; // see above
}

/** The refusal of a text that Markdown cannot say between the blocks beside it. */
export function cannotStand(): BadRequest {
  return new BadRequest(
    "This text would change how the paragraphs beside it read; use PUT /chapters/{chapterId}/prose, or put a backslash before its marks if they are meant as text.",
  );
}
