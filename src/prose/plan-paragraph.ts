import { definitionsOf, innerDefinitions } from "./definitions.ts";
import { mapLeaves } from "./document/leaves.ts";
import { lostMarks } from "./document/marks.ts";
import { sameNode } from "./document/same-node.ts";
import type { DocNode } from "./document/types.ts";
import { countBlockWords } from "./document/words.ts";
import { joinBlocks } from "./join-blocks.ts";
import { openQuarry, speltIn } from "./plan/quarry.ts";
import { rewriteBlock } from "./plan/splice.ts";
import type { ProsePlan, StoredBlock, StoredMention, StoredProse } from "./plan.ts";
import { type NewMarks, planMentions } from "./plan-annotations.ts";
import { cannotStand, isLineForLine, leafOf, rewriteLeaves } from "./rewrite-leaf.ts";

/** One paragraph of a chapter, and its surroundings as far as the plan needs them. */
export interface ParagraphPlace {
  /** Top-level block that holds the paragraph. */
  block: StoredBlock;
  blockId: string;
  /** Mentions on the paragraph. */
  mentions: readonly StoredMention[];
  /** Neighbouring blocks; all that come before it if the chapter could be taken to begin with front matter. */
  before: readonly StoredBlock[];
  after: readonly StoredBlock[];
  /** True if `before` reaches to the chapter's start. */
  isStart: boolean;
  /** Blocks ahead of `before`, and behind `after`, that may define links. */
  definingBefore: readonly StoredBlock[];
  definingAfter: readonly StoredBlock[];
}

type Chapter = Omit<StoredProse, "blocks">;

/**
 * Plans one paragraph's new Markdown. Its id and notes stay; its mentions are dropped if the text changed. Writes one
 * row, and a neighbour's if a blank line must go between. The cost does not depend on the chapter's length. Throws
 * `BadRequest` if the Markdown is not one paragraph, or would change how its neighbours read. Source: llms.txt, Prose
 * writes and what they cost.
 */
export function planParagraph(chapter: Chapter, place: ParagraphPlace & { markdown: string }): ProsePlan {
  const { block, blockId, markdown } = place;
  const definitions = definitionsAround(chapter, place);
  const written = rewriteLeaves(block, new Map([[blockId, { markdown }]]), definitions);
  const isAlone = isLineForLine(block, written.node, markdown) && standsAlone(chapter, place);
  const plan = planWritten(chapter, isAlone ? { ...place, isAlone } : place, written);
  if (plan === undefined) throw cannotStand();
  const lost = lostMarks(leafOf(block, blockId).node, leafOf(written, blockId).node);
  return lost.length === 0
    ? plan
    : { ...plan, warnings: [...plan.warnings, `marks_dropped: ${lost.join(", ")} in ${blockId}`] };
}

/**
 * Plans a paragraph in a document's form, with its id and mention marks, with the same effect as a write of the whole
 * document. Undefined if more would change than this paragraph and a blank line next to it.
 */
export function planNode(
  chapter: Chapter,
  place: ParagraphPlace & { node: DocNode; marks: NewMarks },
): ProsePlan | undefined {
  const { block, blockId, node: leaf, marks } = place;
  const node = mapLeaves(block.node, (own) => (own.attrs?.blockId === blockId ? leaf : own));
  if (sameNode(block.node, node)) return planWritten(chapter, place, block, marks);
  const definitions = definitionsAround(chapter, place);
  const spelt = speltIn(openQuarry([block]), definitions);
  const written = { ...block, ...rewriteBlock(block, node, definitions, { spelt }) };
  const left = new Set(innerDefinitions(written));
  if (!innerDefinitions(block).every((definition) => left.has(definition))) return undefined;
  return planWritten(chapter, place, written, marks);
}

function definitionsAround({ head }: Chapter, place: ParagraphPlace): string {
  const near = [...place.before, place.block, ...place.after];
  return definitionsOf({ head, blocks: [...place.definingBefore, ...near, ...place.definingAfter] });
}

/**
 * True if a paragraph between these blocks reads as it does alone: only blank lines part it from its neighbours, and
 * neither of them continues behind a blank line. Lists, quotes, footnotes and HTML may.
 */
function standsAlone({ head }: Chapter, { block, before, after }: ParagraphPlace): boolean {
  const [previous, ...further] = before;
  const isParted = (gap: string) => gap.trim() === "" && /^\n[ \t]*\n/.test(gap);
  const isOpen =
    previous === undefined
      ? head === ""
      : isClosed(previous) && isParted(previous.gap) && further.length === 0;
  return (
    isOpen && (after[0] === undefined ? block.gap.trim() === "" : isClosed(after[0]) && isParted(block.gap))
  );
}

const isClosed = ({ node: { type } }: StoredBlock) => type === "paragraph" || type === "heading";

/** Plans the block's new form; undefined if it cannot stand between its neighbours. */
function planWritten(
  chapter: Chapter,
  place: ParagraphPlace & { isAlone?: boolean },
  written: StoredBlock,
  marks?: NewMarks,
): ProsePlan | undefined {
  const { block, blockId } = place;
  const old = leafOf(block, blockId);
  const leaf = leafOf(written, blockId);
  const changes = { old: [old], next: [leaf], ids: [blockId], from: [0], into: [-1] };
  const mentions = planMentions(place, changes, marks === undefined ? "keep" : "document", marks);
  // Another spelling of the same paragraph is no change: its author's spelling stays.
  const isSame = sameNode(block.node, written.node);
  const alone = place.isAlone ? { blocks: [{ ...written, written: true }] } : undefined;
  const placed = isSame ? { blocks: [] } : (alone ?? placeBlock(chapter, place, written));
  const change = countBlockWords(leaf.node) - countBlockWords(old.node);
  return (
    placed && {
      ...chapter,
      ...mentions,
      changed: !isSame || mentions.mentionsDropped.length > 0 || mentions.mentionsWritten.length > 0,
      ...placed,
      removedRows: [],
      leaves: [{ blockId, type: leaf.node.type, status: isSame ? "kept" : "edited" }],
      removed: [],
      snippetsDetached: [],
      snippetsMoved: [],
      snippetsAttached: [],
      words: { added: Math.max(change, 0), removed: Math.max(-change, 0) },
    }
  );
}

/**
 * Returns the rows to write: the block as it reads between its neighbours, and neighbours, or the head, that had to
 * change; undefined if nothing works.
 */
function placeBlock(
  chapter: Chapter,
  { before, after, isStart, definingBefore, definingAfter }: ParagraphPlace,
  changed: StoredBlock,
): (Pick<ProsePlan, "blocks"> & Partial<Pick<ProsePlan, "head">>) | undefined {
  const stretch = { head: isStart ? chapter.head : "\n", blocks: [...before, changed, ...after] };
  const mended = joinBlocks(stretch, {
    before: definitionsOf({ head: isStart ? "" : chapter.head, blocks: definingBefore }),
    after: definitionsOf({ head: "", blocks: definingAfter }),
  });
  const blocks = mended?.blocks.flatMap((next, index) => {
    const old = stretch.blocks[index]!; // mending neither adds nor removes
    const isWritten =
      old === changed || next.source !== old.source || next.gap !== old.gap || next.node !== old.node;
    return isWritten ? [{ ...next, written: true }] : [];
  });
  return mended && blocks && { ...(isStart ? { head: mended.head } : {}), blocks };
}
