import { leavesOf } from "../../prose/document/leaves.ts";
import { nodeOf } from "../../prose/document/node-of.ts";
import { readingText } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { countBlockWords, countWordsAsBefore } from "../../prose/document/words.ts";
import type { DerivedBlock } from "../../store/rows/blocks.ts";

// Apart from stored-prose.ts: an export reads prose and counts no words.

/** Computes the columns that the file stores with a block's node, so that reads need not parse it. */
export function deriveBlock(node: DocNode): DerivedBlock {
  return {
    type: node.type,
    text: readingText(node),
    words: countBlockWords(node),
    leaves: leavesOf(node).map((leaf) => String(leaf.attrs?.blockId)),
  };
}

/** Computes them as versions before 0.3 did: what they stored stays until it is written again. */
export function deriveBlockAsBefore(node: DocNode): DerivedBlock {
  return { ...deriveBlock(node), text: readingText(node, true), words: countWordsAsBefore(node) };
}

/** Same as `deriveBlock`, for a node as stored. */
export function deriveStoredBlock(node: string): DerivedBlock {
  return deriveBlock(nodeOf({ node }));
}
