import type { BlockId, ChapterId } from "../../ids.ts";
import { type Leaf, leafIds, readLeaves, withLeafIds } from "../../prose/document/leaves.ts";
import type { SourceBlock } from "../../prose/document/types.ts";
import { findMoves } from "../../prose/find-moves.ts";
import { groupBy } from "../../text/group-by.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import type { Carried } from "./anchored.ts";
import type { MarkdownRequest } from "./replace-prose.ts";

/** A chapter's blocks, and the whole prose that is to take their place. */
export interface Rewritten {
  chapterId: ChapterId;
  was: readonly SourceBlock[];
  request: MarkdownRequest;
}

/** What is written of each chapter, and the paragraphs that go from one of them to another. */
export interface WithMoves {
  requests: ReadonlyMap<ChapterId, MarkdownRequest>;
  moves: readonly Carried[];
}

/** Finds the paragraphs that are gone from one of these chapters and new in another, and says so in the requests. */
export function withMoves(chapters: readonly Rewritten[]): WithMoves {
  const leavesOf = (blocks: readonly SourceBlock[]): Leaf[] => blocks.flatMap(({ node }) => readLeaves(node));
  const sides = chapters.map(({ chapterId, was, request }) => ({
    key: chapterId,
    was: leavesOf(was),
    now: leavesOf(request.prose.blocks),
  }));
  const moves = findMoves(sides);
  const requests = chapters.map(({ chapterId, request }) => {
    const come = moves.filter(({ to }) => to === chapterId);
    const left = moves.filter(({ from }) => from === chapterId);
    const ids = leafIds(request.prose.blocks);
    for (const { at, blockId } of come) ids[at] = blockId;
    const told: MarkdownRequest = {
      ...request,
      prose: { ...request.prose, blocks: withLeafIds(request.prose.blocks, ids) },
      arrived: new Set(come.map(({ blockId }) => blockId)),
      left: new Map(left.map(({ blockId, isEdited }) => [blockId, { isEdited }])),
    };
    return [chapterId, told] as const;
  });
  return {
    requests: new Map(requests),
    moves: moves.map(({ blockId, from, to, isEdited }) => ({
      blockId: blockId as BlockId, // of a stored leaf
      from,
      to: () => to,
      isEdited,
    })),
  };
}

/** How many paragraphs go from which chapter to which, as `import` and `map` answer it. */
export function tellMoves(
  manuscript: Manuscript,
  moves: readonly { from: ChapterId; to: ChapterId }[],
): { from: MovedChapter; to: MovedChapter; paragraphs: number }[] {
  const named = (id: ChapterId) => ({ id, title: theChapter(manuscript, id).title });
  const pairs = groupBy(moves, ({ from, to }) => `${from} ${to}`);
  return [...pairs.values()].map(([move, ...others]) => ({
    from: named(move.from),
    to: named(move.to),
    paragraphs: 1 + others.length,
  }));
}

interface MovedChapter {
  id: ChapterId;
  title: string;
}
