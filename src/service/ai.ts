import type { Reader, ReadingBook, ReadingChapter } from "../ai/reader.ts";
import type { AnswerOf, EndpointId } from "../contract/index.ts";
import type { BookId, ChapterId } from "../ids.ts";
import { readLeaves } from "../prose/identity.ts";
import type { DocNode } from "../prose/types.ts";
import { InsufficientCredits, Unavailable } from "../refusals.ts";
import { enterLedger, readBalance, readPlan } from "../store/account.ts";
import { listBlocks } from "../store/blocks.ts";
import { type ChapterRow, listChapters } from "../store/chapters.ts";
import { listFacts } from "../store/facts.ts";
import { listChapterMentions } from "../store/mentions.ts";
import { theChapter } from "./find.ts";
import { isActive, localDay, type Manuscript } from "./manuscript.ts";

/** What an AI call cost and what is left; null is unlimited. */
export interface Spent {
  cost: number;
  remaining: number | null;
}

/** An answer of the AI tier with its price. */
export interface Paid<Id extends EndpointId> {
  answer: AnswerOf<Id>;
  spent: Spent;
}

const WORDS_A_CREDIT = 1000;

/** A synopsis; it is not saved. */
export function draftSynopsis(manuscript: Manuscript, id: ChapterId): Promise<Paid<"draftSynopsis">> {
  return spend(manuscript, id, "draftSynopsis", async (reader, chapter) => ({
    synopsis: await reader.synopsis(readingOf(manuscript, chapter), bookOf(manuscript, chapter.bookId)),
  }));
}

/** Proposed additions to the story map; writes nothing. */
export function detectMentions(manuscript: Manuscript, id: ChapterId): Promise<Paid<"detectMentions">> {
  return spend(manuscript, id, "detectMentions", async (reader, chapter) => {
    const mentions = listChapterMentions(manuscript.store, id);
    const book = { ...bookOf(manuscript, chapter.bookId), mentions };
    const proposals = await reader.detect(readingOf(manuscript, chapter), book);
    const limits = await reader.limits?.(book);
    const engine = limits ? `${reader.engine} (${limits})` : reader.engine;
    return { chapterId: id, revision: chapter.revision, engine, proposals };
  });
}

/** Contradictions and drifting names; writes nothing. */
export function checkConsistency(manuscript: Manuscript, id: ChapterId): Promise<Paid<"checkConsistency">> {
  return spend(manuscript, id, "checkConsistency", async (reader, chapter) => ({
    chapterId: id,
    revision: chapter.revision,
    engine: reader.engine,
    findings: await reader.check(readingOf(manuscript, chapter), bookOf(manuscript, chapter.bookId)),
  }));
}

/**
 * Holds the price in one transaction, asks the engine with none open, and gives the price back where the engine fails.
 * Throws `NotFound`, `InsufficientCredits`, `Unavailable`. Source: contract, Metering; design, Plan and credits.
 */
async function spend<Id extends EndpointId>(
  manuscript: Manuscript,
  id: ChapterId,
  kind: Id,
  ask: (reader: Reader, chapter: ChapterRow) => Promise<AnswerOf<Id>>,
): Promise<Paid<Id>> {
  const { store } = manuscript;
  const { chapter, cost, release } = store.setAside(() => {
    const found = theChapter(manuscript, id);
    const price = Math.max(1, Math.ceil(found.wordCount / WORDS_A_CREDIT));
    return { chapter: found, cost: price, release: hold(manuscript, kind, price) };
  });
  try {
    const answer = await ask(manuscript.reader!, chapter); // `hold` refuses where there is no engine
    return { answer, spent: { cost, remaining: creditsLeft(manuscript).available } };
  } catch (error) {
    release();
    throw error;
  }
}

/** Draws the price from the month's allowance first, then from credits; what it gives undoes that. */
function hold(manuscript: Manuscript, kind: string, cost: number): () => void {
  const { store, reader } = manuscript;
  const { available, allowance } = creditsLeft(manuscript);
  if (available !== null && available < cost) throw new InsufficientCredits(cost, available);
  if (reader === null) throw new Unavailable("No engine is configured for the AI tier; nothing was charged.");
  const at = store.clock();
  const fromAllowance = allowance === null ? cost : Math.min(allowance, cost);
  const entry = {
    at,
    month: localDay(at).slice(0, 7),
    kind,
    fromAllowance,
    fromCredits: cost - fromAllowance,
  };
  enterLedger(store, entry);
  return () => {
    const refund = { fromAllowance: -entry.fromAllowance, fromCredits: -entry.fromCredits };
    enterLedger(store, { ...entry, ...refund, at: store.clock(), kind: `${kind} failed` });
  };
}

/** What can be spent now; null is unlimited. The allowance counts only while the subscription is active. */
function creditsLeft({ store }: Manuscript): { available: number | null; allowance: number | null } {
  const today = localDay(store.clock());
  const plan = readPlan(store);
  const { credits, used } = readBalance(store, today.slice(0, 7));
  if (!isActive(plan, today)) return { available: credits, allowance: 0 };
  if (plan.allowance === null) return { available: null, allowance: null };
  const allowance = Math.max(plan.allowance - used, 0);
  return { available: allowance + credits, allowance };
}

function readingOf({ store }: Manuscript, { id, revision, title }: ChapterRow): ReadingChapter {
  const leaves = listBlocks(store, id).flatMap(({ node }) => readLeaves(JSON.parse(node) as DocNode));
  return {
    chapterId: id,
    revision,
    title,
    blocks: leaves.map(({ blockId, text }) => ({ blockId: String(blockId), text })),
  };
}

function bookOf(manuscript: Manuscript, bookId: BookId): ReadingBook {
  const chapters = listChapters(manuscript.store, bookId).map((chapter) => ({
    chapterId: chapter.id,
    revision: chapter.revision,
    title: chapter.title,
    read: () => readingOf(manuscript, chapter),
  }));
  return { bookId, cast: listFacts(manuscript.store, bookId), chapters };
}
