import { BadRequest } from "../refusals.ts";
import { groupBy } from "../text/group-by.ts";
import { addDefinitions, definitionsOf, hasDefinitions, widen } from "./definitions.ts";
import { isLeaf, isList, leafIds } from "./document/leaves.ts";
import { CHAPTER_ROOM } from "./document/room.ts";
import type { DocNode, SourceBlock } from "./document/types.ts";
import { joinBlocks } from "./join-blocks.ts";
import { parseMarkdown } from "./parse.ts";
import { rewriteBlock } from "./plan/splice.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { cannotStand } from "./rewrite-leaf.ts";

/** Markdown to insert behind a leaf, or at the start for null. */
export interface Insertion {
  after: string | null;
  markdown: string;
}

/** Inserts one stretch, as `insertAll` does. */
export function insertBlocks(old: StoredProse, after: string | null, markdown: string): NewProse {
  return insertAll(old, [{ after, markdown }]);
}

/**
 * Inserts Markdown behind leaves, in the given order if they share one, or at the start for null. Every other leaf
 * keeps its id and its bytes. Entries of the same kind may go behind a list's entry, and a quote among a quote's
 * paragraphs; other Markdown goes behind the whole list or quote, if its last leaf is named. Throws `BadRequest` within
 * one, for Markdown without a block, and if its neighbours would read differently. O(text).
 */
export function insertAll(old: StoredProse, insertions: readonly Insertion[]): NewProse {
  const definitions = definitionsOf(old);
  const places = new Map(old.blocks.flatMap((block, at) => leafIds([block]).map((id) => [id, at])));
  const byPlace = groupBy(insertions, ({ after }) =>
    after === null ? startOf(old.blocks) - 1 : (places.get(after) ?? -1),
  );
  const holders = holdersOf(old.blocks);
  let all: readonly SourceBlock[] = old.blocks;
  // Goes backwards, so that earlier places stay valid.
  for (const [at, own] of [...byPlace].sort(([one], [other]) => other - one)) {
    const entered = new Map<DocNode, DocNode[]>();
    for (const { after, markdown } of own.toReversed()) {
      const blocks = readBlocks(markdown, definitions);
      const holder = holders.get(after);
      const entry = holder && entryFor(holder, after, blocks);
      if (entry === undefined) {
        if (holder !== undefined) assertLast(holder, after, entered);
        all = placed(all, at + 1, blocks);
      } else {
        const sent = blocks[0]?.node.content ?? [];
        entered.set(entry, [...sent, ...(entered.get(entry) ?? [])]);
      }
    }
    if (entered.size === 0) continue;
    const holder = all[at]!; // its entries are
    all = all.with(at, {
      ...holder,
      ...rewriteBlock(holder, withEntered(holder.node, entered), definitions),
    });
  }
  const joined = joinBlocks({ head: old.head, blocks: all });
  if (joined === undefined) throw cannotStand();
  return { bom: old.bom, eol: old.eol, ...joined };
}

/**
 * A list, quote or footnote of a chapter, and what of lists and quotes is around each of its leaves, innermost first.
 */
export interface LeafHolder {
  node: DocNode;
  entries: ReadonlyMap<unknown, readonly Entry[]>;
}

interface Entry {
  /** Of a list, or a block of a quote. */
  node: DocNode;
  /** Type of the list or quote. */
  type: string;
}

const isQuote = ({ type }: DocNode) => type === "blockquote";

/** Maps the ids of leaves within a container to it. O(blocks). */
export function holdersOf(blocks: readonly Pick<SourceBlock, "node">[]): Map<unknown, LeafHolder> {
  const holders = new Map<unknown, LeafHolder>();
  for (const { node } of blocks) {
    if (isLeaf(node)) continue;
    const entries = new Map<unknown, readonly Entry[]>();
    collectEntries(node, [], entries);
    for (const id of entries.keys()) holders.set(id, { node, entries });
  }
  return holders;
}

function collectEntries(
  block: DocNode,
  outer: readonly Entry[],
  found: Map<unknown, readonly Entry[]>,
): void {
  if (isLeaf(block)) found.set(block.attrs?.blockId, outer);
  else
    for (const child of block.content ?? [])
      collectEntries(
        child,
        isList(block) || isQuote(block) ? [{ node: child, type: block.type }, ...outer] : outer,
        found,
      );
}

/**
 * Throws `BadRequest` for Markdown that can never go behind a leaf. `holder` is the leaf's container, if it has one.
 */
export function assertInsertable(
  holder: LeafHolder | undefined,
  { after, markdown }: Insertion,
  definitions: string,
): void {
  const sent = readBlocks(markdown, definitions);
  if (holder !== undefined && entryFor(holder, after, sent) === undefined) assertLast(holder, after);
}

/** Returns the leaf of a block behind which an insertion ends up: entries go behind a whole entry. */
export function leafBefore(
  holder: LeafHolder,
  { after, markdown }: { after: string; markdown: string },
  definitions: string,
): string {
  const entry = entryFor(holder, after, readBlocks(markdown, definitions));
  return entry === undefined ? after : String(lastLeaf(entry));
}

function readBlocks(markdown: string, definitions: string): SourceBlock[] {
  // Starts with a blank line, so that nothing reads as front matter. The chapter restores its own line ends.
  const text = markdown.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const { head, blocks } = parseMarkdown(`\n${text}`, definitions, CHAPTER_ROOM);
  const [last] = blocks.slice(-1);
  if (last === undefined)
    throw new BadRequest("The Markdown holds no paragraph; send the text of one or more of them.");
  const gap = hasDefinitions(head) ? addDefinitions(last.gap, [head.trim()]) : last.gap;
  return blocks.with(-1, { ...last, gap });
}

/** Front matter stays first. */
function startOf(blocks: readonly SourceBlock[]): number {
  return blocks[0]?.node.attrs?.kind === "front_matter" ? 1 : 0;
}

/** Throws `BadRequest` unless the leaf is the last of its container, `entered` entries included. */
function assertLast(
  { node }: LeafHolder,
  after: string | null,
  entered: ReadonlyMap<DocNode, unknown> = new Map(),
): void {
  if (lastLeaf(node) === after && ![...entered.keys()].some((entry) => lastLeaf(entry) === after)) return;
  throw new BadRequest(
    `This paragraph stands within a ${node.type}. Name the last one in it to put the text behind the whole${isList(node) ? ', or send entries such as "- text" to put them into the list' : isQuote(node) ? ', or send "> text" to put it into the quote' : ""}.`,
  ).helpedBy({ call: "replaceProse" });
}

function lastLeaf(block: DocNode): unknown {
  const last = isLeaf(block) ? undefined : block.content?.at(-1);
  return last === undefined ? block.attrs?.blockId : lastLeaf(last);
}

/** Returns the blocks with others at a place, blank lines around them. The chapter's end stays. */
function placed(old: readonly SourceBlock[], at: number, blocks: readonly SourceBlock[]): SourceBlock[] {
  const isLast = at === old.length;
  const end = isLast ? old.at(-1)?.gap : undefined;
  const spaced = blocks.map((block, index) => {
    if (index < blocks.length - 1 || !isLast) return { ...block, gap: widen(block.gap) };
    return {
      ...block,
      gap: hasDefinitions(block.gap) || end === undefined || hasDefinitions(end) ? endOf(block.gap) : end,
    };
  });
  const before = old.slice(0, at);
  const [previous] = before.slice(-1);
  const apart = previous === undefined ? before : before.with(-1, { ...previous, gap: parted(previous.gap) });
  return [...apart, ...spaced, ...old.slice(at)];
}

const parted = (gap: string) => (/\n[ \t]*\n$/.test(gap) ? gap : widen(gap));
const endOf = (gap: string) => `${gap.trimEnd()}\n`;

/**
 * Returns the entry behind which a sent list's entries or a sent quote's blocks go: of the innermost list or quote of that
 * kind, if there is one. A quote behind the last leaf is another quote.
 */
function entryFor(
  { node, entries }: LeafHolder,
  after: string | null,
  blocks: readonly SourceBlock[],
): DocNode | undefined {
  const [sent, ...others] = blocks;
  if (sent === undefined || others.length > 0) return undefined;
  if (!isList(sent.node) && !(isQuote(sent.node) && lastLeaf(node) !== after)) return undefined;
  return entries.get(after)?.find(({ type }) => type === sent.node.type)?.node;
}

/** Returns the block with others behind some of its entries. */
function withEntered(block: DocNode, entered: ReadonlyMap<DocNode, readonly DocNode[]>): DocNode {
  if (isLeaf(block)) return block;
  const content = (block.content ?? []).flatMap((child) => [
    withEntered(child, entered),
    ...(entered.get(child) ?? []),
  ]);
  return { ...block, content };
}
