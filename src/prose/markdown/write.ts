import { BadRequest } from "../../refusals.ts";
import { liftMentions } from "../document/mentions.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { separates } from "./adjacent-blocks.ts";
import type { Style } from "./escape.ts";
import { writeLines } from "./lines.ts";
import { normalizeBlocks } from "./normalize.ts";
import { parseBlocks } from "./parser.ts";
import { plainParagraph, writeLeaf } from "./write-leaf.ts";

export { separates };

const STYLES: readonly Style[] = ["plain", "strict", "full"];
// How a thing is marked, not what it says; the writer may have to choose another mark.
const COSMETIC: ReadonlySet<string> = new Set(["bullet", "delim", "tight", "markup", "fence"]);

/**
 * Fresh Markdown for one top-level block, without its line end; mention marks are left out. It is read back before it
 * is given out: pretty first, then stricter, then with every punctuation escaped; if even that reads otherwise, throws
 * BadRequest naming the block type. `definitions` is Markdown with the link reference definitions in scope. Linear.
 */
export function writeBlock(node: DocNode, definitions = ""): string {
  const [settled] = normalizeBlocks([liftMentions(node).node]) as [DocNode];
  return writeSettled(settled, definitions);
}

/**
 * A whole document as fresh Markdown, block by block, one blank line between and a line end after the last. Where two
 * lists would run into one, the second gets another mark, in its node too. Throws as `writeBlock`.
 */
export function writeChapter(nodes: readonly DocNode[]): SourceBlock[] {
  const settled = normalizeBlocks(nodes);
  for (const [at, node] of settled.entries()) if (at > 0) refuseUnclosed(settled[at - 1] as DocNode, node);
  return settled.map((node, at) => ({
    node,
    source: writeSettled(liftMentions(node).node, ""),
    gap: at === settled.length - 1 ? "\n" : "\n\n",
  }));
}

// Settled neighbours stay apart but for one case.
function refuseUnclosed(previous: DocNode, next: DocNode): void {
  if (separates(previous, next)) return;
  throw new BadRequest(
    `A ${previous.type} of HTML is not closed, so what follows would become part of it; close it.`,
  );
}

function writeSettled(block: DocNode, definitions: string): string {
  const words = plainParagraph(block);
  if (words !== undefined) return words;
  const pretty = writeLines(block, () => "plain");
  if (readsBack(pretty, block, definitions)) return pretty;
  const mended = writeLines(block, (leaf) => styleOf(leaf, definitions));
  if (readsBack(mended, block, definitions)) return mended;
  const escaped = writeLines(block, () => "full");
  if (readsBack(escaped, block, definitions)) return escaped;
  throw new BadRequest(
    `A ${block.type} cannot be written as Markdown: it holds raw HTML or code that would read as something else there.`,
  );
}

function styleOf(leaf: DocNode, definitions: string): Style {
  return STYLES.find((style) => readsBack(writeLeaf(leaf, style), leaf, definitions)) ?? "full";
}

function readsBack(markdown: string, block: DocNode, definitions: string): boolean {
  const { nodes } = parseBlocks(markdown, definitions);
  const [read] = nodes;
  return nodes.length === 1 && read !== undefined && sameNode(read, block, COSMETIC);
}
