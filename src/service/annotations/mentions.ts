import type { AnswerOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import {
  type BlockId,
  type BookId,
  type ChapterId,
  type FactId,
  type MentionId,
  mintAscending,
} from "../../ids.ts";
import { type Leaf, nodeOf, readLeaves } from "../../prose/document/leaves.ts";
import { BadRequest, Conflict, NotFound } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, listChapters } from "../../store/rows/chapters.ts";
import { type FactRow, listFacts } from "../../store/rows/facts.ts";
import {
  byBlock,
  insertMentions,
  insertPrepared,
  listBlockMentions,
  listChapterMentions,
  type MentionRow,
  prepareMentions,
} from "../../store/rows/mentions.ts";
import { bookTag } from "../entity-tags.ts";
import { assertSeen, assertUnchanged, bookOfChapter, theBook, theChapter } from "../guards.ts";
import { type Manuscript, type Removal, type WriteOn, write, writeOptimistically } from "../manuscript.ts";
import { createMentionPresenter, theFact } from "./facts.ts";
import { coverOf, findFactNames, namesOfFacts } from "./names/match-names.ts";

type Shown = AnswerOf<"anchorMentions">["mentions"][number];

/** Links spans of a chapter to facts. Throws `Conflict` if the chapter has changed since the offsets were counted. */
export const anchorMentions: WriteOn<"anchorMentions", ChapterId> = (
  manuscript,
  chapterId,
  { revision, mentions },
  caller,
) => {
  return writeOptimistically(
    manuscript.store,
    bookOfChapter(manuscript, chapterId),
    () => leavesOfChapter(manuscript.store, chapterId),
    (planned) =>
      write(manuscript, "anchorMentions", caller, (_, store) => {
        const chapter = theChapter(manuscript, chapterId);
        const facts = new Map<FactId, FactRow>();
        for (const { factId } of mentions)
          if (!facts.has(factId)) facts.set(factId, factIn(manuscript, chapter.bookId, factId));
        if (chapter.revision !== revision) {
          throw new Conflict(moved(revision, chapter.revision), { currentRevision: chapter.revision });
        }
        assertUnchanged(chapter, caller, { prose: true });
        const anchor = createAnchor(store, chapter, planned());
        const written = mentions.map(
          (mention, index) => anchor(facts.get(mention.factId)!, mention, `/mentions/${index}`), // every fact was found
        );
        return () => ({
          chapterId,
          revision: theChapter(manuscript, chapterId).revision,
          mentions: written,
          total: written.length,
        });
      }),
  );
};

/**
 * Puts back every mention whose text is exactly a name or an alias of one fact alone; the longest name wins and what
 * is anchored already stays; a paragraph takes so many, the first of them. Free of charge: no engine runs.
 */
export const reanchorMentions: Removal<"reanchorMentions", BookId> = (manuscript, bookId, caller) => {
  const { store } = manuscript;
  const mint = mintAscending(store.mint, "mention");
  const show = createMentionPresenter();
  const plan = () => {
    const known = namesIn(store, bookId);
    const chapters = known.names.length === 0 ? [] : listChapters(store, bookId);
    const anchors = chapters.flatMap((chapter) => findAnchors(store, chapter, { ...known, mint, show }));
    const rows = prepareMentions(anchors.map(({ mention }) => mention));
    return { rows, mentions: anchors.map(({ shown }) => shown), ambiguous: known.ambiguous };
  };
  return writeOptimistically(
    store,
    () => bookId,
    plan,
    (planned) =>
      write(manuscript, "reanchorMentions", caller, () => {
        theBook(manuscript, bookId);
        assertSeen(caller, "book", () => [bookTag(store, bookId)]);
        const { rows, mentions, ambiguous } = planned();
        insertPrepared(store, rows);
        return () => ({ anchored: mentions.length, mentions, ambiguous });
      }),
  );
};

/** The names of a book's facts. */
function namesIn(store: Store, bookId: BookId) {
  const facts = listFacts(store, bookId);
  return { facts: new Map(facts.map((fact) => [fact.id, fact])), ...namesOfFacts(facts) };
}

/** The mentions that a chapter may get, and how they are shown. */
function findAnchors(
  store: Store,
  chapter: ChapterRow,
  { facts, names, mint, show }: ReturnType<typeof namesIn> & Pick<Target, "mint" | "show">,
): NewMention[] {
  const anchored = byBlock(listChapterMentions(store, chapter.id));
  return [...leavesOfChapter(store, chapter.id).values()].flatMap((leaf) => {
    const known = anchored.get(String(leaf.blockId)) ?? [];
    return findFactNames(leaf, names)
      .filter(coverOf(leaf.text.length, known).isFree)
      .slice(0, Math.max(0, LIMITS.paragraphMentions - known.length))
      .map((span) => newMention({ chapter, leaf, fact: facts.get(span.factId)!, mint, show }, span)); // names come from these facts
  });
}

/** The message for a chapter that has changed since offsets were counted in it. */
export function moved(counted: number, current: number): string {
  return `The offsets were counted in revision ${counted}; the chapter is at ${current}. Read it again and count anew.`;
}

/** The leaves of a chapter by block id. */
export function leavesOfChapter(store: Store, chapterId: ChapterId): Map<string, Leaf> {
  const leaves = listBlocks(store, chapterId).flatMap((row) => readLeaves(nodeOf(row)));
  return new Map(leaves.map((leaf) => [String(leaf.blockId), leaf]));
}

function factIn(manuscript: Manuscript, bookId: BookId, factId: FactId): FactRow {
  const fact = theFact(manuscript, factId);
  if (fact.bookId !== bookId) throw new NotFound("fact in this book");
  return fact;
}

/** Links a span to a fact; the same span again adds nothing. Throws `NotFound`, and `BadRequest` that names `path`. */
type Anchor = (fact: FactRow, span: { blockId: BlockId; from: number; to: number }, path: string) => Shown;

/** Links spans of a chapter to facts, all that are asked for one after the other. Reads the mentions of a leaf once. */
export function createAnchor(store: Store, chapter: ChapterRow, leaves: ReadonlyMap<string, Leaf>): Anchor {
  const known = new Map<BlockId, Map<string, Shown>>();
  const mint = () => store.mint("mention");
  const show = createMentionPresenter();
  const knownIn = (blockId: BlockId, { text }: Leaf): Map<string, Shown> => {
    const shown = listBlockMentions(store, [blockId]).map((mention): [string, Shown] => [
      spotOf(mention.factId, mention),
      show({ ...mention, chapterTitle: chapter.title }, text),
    ]);
    return new Map(shown.reverse()); // of equal ones the first
  };
  return (fact, { blockId, from, to }, path) => {
    const leaf = leaves.get(blockId);
    if (leaf === undefined) throw new NotFound("paragraph in this chapter");
    const fault = faultOf(leaf, from, to);
    if (fault !== undefined) throw new BadRequest(`${path} ${fault}.`, [{ path, message: fault }]);
    const anchored = known.get(blockId) ?? knownIn(blockId, leaf);
    known.set(blockId, anchored);
    const spot = spotOf(fact.id, { from, to });
    const shown = anchored.get(spot) ?? put(store, { chapter, leaf, fact, mint, show }, { from, to });
    anchored.set(spot, shown);
    return shown;
  };
}

function spotOf(factId: FactId, { from, to }: { from: number; to: number }): string {
  return `${factId} ${from} ${to}`;
}

/** What is wrong with a span of a leaf, or undefined. */
function faultOf({ text, breaks }: Leaf, from: number, to: number): string | undefined {
  if (from >= to || to > text.length) {
    return `must be a span within the ${text.length} UTF-16 units of its paragraph, got ${from} to ${to}`;
  }
  if (!text.slice(from, to).isWellFormed()) return "cuts a character in half";
  if (breaks.some((offset) => from < offset && offset < to)) return "spans a line break or a picture";
  return undefined;
}

/** A mention to be written, and how it is shown. */
interface NewMention {
  mention: Omit<MentionRow, "name">;
  shown: Shown;
}

interface Target {
  chapter: ChapterRow;
  leaf: Leaf;
  fact: FactRow;
  mint: () => MentionId;
  show: ReturnType<typeof createMentionPresenter>;
}

function put(store: Store, target: Target, span: { from: number; to: number }): Shown {
  const { mention, shown } = newMention(target, span);
  insertMentions(store, [mention]);
  return shown;
}

function newMention(
  { chapter, leaf, fact, mint, show }: Target,
  { from, to }: { from: number; to: number },
): NewMention {
  const mention: NewMention["mention"] = {
    id: mint(),
    factId: fact.id,
    chapterId: chapter.id,
    blockId: String(leaf.blockId),
    from,
    to,
    text: leaf.text.slice(from, to),
  };
  return {
    mention,
    shown: show({ ...mention, name: fact.name, chapterTitle: chapter.title }, leaf.text),
  };
}
