import { BadRequest } from "../../refusals.ts";
import { groupBy } from "../../text/group-by.ts";
import { leafIds } from "../document/leaf.ts";
import { isLeaf, isList } from "../document/leaves.ts";
import { CHAPTER_ROOM } from "../document/room.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { addDefinitions, definitionsOf, hasDefinitions, widen } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import { parseMarkdown } from "../markdown/parse-chapter.ts";
import type { NewProse, StoredProse } from "./plan.ts";
import { cannotStand } from "./rewrite-leaf.ts";
import { rewriteBlock } from "./splice.ts";

/** Markdown that goes behind a leaf, or at the start for null. */
export interface Insertion {
  after: string | null;
  markdown: string;
}

/** The same as `insertAll` for one stretch. */
export function insertBlocks(old: StoredProse, after: string | null, markdown: string): NewProse {
  return insertAll(old, [{ after, markdown }]);
}

/**
 * A chapter's prose with the blocks of some Markdown behind each of some leaves, in the order given where they share one, or at its start for null; every other leaf
 * keeps its id and its bytes. Behind an entry of a list come entries of the same kind; other Markdown stands behind the
 * whole list or quote whose last leaf is named. Throws `BadRequest` within one, for Markdown without a block, and where
 * it would change how its neighbours read. O(text).
 */
export function insertAll(old: StoredProse, insertions: readonly Insertion[]): NewProse {
  const definitions = definitionsOf(old);
  const places = new Map(old.blocks.flatMap((block, at) => leafIds([block]).map((id) => [id, at])));
  const byPlace = groupBy(insertions, ({ after }) =>
    after === null ? startOf(old.blocks) - 1 : (places.get(after) ?? -1),
  );
  const holders = holdersOf(old.blocks);
  let all: readonly SourceBlock[] = old.blocks;
  // Backwards: what was named first stands first, and what is still to come stands where it stood.
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

/** A list, quote or footnote of a chapter, and the entries of lists that each of its leaves stands in, the innermost first. */
export interface LeafHolder {
  node: DocNode;
  entries: ReadonlyMap<unknown, readonly Entry[]>;
}

interface Entry {
  node: DocNode;
  /** Of its list. */
  type: string;
}

/** What holds the leaves of a chapter that stand in something, by their ids. O(blocks). */
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
      collectEntries(child, isList(block) ? [{ node: child, type: block.type }, ...outer] : outer, found);
}

/** Throws `BadRequest` for what cannot go behind a leaf, whatever else goes there. `holder` is what holds that leaf, if anything. */
export function assertInsertable(
  holder: LeafHolder | undefined,
  { after, markdown }: Insertion,
  definitions: string,
): void {
  const sent = readBlocks(markdown, definitions);
  if (holder !== undefined && entryFor(holder, after, sent) === undefined) assertLast(holder, after);
}

/** The leaf of a block that what is put behind another of its comes to stand behind: entries go behind a whole entry. */
export function leafBefore(
  holder: LeafHolder,
  { after, markdown }: { after: string; markdown: string },
  definitions: string,
): string {
  const entry = entryFor(holder, after, readBlocks(markdown, definitions));
  return entry === undefined ? after : String(lastLeaf(entry));
}

function readBlocks(markdown: string, definitions: string): SourceBlock[] {
  // Behind a blank line nothing is front matter; chapters put their own line ends back.
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

/** Throws `BadRequest` unless the leaf ends what holds it, also with what has `entered` there. */
function assertLast(
  { node }: LeafHolder,
  after: string | null,
  entered: ReadonlyMap<DocNode, unknown> = new Map(),
): void {
  if (lastLeaf(node) === after && ![...entered.keys()].some((entry) => lastLeaf(entry) === after)) return;
  throw new BadRequest(
    `This paragraph stands within a ${node.type}. Name the last one in it to put the text behind the whole${isList(node) ? ', send entries such as "- text" to put them into the list' : ""}, or use PUT /chapters/{chapterId}/prose.`,
  );
}

function lastLeaf(block: DocNode): unknown {
  const last = isLeaf(block) ? undefined : block.content?.at(-1);
  return last === undefined ? block.attrs?.blockId : lastLeaf(last);
}

/** The blocks with others at a place, blank lines around them; what ended the chapter still ends it. */
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

/** The entry behind which the entries of the one list that is sent go: of the innermost list of that kind, if there is one. */
function entryFor(
  { entries }: LeafHolder,
  after: string | null,
  blocks: readonly SourceBlock[],
): DocNode | undefined {
  const [sent, ...others] = blocks;
  if (sent === undefined || others.length > 0 || !isList(sent.node)) return undefined;
  return entries.get(after)?.find(({ type }) => type === sent.node.type)?.node;
}

/** The block with others behind some of its entries. */
function withEntered(block: DocNode, entered: ReadonlyMap<DocNode, readonly DocNode[]>): DocNode {
  if (isLeaf(block)) return block;
  const content = (block.content ?? []).flatMap((child) => [
    withEntered(child, entered),
    ...(entered.get(child) ?? []),
  ]);
  return { ...block, content };
}
