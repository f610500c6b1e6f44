import type { BookId, ChapterId, PartId } from "../../ids.ts";
import { nodeOf, readLeaves } from "../../prose/document/leaves.ts";
import { quoteParagraph } from "../../prose/plan-annotations.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { countProgress } from "../../store/journal/acts.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { listParts } from "../../store/rows/books.ts";
import * as stored from "../../store/rows/chapters.ts";
import { deleteMentions, listChapterMentions } from "../../store/rows/mentions.ts";
import { placeRanks } from "../../store/rows/rank.ts";
import { anchorSnippets, listChapterSnippets } from "../../store/rows/snippets.ts";
import { bookTag } from "../entity-tags.ts";
import { assertSeen, assertUnchanged, bookOfChapter, theBook, theChapter, thePart } from "../guards.ts";
import {
  type Act,
  localDay,
  type Manuscript,
  type Removal,
  type WriteOn,
  write,
  writeOptimistically,
} from "../manuscript.ts";
import { toChapterMeta, toDeletion } from "../present.ts";
import { droppedBy, insertNew } from "../prose/apply-plan.ts";
import { requestMarkdown, retitled, writePlanned } from "../prose/replace-prose.ts";
import { zeroBasedPlace } from "./parts.ts";
import { planNew } from "./plan-new-chapter.ts";

/** A new chapter at a position, else at the end of its part or book. Throws `NotFound`, `BadRequest`, `PayloadTooLarge`. */
export const createChapter: WriteOn<"createChapter", BookId> = (
  manuscript,
  bookId,
  { title, partId = null, position, markdown = "", status = "draft" },
  caller,
) => {
  const { store } = manuscript;
  const planned = planNew(store, requestMarkdown(markdown).prose);
  const { id } = planned;
  return write(manuscript, "createChapter", caller, (act) => {
    theBook(manuscript, bookId);
    assertPart(manuscript, bookId, partId);
    assertSeen(caller, "book", () => [bookTag(store, bookId)]);
    const rank = rankAt(manuscript, bookId, { partId, position });
    const place = { ...BLANK, bookId, partId, rank, title, status, createdAt: act.at };
    insertNew(store, act, place, planned);
    return () => ({ id, chapter: toChapterMeta(theChapter(manuscript, id)) });
  });
};

/** The columns of a new chapter. */
export const BLANK = { synopsis: "", file: null, frontMatter: "", bom: 0, eol: "lf", head: "" } as const;

/** Renames or moves a chapter. Throws `NotFound`, `RevisionConflict`, `BadRequest` for nothing to change. */
export const updateChapter: WriteOn<"updateChapter", ChapterId> = (
  manuscript,
  id,
  { title, partId, position },
  caller,
) => {
  if (title === undefined && partId === undefined && position === undefined) {
    throw new BadRequest("Nothing to change: send title, partId or position.");
  }
  const { store } = manuscript;
  const make = () => (title === undefined ? undefined : retitled(store, theChapter(manuscript, id), title));
  return writeOptimistically(store, bookOfChapter(manuscript, id), make, (planned) =>
    write(manuscript, "updateChapter", caller, (act) => {
      const chapter = theChapter(manuscript, id);
      assertPart(manuscript, chapter.bookId, partId ?? null);
      assertUnchanged(chapter, caller, { prose: false });
      const isMoved = position !== undefined || (partId != null && partId !== chapter.partId);
      const rank = isMoved
        ? rankAt(manuscript, chapter.bookId, { partId: partId ?? null, position, moved: id })
        : undefined;
      const renamed = planned();
      const heading = renamed && writePlanned(store, act, chapter, renamed);
      stored.updateChapter(store, id, {
        ...(title === undefined ? {} : { title }),
        ...(partId === undefined ? {} : { partId }),
        ...(rank === undefined ? {} : { rank }),
      });
      return () => ({
        chapter: toChapterMeta(theChapter(manuscript, id)),
        headingChanged: heading !== undefined,
        mentionsDropped: heading === undefined ? [] : droppedBy(heading),
      });
    }),
  );
};

/** Deletes a chapter. Its marginalia stays with the book, each with a quote of its former paragraph. */
export const deleteChapter: Removal<"deleteChapter", ChapterId> = (manuscript, id, caller) =>
  write(manuscript, "deleteChapter", caller, (act) => {
    assertUnchanged(theChapter(manuscript, id), caller, { prose: false });
    const { mentions, detached } = dropChapter(manuscript, act, id);
    return () => toDeletion(id, mentions, detached);
  });

/** Deletes a chapter within an act. */
export function dropChapter(manuscript: Manuscript, act: Act, id: ChapterId) {
  const { store } = manuscript;
  const chapter = theChapter(manuscript, id);
  const snippets = listChapterSnippets(store, id);
  const texts = snippets.length === 0 ? undefined : leafTexts(store, id);
  const detached = snippets.map((snippet) => {
    const { blockId } = snippet;
    const quote = blockId === null ? "" : quoteParagraph(texts?.get(blockId) ?? "");
    return { ...snippet, detached: snippet.detached ?? { blockId, quote, revision: chapter.revision } };
  });
  anchorSnippets(
    store,
    detached.map((snippet) => ({
      id: snippet.id,
      chapterId: null,
      blockId: null,
      detached: { ...snippet.detached, chapterId: id },
    })),
  );
  const mentions = listChapterMentions(store, id);
  deleteMentions(store, mentions);
  stored.deleteChapter(store, id);
  countProgress(store, act, {
    bookId: chapter.bookId,
    date: localDay(act.at),
    removed: chapter.wordCount,
  });
  return {
    mentions,
    detached: detached.map(({ id, kind, blockId, detached: { quote } }) => ({ id, kind, blockId, quote })),
  };
}

function leafTexts(store: Store, id: ChapterId): Map<string | null, string> {
  const leaves = listBlocks(store, id).flatMap((row) => readLeaves(nodeOf(row)));
  return new Map(leaves.map(({ blockId, text }) => [blockId, text]));
}

function assertPart(manuscript: Manuscript, bookId: BookId, partId: PartId | null): void {
  if (partId !== null && thePart(manuscript, partId).bookId !== bookId)
    throw new NotFound("part in this book");
}

/**
 * The rank of a new or moved chapter: at a position of the book, else at the end of its part, else at the end of the
 * book. An empty part's place is after the chapters of the parts before it.
 */
export function rankAt(
  { store }: Manuscript,
  bookId: BookId,
  { partId, position, moved }: { partId: PartId | null; position?: number | undefined; moved?: ChapterId },
): string {
  const others = stored.listPlaces(store, bookId).filter(({ id }) => id !== moved);
  const place =
    position !== undefined || partId === null
      ? zeroBasedPlace(position, others.length)
      : endOfPart(
          others,
          listParts(store, bookId).map(({ id }) => id),
          partId,
        );
  const list: { rank?: string }[] = others.toSpliced(place, 0);
  return placeRanks(list.toSpliced(place, 0, {}))[place]!; // the chapter is at `place`
}

function endOfPart(
  chapters: readonly { partId: PartId | null }[],
  parts: readonly PartId[],
  partId: PartId,
): number {
  const upTo = new Set<PartId | null>(parts.slice(0, parts.indexOf(partId) + 1));
  const last = chapters.findLastIndex((chapter) => upTo.has(chapter.partId));
  if (last >= 0) return last + 1;
  const after = chapters.findIndex((chapter) => chapter.partId !== null);
  return after >= 0 ? after : chapters.length;
}
