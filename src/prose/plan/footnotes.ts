import type { DocNode, SourceBlock } from "../document/types.ts";
import { readsAs } from "../markdown/reads-as.ts";
import { withNode } from "./rewrite-leaf.ts";

/**
 * Splits blocks into those that stay and those that leave. A footnote goes behind the others on the other side if all
 * its references are there.
 */
export function parted<Block extends SourceBlock>(
  blocks: readonly Block[],
  leaves: (block: Block, index: number) => boolean,
): [Block[], Block[]] {
  const sides: [Block[], Block[]] = [
    blocks.filter((block, index) => !leaves(block, index)),
    blocks.filter(leaves),
  ];
  const named = sides.map((side) => new Set(side.flatMap(({ node }) => numbersIn(node))));
  const isAway = (block: Block, side: 0 | 1) => {
    const label = labelOf(block.node);
    return label !== undefined && !named[side]!.has(label) && named[1 - side]!.has(label); // two sides
  };
  const away = sides.map((side, index) => side.filter((block) => isAway(block, index === 0 ? 0 : 1)));
  return [
    [...sides[0].filter((block) => !isAway(block, 0)), ...away[1]!], // two sides
    [...sides[1].filter((block) => !isAway(block, 1)), ...away[0]!],
  ];
}

/**
 * Relabels blocks that are put behind others: a footnote whose label is taken gets another, and so do its references.
 */
export function relabelled<Block extends SourceBlock>(
  blocks: readonly Block[],
  others: readonly SourceBlock[],
  definitions: string,
): Block[] {
  const labelsOf = (side: readonly SourceBlock[]) => side.flatMap(({ node }) => labelOf(node) ?? []);
  const taken = new Set([...labelsOf(others), ...others.flatMap(({ node }) => numbersIn(node))]);
  const own = new Set([...labelsOf(blocks), ...blocks.flatMap(({ node }) => numbersIn(node))]);
  const names = new Map<string, string>();
  for (const label of own) {
    if (!taken.has(label)) continue;
    let count = 2;
    while (taken.has(`${label}-${count}`) || own.has(`${label}-${count}`)) count++;
    names.set(label, `${label}-${count}`);
    taken.add(`${label}-${count}`);
  }
  return blocks.map((block) => renamed(block, names, definitions));
}

function renamed<Block extends SourceBlock>(
  block: Block,
  names: ReadonlyMap<string, string>,
  definitions: string,
): Block {
  const node = withLabels(block.node, names);
  if (node === block.node) return block;
  const source = block.source.replace(
    /\[\^([^\s[\]\\]{1,200})\]/g,
    (whole, label: string) => `[^${names.get(label) ?? whole.slice(2, -1)}]`,
  );
  return readsAs(source, node, definitions) ? { ...block, node, source } : withNode(block, node, definitions);
}

function withLabels(node: DocNode, names: ReadonlyMap<string, string>): DocNode {
  const content = node.content?.map((child) => withLabels(child, names));
  const label =
    node.type === "footnote" || node.type === "footnote_ref"
      ? names.get(String(node.attrs?.label))
      : undefined;
  const isSame = label === undefined && (content ?? []).every((child, at) => child === node.content?.[at]);
  if (isSame) return node;
  return {
    ...node,
    ...(label === undefined ? {} : { attrs: { ...node.attrs, label } }),
    ...(content === undefined ? {} : { content }),
  };
}

function labelOf({ type, attrs }: DocNode): string | undefined {
  return type === "footnote" ? String(attrs?.label) : undefined;
}

function numbersIn({ type, attrs, content = [] }: DocNode): string[] {
  return type === "footnote_ref" ? [String(attrs?.label)] : content.flatMap(numbersIn);
}
