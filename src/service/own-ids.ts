import type { ChapterId } from "../ids.ts";
import { leafIds, withLeafIds } from "../prose/leaf-ids.ts";
import type { NewProse } from "../prose/replace.ts";
import { chaptersOfLeaves } from "../store/blocks.ts";
import { formerLeaves } from "../store/history.ts";
import type { Store } from "../store/store.ts";
import type { ReadChapter } from "./import-chapter.ts";

/**
 * A file's chapter whose leaves bring only ids that count: those that the chapter it is for has, or once had. A leaf
 * that came from another chapter or another manuscript is matched as one without a mark; a new chapter's are all new.
 */
export function withOwnIds(store: Store, id: ChapterId | undefined, asked: ReadChapter): ReadChapter {
  if (!asked.isMarked || asked.prose.kind === "document") return asked;
  const brought = leafIds(asked.prose.prose.blocks).filter((blockId) => blockId !== null);
  const elsewhere = id === undefined ? new Map() : chaptersOfLeaves(store, brought);
  const isLost = id !== undefined && brought.some((blockId) => !elsewhere.has(blockId));
  const former = isLost ? formerLeaves(store, id) : new Set<string>();
  const isOwn = (blockId: string) =>
    elsewhere.has(blockId) ? elsewhere.get(blockId) === id : former.has(blockId);
  return { ...asked, prose: { ...asked.prose, prose: keepIds(asked.prose.prose, isOwn) } };
}

/** The prose with those ids on its leaves that may stay. */
export function keepIds(prose: NewProse, mayStay: (blockId: string) => boolean): NewProse {
  const ids = leafIds(prose.blocks).map((id) => (id !== null && mayStay(id) ? id : null));
  return { ...prose, blocks: withLeafIds(prose.blocks, ids) };
}
