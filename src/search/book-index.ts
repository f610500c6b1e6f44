import { factPassages, matchedFields } from "./index/facts.ts";
import { type IndexedPassage, Passages } from "./index/passages.ts";
import type {
  ChapterHit,
  FactHit,
  SearchedChapter,
  SearchedFact,
  SearchedParagraph,
  SearchResult,
} from "./index/types.ts";
import { englishStem, type Stem } from "./index/vocabulary.ts";
import { type Answer, type Manner, type Ranking, rank } from "./ranking/ranking.ts";
import { excerpt } from "./reading/excerpt.ts";
import type { Highlights } from "./reading/highlights.ts";
import { readQuestion } from "./reading/question.ts";

const EXCERPTS = 3;
/** Share of a limit that facts may take while chapters want it. */
const FACT_SHARE = 0.25;
/** Below this many passages a book counts as English. */
const FEWEST = 20;
/** Seven of ten paragraphs of an English novel hold "the", and next to none in any other language. */
const ENGLISH_SHARE = 0.1;
/** Heap that MiniSearch takes for a distinct term, for an occurrence of one, and for a passage, measured. */
const BYTES = { term: 400, occurrence: 42, passage: 500 };

/** The rank of a chapter, and how many paragraphs stand before each of its own. */
interface Chapter {
  position: number;
  ordinals: ReadonlyMap<string, number>;
}

/**
 * One book, searched: paragraphs, titles and synopses by chapter, and the cast. Kept in memory, and in step by its
 * caller; after any changes it answers as an index made afresh. A thrown error leaves it unfit: make it anew.
 * Source: docs/decisions/005-search.md.
 */
export class BookIndex {
  readonly #isStemmed: boolean;
  readonly #prose: Passages;
  readonly #cast: Passages;
  readonly #chapters = new Map<string, Chapter>();
  readonly #facts = new Set<string>();
  #characters = 0;

  /** `stem` returns the stem of a folded word; without it English books are stemmed. */
  constructor({ stem }: { stem?: Stem } = {}) {
    this.#isStemmed = stem !== undefined;
    this.#prose = new Passages(stem ?? englishStem);
    this.#cast = new Passages(stem ?? englishStem);
  }

  /** Adds a chapter's title, synopsis and position, or replaces them; its prose stays. */
  putChapter({ id, position, title, synopsis }: SearchedChapter): void {
    this.#chapters.set(id, { position, ordinals: this.#chapters.get(id)?.ordinals ?? new Map() });
    this.#put(this.#prose, heading(id, "title", title));
    this.#put(this.#prose, heading(id, "synopsis", synopsis));
  }

  /**
   * Replaces the prose of a chapter, in reading order, a changed paragraph at each step; nothing may be asked before the
   * last. A paragraph of another chapter moves here. About 0.5 ms for 100 changed words.
   */
  *putProse(chapterId: string, paragraphs: readonly SearchedParagraph[]): Generator<void> {
    const { position, ordinals: before } = this.#chapter(chapterId);
    const ordinals = new Map(paragraphs.map(({ blockId }, ordinal) => [blockId, ordinal]));
    this.#chapters.set(chapterId, { position, ordinals });
    for (const blockId of before.keys())
      if (!ordinals.has(blockId)) this.#removeParagraph(blockId, chapterId);
    for (const { blockId: key, text } of paragraphs) {
      const isNew = this.#put(this.#prose, { owner: chapterId, key, field: "prose", text, weight: 1 });
      if (isNew) yield;
    }
  }

  /** Adds a fact or replaces it. */
  putFact(fact: SearchedFact): void {
    this.#facts.add(fact.id);
    for (const passage of factPassages(fact)) this.#put(this.#cast, passage);
  }

  /** Removes every chapter, with its prose, and every fact that is not among these. */
  retain(chapterIds: ReadonlySet<string>, factIds: ReadonlySet<string>): void {
    for (const [id, { ordinals }] of this.#chapters) {
      if (chapterIds.has(id)) continue;
      this.#put(this.#prose, heading(id, "title", ""));
      this.#put(this.#prose, heading(id, "synopsis", ""));
      for (const blockId of ordinals.keys()) this.#removeParagraph(blockId, id);
      this.#chapters.delete(id);
    }
    for (const id of this.#facts) {
      if (factIds.has(id)) continue;
      for (const passage of factPassages({ id })) this.#put(this.#cast, passage);
      this.#facts.delete(id);
    }
  }

  /**
   * Finds the best chapters and facts; the query is trimmed, not blank, at most 500 characters. `chapterId`: of chapters
   * that one alone, with an excerpt of everything in it that answers.
   */
  find(query: string, limit: number, chapterId?: string): SearchResult {
    const question = readQuestion(query);
    const isStemmed = this.#isStemmed || this.#isEnglish();
    const both = { most: limit, isStemmed, isKnown: (word: string) => this.#isKnown(word, isStemmed) };
    const facts = rank(this.#cast, question, { ...CAST, ...both });
    const chapters = rank(this.#prose, question, {
      ...both,
      bestShare: 0.75,
      mayRelax: facts.completeCount === 0,
      dropsOwner: false,
      rankOf: (id) => this.#chapter(id).position,
      ordinalOf: ({ owner, key }) => this.#chapter(owner).ordinals.get(key),
    });
    const relaxed = chapters.completeCount + facts.completeCount === 0;
    const counted = ({ count, completeCount }: Ranking): number => (relaxed ? count : completeCount);
    const total = counted(chapters) + counted(facts);
    const places = share(limit, counted(chapters), counted(facts));
    const excerpts = chapterId === undefined ? EXCERPTS : Infinity;
    return {
      query,
      limit,
      total,
      relaxed: relaxed && total > 0,
      ignored: [...question.ignored],
      chapters: chapters.answers
        .slice(0, places.chapters)
        .filter(({ owner }) => chapterId === undefined || owner === chapterId)
        .map((answer) => chapterHit(answer, chapters.highlights, excerpts)),
      facts: facts.answers.slice(0, places.facts).map((answer) => factHit(answer, facts.highlights)),
    };
  }

  /** How many paragraphs it holds. */
  get paragraphCount(): number {
    const ids = [...this.#chapters.values()].flatMap(({ ordinals }) => [...ordinals.keys()]);
    return ids.filter((blockId) => this.#prose.get(blockId) !== undefined).length;
  }

  /** Heap that the index holds, in bytes, estimated from its terms and texts. */
  get bytes(): number {
    const ofTerms = [this.#prose, this.#cast].map(
      ({ termCount, occurrences, count }) =>
        termCount * BYTES.term + occurrences * BYTES.occurrence + count * BYTES.passage,
    );
    return ofTerms.reduce((sum, bytes) => sum + bytes, this.#characters * 2);
  }

  /** What is known of a chapter; one that was never put comes last. */
  #chapter(id: string): Chapter {
    return this.#chapters.get(id) ?? { position: Number.MAX_SAFE_INTEGER, ordinals: new Map() };
  }

  /** Puts a passage, or removes it if its text is empty. Returns false if it is there already. */
  #put(to: Passages, passage: IndexedPassage): boolean {
    const before = to.get(passage.key);
    if ((before?.text ?? "") === passage.text && (before?.owner ?? passage.owner) === passage.owner)
      return false;
    if (before !== undefined) to.remove(passage.key);
    if (passage.text !== "") to.add(passage);
    this.#characters += passage.text.length - (before?.text.length ?? 0);
    return true;
  }

  /** Removes a paragraph, unless another chapter holds it by now. */
  #removeParagraph(key: string, owner: string): void {
    if (this.#prose.get(key)?.owner !== owner) return;
    this.#put(this.#prose, { owner, key, field: "prose", text: "", weight: 1 });
  }

  #isEnglish(): boolean {
    const { count } = this.#prose;
    return count < FEWEST || this.#prose.frequency("the") >= count * ENGLISH_SHARE;
  }

  /** True if the word, or with stems its kin, stands in the prose or the cast. */
  #isKnown(word: string, isStemmed: boolean): boolean {
    return [this.#prose, this.#cast].some((passages) =>
      [word, ...(isStemmed ? passages.vocabulary.kin(word) : [])].some((one) => passages.frequency(one) > 0),
    );
  }
}

/** How facts are ranked: by all of their fields, and strictly. */
const CAST: Omit<Manner, "most" | "isStemmed" | "isKnown"> = {
  bestShare: 0.5,
  mayRelax: false,
  dropsOwner: true,
  rankOf: () => 0,
  ordinalOf: () => undefined,
};

/** Places under one limit: facts a quarter, at least one; what either leaves free the other takes. */
function share(limit: number, chapters: number, facts: number): { chapters: number; facts: number } {
  const reserved = Math.min(facts, Math.max(1, Math.floor(limit * FACT_SHARE)));
  const forChapters = Math.min(chapters, limit - reserved);
  return { chapters: forChapters, facts: Math.min(facts, limit - forChapters) };
}

function heading(chapterId: string, field: "title" | "synopsis", text: string): IndexedPassage {
  return { owner: chapterId, key: `${field} ${chapterId}`, field, text, weight: 1 };
}

function chapterHit(answer: Answer, highlights: Highlights, most: number): ChapterHit {
  const excerpts = answer.hits.slice(0, most).map(({ passage }) => ({
    blockId: passage.field === "prose" ? passage.key : null,
    ...excerpt(passage.text, highlights.find(passage.text)),
  }));
  return { chapterId: answer.owner, score: answer.score, matchCount: answer.hits.length, excerpts };
}

function factHit(answer: Answer, highlights: Highlights): FactHit {
  return { id: answer.owner, score: answer.score, matchedOn: matchedFields(answer, highlights) };
}
