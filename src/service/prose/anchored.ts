import type { BlockId, ChapterId } from "../../ids.ts";
import type { Store } from "../../store/file/store.ts";
import { releaseMoved } from "../../store/rows/blocks.ts";
import {
  deleteMentions,
  insertMentions,
  listChapterMentions,
  type MentionRow,
} from "../../store/rows/mentions.ts";
import { anchorSnippets, listChapterSnippets, type SnippetRow } from "../../store/rows/snippets.ts";
import { groupBy } from "../../text/group-by.ts";

/** What stands beside paragraphs, as it is stored. */
export interface Anchored {
  mentions: readonly MentionRow[];
  snippets: readonly SnippetRow[];
}

/** What stands beside these paragraphs of a chapter, or beside any and the chapter itself. */
export function anchoredTo(store: Store, chapterId: ChapterId, ids?: ReadonlySet<string>): Anchored {
  const isThere = ({ blockId }: { blockId: BlockId | null }) =>
    ids === undefined || (blockId !== null && ids.has(blockId));
  return {
    mentions: listChapterMentions(store, chapterId).filter(isThere),
    snippets: listChapterSnippets(store, chapterId).filter(isThere),
  };
}

/** Puts mentions and notes back beside their paragraphs, which are in this chapter now. */
export function bringAlong(store: Store, chapterId: ChapterId, { mentions, snippets }: Anchored): void {
  insertMentions(
    store,
    mentions.map((mention) => ({ ...mention, chapterId })),
  );
  anchorSnippets(
    store,
    snippets.map((snippet) => ({ ...snippet, chapterId })),
  );
}

/** A paragraph on its way from one chapter to another; mentions on text that changes stay behind, to be dropped. */
export interface Carried {
  blockId: BlockId;
  from: ChapterId;
  to: () => ChapterId;
  isEdited: boolean;
}

/**
 * Takes what stands beside paragraphs off them, and the paragraphs off their places, before any of their chapters is written
 * by a plan that was made already; what it returns puts all beside them again, once every one is written.
 */
export function carry(store: Store, moves: readonly Carried[]): () => void {
  const taken = [...groupBy(moves, ({ from }) => from)].map(([from, own]) => {
    const { mentions, snippets } = anchoredTo(store, from, new Set(own.map(({ blockId }) => blockId)));
    const edited = new Set(own.flatMap(({ blockId, isEdited }) => (isEdited ? [blockId] : [])));
    const kept = mentions.filter(({ blockId }) => !edited.has(blockId));
    deleteMentions(store, kept);
    return { mentions: kept, snippets };
  });
  releaseMoved(
    store,
    moves.map(({ blockId }) => blockId),
  );
  return () => {
    const places = new Map(moves.map(({ blockId, to }) => [blockId, to()]));
    const isAt = (chapterId: ChapterId) => (one: { blockId: BlockId | null }) =>
      one.blockId !== null && places.get(one.blockId) === chapterId;
    for (const chapterId of new Set(places.values()))
      for (const { mentions, snippets } of taken)
        bringAlong(store, chapterId, {
          mentions: mentions.filter(isAt(chapterId)),
          snippets: snippets.filter(isAt(chapterId)),
        });
  };
}
