import { BadRequest } from "../refusals.ts";
import { definitionsOf, innerDefinitions, keepDefinitions } from "./definitions.ts";
import { isLeaf, type Leaf, mapLeaves, readLeaves } from "./document/leaves.ts";
import { settleYears, yearsIn } from "./document/text.ts";
import type { DocNode, SourceBlock } from "./document/types.ts";
import { joinBlocks } from "./join-blocks.ts";
import { readSpellings } from "./markdown/leaf-spelling.ts";
import { readLeaf, readsAs, splitYear } from "./parse.ts";
import { rewriteBlock, type Wishes } from "./plan/splice.ts";
import type { NewProse, StoredProse } from "./plan.ts";

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
  const years = new Map<number, number>();
  const present = yearsIn(block.node);
  let exact: string | undefined;
  const changed = mapLeaves(block.node, (leaf, at) => {
    const text = texts.get(String(leaf.attrs?.blockId));
    if (text === undefined) return leaf;
    // Blocks are stored with plain line ends; the chapter restores its own.
    const plain = text.markdown.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
    const { year, rest: body } = splitYear(plain, present.get(leaf));
    if (year !== undefined) years.set(at, Number(year));
    sent.set(at, body.trim());
    if (text.isExact && isLeaf(block.node)) exact = withEndsOf(block.source, body.replace(/\n+$/, ""));
    return readLeaf(body, leaf, definitions).node;
  });
  const node = withYears(changed, years);
  if (exact !== undefined && readsAs(exact, node, definitions)) return { ...block, node, source: exact };
  const own = texts.get(String(block.node.attrs?.blockId))?.markdown;
  if (exact === undefined && own !== undefined && isLineForLine(block, node, own))
    return { ...block, node, source: own };
  if (sent.size === 0) return block;
  const dated = { ...block, node: withYears(block.node, years), source: redate(block.source, years) };
  return withNode(years.size === 0 ? block : dated, node, definitions, { sent });
}

/** Returns the block in which paragraphs, by their index among the leaves, begin with other years. */
function withYears(block: DocNode, years: ReadonlyMap<number, number>): DocNode {
  if (years.size === 0) return block;
  let at = 0;
  const visit = (node: DocNode): DocNode => {
    const year = node.type === "list_item" ? years.get(at) : undefined;
    if (isLeaf(node)) at++;
    if (isLeaf(node) || node.content === undefined) return node;
    const content = node.content.map(visit);
    return settleYears({ ...node, ...(year !== undefined && { attrs: { value: year } }), content });
  };
  return visit(block);
}

/** Returns their Markdown with these years in it, as far as they stand before their paragraphs. */
function redate(source: string, years: ReadonlyMap<number, number>): string {
  const lines = source.split("\n");
  const spellings = readSpellings(source);
  for (const [at, year] of years) {
    const { first, mark } = spellings?.[at] ?? { first: 0, mark: "" };
    lines[first] = mark.replace(/\d+(?=\.\s*$)/, String(year)) + lines[first]!.slice(mark.length); // one of its lines
  }
  return lines.join("\n");
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
