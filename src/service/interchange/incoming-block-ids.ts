import type { ChapterId } from "../../ids.ts";
import { allMarks } from "../../prose/block-ids/syntax.ts";
import { leafIds, withLeafIds } from "../../prose/document/leaf-ids.ts";
import type { NewProse } from "../../prose/plan/plan.ts";
import type { Store } from "../../store/file/store.ts";
import { formerLeaves } from "../../store/journal/history.ts";
import { chaptersOfLeaves } from "../../store/rows/blocks.ts";
import { type ReadChapter, readProse } from "./incoming-chapter.ts";

/**
 * A file's chapter whose leaves bring only ids that count: those that the chapter it is for has, or once had. A leaf
 * that came from another chapter or another manuscript is matched as one without a mark; a new chapter's are all new.
 */
export function withOwnIds(store: Store, id: ChapterId | undefined, asked: ReadChapter): ReadChapter {
  if (!asked.isMarked && !asked.mayHaveMore) return asked;
  const own = id === undefined ? new Set<string>() : ownIds(store, id, asked.markdown);
  const isOwn = (blockId: string) => own.has(blockId);
  const read = asked.mayHaveMore && own.size > 0 ? { ...asked, ...readProse(asked, isOwn) } : asked;
  return { ...read, prose: { ...read.prose, prose: keepIds(read.prose.prose, isOwn) } };
}

/** The ids that a text's marks name and that are leaves of the chapter, or were. */
function ownIds(store: Store, id: ChapterId, markdown: string): Set<string> {
  const named = allMarks(markdown).map(({ blockId }) => blockId);
  const chapters = chaptersOfLeaves(store, named);
  const former = named.some((blockId) => !chapters.has(blockId))
    ? formerLeaves(store, id)
    : new Set<string>();
  return new Set(
    named.filter((blockId) => (chapters.has(blockId) ? chapters.get(blockId) === id : former.has(blockId))),
  );
}

/** The prose with those ids on its leaves that may stay. */
export function keepIds(prose: NewProse, mayStay: (blockId: string) => boolean): NewProse {
  const ids = leafIds(prose.blocks).map((id) => (id !== null && mayStay(id) ? id : null));
  return { ...prose, blocks: withLeafIds(prose.blocks, ids) };
}
