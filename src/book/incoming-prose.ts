import type { BlockId } from "../ids.ts";
import { findBlockIds, mayHoldBlockIds, takeBlockIds } from "../prose/block-ids.ts";
import { leafIds, withLeafIds } from "../prose/document/leaves.ts";
import { ANY_ROOM, type ChapterRoom } from "../prose/document/room.ts";
import { assertSize, parseMarkdown } from "../prose/parse.ts";
import type { NewProse } from "../prose/plan.ts";
import { BadRequest, PayloadTooLarge } from "../refusals.ts";
import type { IncomingChapter, StoredChapter } from "./book.ts";

/** A chapter's prose as its file has it. */
export type IncomingProse = Pick<IncomingChapter, "prose" | "isMarked" | "mayHaveMore">;

/**
 * Reads a chapter's prose within the room that is left. Takes block ids off its text; with `isOwn` only ids that it
 * accepts, and any other text that looks like one stays prose. Throws `BadRequest` and `PayloadTooLarge` with the
 * file's name.
 */
export function readProse(
  { name, bom, markdown }: Pick<IncomingChapter, "name" | "bom" | "markdown">,
  { isOwn, room = ANY_ROOM }: { isOwn?: (blockId: string) => boolean; room?: ChapterRoom } = {},
): IncomingProse {
  try {
    const { markdown: bare, ids } = takeBlockIds((bom ? "\ufeff" : "") + markdown, isOwn);
    assertSize(bare);
    const prose = parseMarkdown(bare, "", room);
    const isMarked = ids.length > 0;
    const blocks = isMarked ? withLeafIds(prose.blocks, ids) : prose.blocks;
    return { prose: { ...prose, blocks }, isMarked, mayHaveMore: mayHoldBlockIds(bare) };
  } catch (error) {
    if (error instanceof PayloadTooLarge) throw new PayloadTooLarge(`${name}: ${error.message}`);
    if (error instanceof BadRequest) throw new BadRequest(`${name}: ${error.message}`);
    throw error;
  }
}

/**
 * Returns a file's chapter with only the ids that count: those that its chapter has or once had, and those of
 * paragraphs that moved to it from another chapter. Other leaves are matched like leaves without an id.
 */
export function withOwnIds(
  incoming: IncomingChapter,
  stored: StoredChapter | undefined,
  arrived: readonly BlockId[] = [],
): IncomingChapter {
  if (!incoming.isMarked && !incoming.mayHaveMore) return incoming;
  const named = stored === undefined ? [] : findBlockIds(incoming.markdown).map(({ blockId }) => blockId);
  const own = new Set<string>([...(stored?.owns(named) ?? []), ...arrived]);
  const isOwn = (blockId: string) => own.has(blockId);
  const read =
    incoming.mayHaveMore && own.size > 0 ? { ...incoming, ...readProse(incoming, { isOwn }) } : incoming;
  return { ...read, prose: keepIds(read.prose, isOwn) };
}

/** Returns the prose with only those ids on its leaves that may stay. */
export function keepIds(prose: NewProse, mayStay: (blockId: string) => boolean): NewProse {
  const ids = leafIds(prose.blocks).map((id) => (id !== null && mayStay(id) ? id : null));
  return { ...prose, blocks: withLeafIds(prose.blocks, ids) };
}
