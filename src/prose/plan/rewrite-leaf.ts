import { BadRequest } from "../../refusals.ts";
import { isLeaf, type Leaf, mapLeaves, readLeaves } from "../document/leaves.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { definitionsOf, innerDefinitions, keepDefinitions } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import { readLeaf } from "../markdown/parse.ts";
import { readsAs } from "../markdown/reads-as.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { rewriteBlock, type Wishes } from "./splice.ts";

/** New Markdown of a paragraph. */
export interface LeafText {
  markdown: string;
  /** True if the blanks around it are meant: present ones are not kept. */
  isExact?: boolean;
}

/**
 * Replaces the text of some leaves of a block. Only their lines change if that reads right, else the whole block is
 * rewritten. Link definitions in it are kept. Throws `BadRequest` if a text is not one paragraph, heading or code
 * block.
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
    // Blocks are stored with plain line ends; the chapter restores its own.
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

/** True if a text of one line was read as a paragraph, and replaces one line: then it can be stored as sent. */
export function isLineForLine(block: SourceBlock, node: DocNode, markdown: string): boolean {
  const isLine = (text: string) => text === text.trim() && !/[\r\n]/.test(text);
  return (
    block.node.type === "paragraph" && node.type === "paragraph" && isLine(block.source) && isLine(markdown)
  );
}

/** Returns the text with the line ends of the present one, in a chapter that has both kinds. */
function withEndsOf(source: string, text: string): string {
  if (!source.includes("\r")) return text;
  const ends = Array.from(source.matchAll(/\r?\n/g), ([end]) => end);
  let at = 0;
  return text.replaceAll("\n", () => ends[at++] ?? "\n");
}

/** Returns the block in its new form: respelt if possible, else rewritten. Definitions that it loses go behind it. */
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
 * Replaces the text of some leaves of a chapter's prose, by `blockId`. Every other line stays as its author wrote it,
 * and every leaf keeps its id. Throws `BadRequest` if a text is not one paragraph. O(text).
 */
export function editLeaves(old: StoredProse, texts: ReadonlyMap<string, LeafText>): NewProse {
  const definitions = definitionsOf(old);
  const blocks = old.blocks.map((block) => rewriteLeaves(block, texts, definitions));
  const joined = joinBlocks({ head: old.head, blocks });
  if (joined === undefined) throw cannotStand();
  return { bom: old.bom, eol: old.eol, ...joined };
}

/** Returns the leaf with this id in the block that the caller found by it. */
export function leafOf({ node }: SourceBlock, blockId: string): Leaf {
  return readLeaves(node).find((leaf) => leaf.blockId === blockId)!; // see above
}

/** Returns the refusal of a text that Markdown cannot say between its neighbours. */
export function cannotStand(): BadRequest {
  return new BadRequest(
    "This text would change how the paragraphs beside it read. Put a backslash before its marks if they are meant as text.",
  ).helpedBy({ call: "replaceProse" });
}
