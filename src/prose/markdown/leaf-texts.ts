import { isLeaf, type Leaf, readLeaves } from "../document/leaves.ts";
import type { SourceChapter } from "../document/types.ts";
import { definitionsOf } from "./definitions.ts";
import { ownMarkdown, readSpellings } from "./leaf-spelling.ts";
import { writeBlock } from "./write.ts";

/** A leaf with its own Markdown, without the marks of lists and quotes around it. */
export interface SpeltLeaf {
  leaf: Leaf;
  markdown: string;
}

/** Returns every leaf of a chapter's prose in order, with its author's spelling where it can be cut out. O(text). */
export function readLeafTexts(prose: SourceChapter): SpeltLeaf[] {
  const definitions = definitionsOf(prose);
  return prose.blocks.flatMap(({ node, source }) => {
    const spellings = isLeaf(node) ? [] : readSpellings(source);
    return readLeaves(node).map((leaf, at) => {
      const markdown = isLeaf(node) ? source : ownMarkdown(spellings?.[at]);
      return { leaf, markdown: markdown ?? writeBlock(leaf.node, definitions) };
    });
  });
}
