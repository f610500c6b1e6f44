import type { AnswerOf } from "../../../contract/index.ts";
import type { ChapterId, FactId } from "../../../ids.ts";
import { quoteParagraph } from "../../../prose/plan-annotations.ts";
import type { BookImage, Image } from "../../../store/journal/past.ts";
import type { MentionRow } from "../../../store/rows/mentions.ts";
import type { SnippetRow } from "../../../store/rows/snippets.ts";
import { toDropped } from "../../present.ts";
import type { PastProse } from "./past-prose.ts";

type Restored = AnswerOf<"restoreBook">;
type Mention = Omit<MentionRow, "name">;

/** What becomes of the mentions of a book whose prose is put back. */
export interface MentionFates {
  /** Those that go, and those that come again elsewhere. */
  deleted: readonly Mention[];
  inserted: readonly Mention[];
  dropped: Restored["mentionsDropped"];
  /** How many come back. */
  restored: number;
}

/** A book's prose as it is, and as it is to be. */
export interface Prose {
  now: PastProse;
  past: PastProse;
}

/**
 * A mention stays on a paragraph whose text stays; on one whose text or whole comes back stand those that it had, if their
 * facts are still there, or the facts that these were merged into. `facts` resolves those, and names those of today.
 */
export function planMentionFates(
  images: { now: BookImage; past: BookImage },
  { now, past }: Prose,
  facts: { resolve: (id: FactId) => FactId | undefined; nameOf: (id: FactId) => string },
): MentionFates {
  const deleted: Mention[] = [];
  const inserted: Mention[] = [];
  const gone = new Map<string, Restored["mentionsDropped"][number]>();
  const isSame = (blockId: string) => now.leaves.get(blockId)?.text === past.leaves.get(blockId)?.text;
  for (const [id, image] of images.now.mentions) {
    const mention = toMention(id, image);
    const chapterId = past.leaves.get(mention.blockId)?.chapterId;
    if (chapterId === mention.chapterId && isSame(mention.blockId)) continue;
    deleted.push(mention);
    if (chapterId !== undefined && isSame(mention.blockId)) inserted.push({ ...mention, chapterId });
    else {
      const reason = chapterId === undefined ? "removed" : "edited";
      gone.set(id, toDropped({ ...mention, name: facts.nameOf(mention.factId) }, reason));
    }
  }
  let restored = 0;
  for (const [id, image] of images.past.mentions) {
    const mention = toMention(id, image);
    const factId = facts.resolve(mention.factId);
    const stays = images.now.mentions.has(id) && !gone.has(id);
    if (stays || isSame(mention.blockId) || factId === undefined) continue;
    inserted.push({ ...mention, factId });
    if (!gone.delete(id)) restored++;
  }
  return { deleted, inserted, dropped: [...gone.values()], restored };
}

function toMention(id: string, image: Image): Mention {
  const { fact_id, chapter_id, block_id, start, end, text } = image as Record<string, string & number>; // the table's columns
  return {
    id,
    factId: String(fact_id),
    chapterId: String(chapter_id),
    blockId: String(block_id),
    from: Number(start),
    to: Number(end),
    text: String(text),
  };
}

/** What becomes of the notes of a book whose prose is put back: none is deleted. */
export interface SnippetFates {
  /** As they are to be. */
  changed: readonly SnippetRow[];
  detached: Restored["snippetsDetached"];
  attached: Restored["snippetsAttached"];
}

/**
 * A note stays beside its paragraph, wherever that was then; a paragraph or chapter that goes leaves it detached, and one
 * that comes back has it again.
 */
export function planSnippetFates(
  snippets: readonly SnippetRow[],
  { now, past }: Prose,
  revisionOf: (id: ChapterId) => number,
): SnippetFates {
  const changed: SnippetRow[] = [];
  const detached: SnippetFates["detached"][number][] = [];
  const attached: SnippetFates["attached"][number][] = [];
  for (const snippet of snippets) {
    const { id, kind, blockId } = snippet;
    const place = placeOf(snippet, past);
    if (place === undefined) {
      const { chapterId } = snippet;
      if (chapterId === null) continue;
      const stays = past.chapters.has(chapterId);
      if (stays && blockId === null) continue; // it stood beside no paragraph before either
      const text = blockId === null ? "" : (now.leaves.get(blockId)?.text ?? "");
      const lost = snippet.detached ?? {
        blockId,
        quote: quoteParagraph(text),
        revision: revisionOf(chapterId),
      };
      changed.push({
        ...snippet,
        chapterId: stays ? chapterId : null,
        blockId: null,
        detached: stays ? lost : { ...lost, chapterId },
      });
      detached.push({ id, kind, blockId, quote: lost.quote });
    } else if (place.blockId !== blockId || place.chapterId !== snippet.chapterId) {
      changed.push({ ...snippet, ...place });
      if (snippet.detached !== null && place.detached === null)
        attached.push({ id, chapterId: place.chapterId, blockId: place.blockId });
    }
  }
  return { changed, detached, attached };
}

type Place = Pick<SnippetRow, "blockId" | "detached"> & { chapterId: ChapterId };

/** Where a note is to stand; undefined where it has no place. */
function placeOf({ chapterId, blockId, detached }: SnippetRow, past: PastProse): Place | undefined {
  const wanted = blockId ?? detached?.blockId ?? null;
  const leaf = wanted === null ? undefined : past.leaves.get(wanted);
  if (leaf !== undefined) return { chapterId: leaf.chapterId, blockId: wanted, detached: null };
  const former = detached?.chapterId;
  if (chapterId !== null || former === undefined || !past.chapters.has(former)) return undefined;
  // Its chapter comes back, and it stood beside no paragraph of it that does.
  const { chapterId: _, ...lost } = detached!; // it has a chapter, see above
  return { chapterId: former, blockId: null, detached: lost.blockId === null ? null : lost };
}
