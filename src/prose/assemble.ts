import { sameNode } from "./document.ts";
import { hasDefinitions, joinMarkdown, parseMarkdown } from "./parse.ts";
import type { StoredBlock, StoredProse } from "./plan.ts";
import type { NewProse, PlacedBlock } from "./replace.ts";
import type { DocNode, SourceBlock } from "./types.ts";
import { writeBlock, writeChapter } from "./write.ts";

const BLANK_LINE = "\n\n";

/**
 * The Markdown of a native document: every block that stands in the file as it is keeps its author's source and the
 * blank lines around it, the others are written afresh. Parsed back, it gives the document again; where neighbours
 * would run together, the whole chapter is written afresh.
 */
export function assembleProse(old: StoredProse, placed: readonly PlacedBlock[]): NewProse {
  const scope = [old.head, ...old.blocks.filter(({ gap }) => hasDefinitions(gap)).map(({ gap }) => gap)].join(
    "\n",
  );
  const successor = new Map(old.blocks.map((block, index) => [block, old.blocks[index + 1]]));
  const blocks = placed.map(({ node, stored }, index): SourceBlock => {
    const isLast = index === placed.length - 1;
    const gap = gapAfter(stored, { following: placed[index + 1]?.stored, isLast, successor });
    const source =
      stored !== undefined && sameNode(stored.node, node) ? stored.source : writeBlock(node, scope);
    return { type: node.type, node, source, gap };
  });
  const used = new Set(placed.map(({ stored }) => stored));
  const prose = { bom: old.bom, eol: old.eol, head: old.head, blocks: keepDefinitions(old, blocks, used) };
  const nodes = placed.map(({ node }) => node);
  return readsBack(prose, nodes) ? prose : { ...prose, head: "", blocks: writeChapter(nodes) };
}

function gapAfter(
  stored: StoredBlock | undefined,
  around: {
    following: StoredBlock | undefined;
    isLast: boolean;
    successor: ReadonlyMap<StoredBlock, StoredBlock | undefined>;
  },
): string {
  if (stored === undefined) return around.isLast ? "\n" : BLANK_LINE;
  const next = around.successor.get(stored);
  if (around.isLast) return next === undefined || hasDefinitions(stored.gap) ? stored.gap : "\n";
  if (next !== undefined && (around.following === next || hasDefinitions(stored.gap))) return stored.gap;
  return /\n[ \t]*\n/.test(stored.gap) ? stored.gap : BLANK_LINE;
}

/** Definitions whose block is gone move to the end of the chapter: a link elsewhere may need them. */
function keepDefinitions(
  old: StoredProse,
  blocks: SourceBlock[],
  used: ReadonlySet<StoredBlock | undefined>,
): SourceBlock[] {
  const lost = old.blocks
    .filter((block) => !used.has(block) && hasDefinitions(block.gap))
    .map(({ gap }) => gap.trim());
  const last = blocks.at(-1);
  if (lost.length === 0 || last === undefined) return blocks;
  return [...blocks.slice(0, -1), { ...last, gap: `\n\n${lost.join("\n")}\n` }];
}

function readsBack(prose: NewProse, nodes: readonly DocNode[]): boolean {
  const blocks = prose.blocks.map((block) => ({ ...block, type: block.node.type }));
  const read = parseMarkdown(joinMarkdown({ ...prose, blocks })).blocks;
  return read.length === nodes.length && read.every(({ node }, index) => sameNode(node, nodes[index]!)); // lengths are equal
}
