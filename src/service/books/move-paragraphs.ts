import type { BlockId, ChapterId } from "../../ids.ts";
import { addDefinitions, definitionsOf, widen } from "../../prose/definitions.ts";
import type { StoredBlock, StoredProse } from "../../prose/plan.ts";
import { parted, relabelled } from "../../prose/rewrite-leaf.ts";
import { BadRequest } from "../../refusals.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { assertUnchanged, bookOfChapter, theChapter } from "../guards.ts";
import { type Manuscript, type WriteOn, write, writeOptimistically } from "../manuscript.ts";
import { toChapterMeta } from "../present.ts";
import { carry } from "../prose/anchored.ts";
import { type PlannedProse, planProse, writePlanned } from "../prose/replace-prose.ts";
import { storedProse } from "../prose/stored-prose.ts";
import {
  asArrived,
  asLeft,
  assertOneBook,
  closed,
  idsOf,
  indexOfBlock,
  standing,
  withLineEnds,
} from "./moves/moved-blocks.ts";

/** What is asked: which paragraphs, and where to. */
interface Move {
  blockIds: readonly BlockId[];
  toChapterId: ChapterId;
  /** Null for the start, undefined for the end. */
  after?: BlockId | null | undefined;
}

/**
 * Puts paragraphs elsewhere, in their chapter or in another of the book; they keep their ids, notes and mentions, and no word
 * counts as written. Throws `NotFound`, `BadRequest`, `PayloadTooLarge`.
 */
export const moveParagraphs: WriteOn<"moveParagraphs", ChapterId> = (
  manuscript,
  chapterId,
  { ifRevision, ...asked },
  caller,
) => {
  const { store } = manuscript;
  const move: Move = asked;
  const { toChapterId } = move;
  const make = () => planMove(manuscript, chapterId, move);
  return writeOptimistically(store, bookOfChapter(manuscript, chapterId), make, (planned) =>
    write(manuscript, "moveParagraphs", caller, (act) => {
      const chapter = theChapter(manuscript, chapterId);
      assertOneBook(chapter, theChapter(manuscript, toChapterId));
      const { left, arrived, ids } = planned();
      assertUnchanged(chapter, caller, { ifRevision, prose: true });
      if (left === undefined) writePlanned(store, act, chapter, arrived);
      else {
        const to = () => toChapterId;
        const bring = carry(
          store,
          ids.map((blockId) => ({ blockId, from: chapterId, to, isEdited: false })),
        );
        writePlanned(store, act, chapter, left);
        writePlanned(store, act, theChapter(manuscript, toChapterId), arrived);
        bring();
      }
      return () => ({
        chapter: toChapterMeta(theChapter(manuscript, chapterId)),
        to: toChapterMeta(theChapter(manuscript, toChapterId)),
        moved: [...ids],
      });
    }),
  );
};

/** What a move writes; `left` is undefined for one within a chapter. */
interface PlannedMove {
  left: PlannedProse | undefined;
  arrived: PlannedProse;
  /** The paragraphs that get another place, those of a footnote with them. */
  ids: readonly BlockId[];
}

function planMove(manuscript: Manuscript, chapterId: ChapterId, move: Move): PlannedMove {
  const { store } = manuscript;
  const [chapter, other] = [theChapter(manuscript, chapterId), theChapter(manuscript, move.toChapterId)];
  assertOneBook(chapter, other);
  const prose = storedProse(chapter, listBlocks(store, chapterId));
  const named = namedBlocks(prose.blocks, move.blockIds);
  if (chapterId === move.toChapterId) {
    const rest = without(prose, new Set(named));
    const blocks = placed(rest.blocks, named.map(bare), placeAfter(rest.blocks, move, prose.blocks));
    // What is put back where it was finds the line before it ended.
    const ordered = standing({ ...rest, blocks: closed(blocks, prose.blocks, rest.blocks) });
    return {
      left: undefined,
      arrived: planProse(store, chapter, asLeft(ordered, [])),
      ids: named.flatMap(idsOf),
    };
  }
  const going = new Set(named);
  const [, all] = parted(prose.blocks, (block) => going.has(block));
  const away = new Set(all);
  for (const block of named) if (!away.has(block)) throw staysWithItsNumber(block);
  const notes = all.filter((block) => !going.has(block));
  const target = storedProse(other, listBlocks(store, other.id));
  const left = standing(without(prose, away));
  const come = [...named, ...notes].map(bare);
  const blocks = relabelled(withLineEnds(come, target), target.blocks, definitionsOf(prose));
  const at = placeAfter(target.blocks, move, target.blocks);
  // A footnote stands at the end, where its chapter's others may be.
  const list = [...placed(target.blocks, blocks.slice(0, named.length), at), ...blocks.slice(named.length)];
  const arrived = standing({ ...target, blocks: closed(list, target.blocks, prose.blocks) });
  return {
    left: planProse(store, chapter, asLeft(left, all)),
    arrived: planProse(store, other, asArrived(arrived, all)),
    ids: all.flatMap(idsOf),
  };
}

/** The blocks that begin with these paragraphs, in the order in which they are named. */
function namedBlocks(blocks: readonly StoredBlock[], ids: readonly BlockId[]): StoredBlock[] {
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new BadRequest(`blockIds names ${twice} twice; name each paragraph once.`);
  return ids.map((id) => blocks[indexOfBlock(blocks, id, "move it by")]!); // there is one
}

/** The index before which the paragraphs are to stand; `all` has those that go, too. */
function placeAfter(
  blocks: readonly StoredBlock[],
  { after, blockIds }: Move,
  all: readonly StoredBlock[],
): number {
  if (after === undefined) return blocks.length;
  if (after === null) return 0;
  if (blockIds.includes(after))
    throw new BadRequest(`Paragraph ${after} is one of those that are moved; "after" names one that stays.`);
  // The last paragraph of a list or quote stands for it as well as the first.
  const ended =
    all.find((block) => idsOf(block).at(-1) === after) ?? all[indexOfBlock(all, after, "put it behind")];
  const at = blocks.findIndex(({ row }) => row === ended?.row);
  if (at < 0) throw new BadRequest(`Paragraph ${after} is moved as well; "after" names one that stays.`);
  return at + 1;
}

const placed = <Block>(blocks: readonly Block[], more: readonly Block[], at: number): Block[] => [
  ...blocks.slice(0, at),
  ...more,
  ...blocks.slice(at),
];

function staysWithItsNumber(block: StoredBlock): BadRequest {
  return new BadRequest(
    `Paragraph ${idsOf(block)[0]} is a footnote, which goes where its number goes: move the paragraph that has it.`,
  );
}

/** A block without the link definitions behind it: they stay where they are. */
function bare(block: StoredBlock): StoredBlock {
  return block.gap.trim() === "" ? block : { ...block, gap: "\n\n" };
}

/** A chapter's prose without some of its blocks; link definitions that stood behind them stay. */
function without(prose: StoredProse, away: ReadonlySet<StoredBlock>): StoredProse {
  const { blocks } = prose;
  const staying = closed(
    blocks.filter((block) => !away.has(block)),
    blocks,
  );
  let { head } = prose;
  let last = -1;
  for (const block of blocks) {
    if (!away.has(block)) {
      last++;
      continue;
    }
    const definitions = block.gap.trim();
    if (definitions === "") continue;
    const before = staying[last];
    if (before === undefined)
      head = head.trim() === "" ? `${definitions}\n\n` : `${head.trimEnd()}\n${definitions}\n\n`;
    else {
      const gap = addDefinitions(before.gap, [definitions]);
      staying[last] = { ...before, gap: last + 1 < staying.length ? widen(gap) : gap };
    }
  }
  return { ...prose, head, blocks: staying };
}
