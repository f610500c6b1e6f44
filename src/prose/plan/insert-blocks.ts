import { BadRequest } from "../../refusals.ts";
import { leafIds } from "../document/leaf.ts";
import { isLeaf, isList, leavesOf } from "../document/leaves.ts";
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
  let all: readonly SourceBlock[] = old.blocks;
  // Backwards: what was named first stands first.
  for (const { after, markdown } of insertions.toReversed()) {
    const blocks = readBlocks(markdown, definitions);
    const at = after === null ? -1 : all.findIndex((block) => leafIds([block]).includes(after));
    const holder = all[at];
    all =
      (holder && after !== null ? withEntries(all, { at, after, blocks }, definitions) : undefined) ??
      placed(all, after === null ? startOf(all) : behind(holder, after, at), blocks);
  }
  const joined = joinBlocks({ head: old.head, blocks: all });
  if (joined === undefined) throw cannotStand();
  return { bom: old.bom, eol: old.eol, ...joined };
}

/** Throws `BadRequest` for what cannot go behind a leaf of these blocks, whatever else goes there. O(blocks). */
export function assertInsertable(
  blocks: readonly SourceBlock[],
  { after, markdown }: Insertion,
  definitions: string,
): void {
  const sent = readBlocks(markdown, definitions);
  const holder = blocks.find(({ node }) => !isLeaf(node) && leafIds([{ node }]).includes(after));
  if (holder && after !== null && withSent(holder, after, sent) === undefined) behind(holder, after, 0);
}

/** The leaf of a block that what is put behind another of its comes to stand behind: entries go behind a whole entry. */
export function leafBefore(
  holder: SourceBlock,
  { after, markdown }: { after: string; markdown: string },
  definitions: string,
): string {
  const node = withSent(holder, after, readBlocks(markdown, definitions));
  const ids = node === undefined ? [] : leafIds([{ node }]);
  return ids[ids.indexOf(null) - 1] ?? after;
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

function behind(holder: SourceBlock | undefined, after: string, at: number): number {
  if (holder !== undefined && leafIds([holder]).at(-1) !== after) {
    throw new BadRequest(
      `This paragraph stands within a ${holder.node.type}. Name the last one in it to put the text behind the whole${isList(holder.node) ? ', send entries such as "- text" to put them into the list' : ""}, or use PUT /chapters/{chapterId}/prose.`,
    );
  }
  return at + 1;
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

/** The blocks with the entries of the one list that is sent behind those of a leaf in a list of that kind, if it is so. */
function withEntries(
  old: readonly SourceBlock[],
  { at, after, blocks }: { at: number; after: string; blocks: readonly SourceBlock[] },
  definitions: string,
): SourceBlock[] | undefined {
  const holder = old[at];
  const node = holder && withSent(holder, after, blocks);
  if (holder === undefined || node === undefined) return undefined;
  return old.with(at, { ...holder, ...rewriteBlock(holder, node, definitions) }).slice();
}

function withSent(holder: SourceBlock, after: string, blocks: readonly SourceBlock[]): DocNode | undefined {
  const [sent, ...others] = blocks;
  if (sent === undefined || others.length > 0 || !isList(sent.node)) return undefined;
  return intoList(holder.node, { after, type: sent.node.type, entries: sent.node.content ?? [] });
}

/** The block with entries behind the one of the innermost list of this type that holds the leaf; undefined if none does. */
function intoList(
  block: DocNode,
  wanted: { after: string; type: string; entries: readonly DocNode[] },
): DocNode | undefined {
  const { content = [] } = block;
  const at = content.findIndex((child) =>
    leavesOf(child).some(({ attrs }) => attrs?.blockId === wanted.after),
  );
  const child = content[at];
  if (child === undefined) return undefined;
  const inner = intoList(child, wanted);
  if (inner !== undefined) return { ...block, content: content.with(at, inner) };
  if (block.type !== wanted.type) return undefined;
  return { ...block, content: [...content.slice(0, at + 1), ...wanted.entries, ...content.slice(at + 1)] };
}
