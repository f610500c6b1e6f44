import { factPassages, matchedFields } from "./facts.ts";
import { type IndexedPassage, Passages } from "./index/passages.ts";
import { englishStem, type Stem } from "./index/vocabulary.ts";
import { type Answer, type Manner, type Ranking, rank } from "./ranking/ranking.ts";
import { excerpt } from "./reading/excerpt.ts";
import type { Highlights } from "./reading/highlights.ts";
import { readQuestion } from "./reading/question.ts";
import type {
  ChapterHit,
  FactHit,
  SearchedChapter,
  SearchedFact,
  SearchedParagraph,
  SearchResult,
} from "./types.ts";

const EXCERPTS = 3;
/** Share of a limit that facts may take while chapters want it. */
const FACT_SHARE = 0.25;
/** Below this many passages a book counts as English. */
const FEWEST = 20;
/** Seven of ten paragraphs of an English novel hold "the", and next to none in any other language. */
const ENGLISH_SHARE = 0.1;
/** Heap that MiniSearch takes for a distinct term, for an occurrence of one, and for a passage, measured. */
const BYTES = { term: 400, occurrence: 42, passage: 500 };

/** A chapter's rank, and the order of its paragraphs. */
interface Chapter {
  position: number;
  /** By block id the place of a paragraph, if it is known. */
  places: Map<string, string | undefined>;
  /** How many paragraphs of known place stand before each; undefined until it is needed. */
  ordinals: ReadonlyMap<string, number> | undefined;
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
  #paragraphCount = 0;
  #characters = 0;

  /** `stem` returns the stem of a folded word; without it English books are stemmed. */
  constructor({ stem }: { stem?: Stem } = {}) {
    this.#isStemmed = stem !== undefined;
    this.#prose = new Passages(stem ?? englishStem);
    this.#cast = new Passages(stem ?? englishStem);
  }

  /** Adds a paragraph or replaces it; the index stays if text and chapter are the same. About 0.1 ms for 100 words. */
  putParagraph({ blockId: key, chapterId: owner, text, place }: SearchedParagraph): void {
    const before = this.#prose.get(key);
    if (before?.text !== text || before.owner !== owner) {
      this.removeParagraph(key);
      this.#put(this.#prose, { owner, key, field: "prose", text, weight: 1 });
      this.#paragraphCount += 1;
    }
    const chapter = this.#chapter(owner);
    if (chapter.places.has(key) && chapter.places.get(key) === place) return;
    chapter.places.set(key, place);
    chapter.ordinals = undefined;
  }

  /** Removes a paragraph; an unknown id changes nothing. */
  removeParagraph(blockId: string): void {
    const before = this.#prose.get(blockId);
    if (before === undefined) return;
    this.#remove(this.#prose, blockId);
    this.#paragraphCount -= 1;
    const chapter = this.#chapter(before.owner);
    chapter.places.delete(blockId);
    chapter.ordinals = undefined;
  }

  /** Adds a chapter's title, synopsis and position, or replaces them; its paragraphs stay. */
  putChapter({ chapterId, position, title, synopsis }: SearchedChapter): void {
    this.#chapter(chapterId).position = position;
    this.#putField(this.#prose, heading(chapterId, "title", title));
    this.#putField(this.#prose, heading(chapterId, "synopsis", synopsis));
  }

  /** Removes a chapter with its paragraphs; an unknown id changes nothing. */
  removeChapter(chapterId: string): void {
    this.#remove(this.#prose, heading(chapterId, "title", "").key);
    this.#remove(this.#prose, heading(chapterId, "synopsis", "").key);
    for (const blockId of this.#chapters.get(chapterId)?.places.keys() ?? []) this.removeParagraph(blockId);
    this.#chapters.delete(chapterId);
  }

  /** Adds a fact or replaces it. */
  putFact(entry: SearchedFact): void {
    for (const passage of factPassages(entry)) this.#putField(this.#cast, passage);
  }

  /** Removes a fact; an unknown id changes nothing. */
  removeFact(id: string): void {
    for (const { key } of factPassages({ id })) this.#remove(this.#cast, key);
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
      ordinalOf: (passage) => this.#ordinalOf(passage),
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
    return this.#paragraphCount;
  }

  /** Heap that the index holds, in bytes, estimated from its terms and texts. */
  get bytes(): number {
    const ofTerms = [this.#prose, this.#cast].map(
      ({ termCount, occurrences, count }) =>
        termCount * BYTES.term + occurrences * BYTES.occurrence + count * BYTES.passage,
    );
    return ofTerms.reduce((sum, bytes) => sum + bytes, this.#characters * 2);
  }

  #chapter(chapterId: string): Chapter {
    let chapter = this.#chapters.get(chapterId);
    if (chapter === undefined) {
      // Last, until its position is known.
      chapter = { position: Number.MAX_SAFE_INTEGER, places: new Map(), ordinals: undefined };
      this.#chapters.set(chapterId, chapter);
    }
    return chapter;
  }

  #ordinalOf({ owner, key }: IndexedPassage): number | undefined {
    const chapter = this.#chapter(owner);
    chapter.ordinals ??= ordered(chapter.places);
    return chapter.ordinals.get(key);
  }

  /** Puts a text that stands once, such as a title; nothing is held of an empty one. */
  #putField(to: Passages, passage: IndexedPassage): void {
    const before = to.get(passage.key);
    if ((before?.text ?? "") === passage.text) return;
    this.#remove(to, passage.key);
    if (passage.text !== "") this.#put(to, passage);
  }

  #put(to: Passages, passage: IndexedPassage): void {
    to.add(passage);
    this.#characters += passage.text.length;
  }

  #remove(from: Passages, key: string): void {
    this.#characters -= from.get(key)?.text.length ?? 0;
    from.remove(key);
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

/** By block id how many paragraphs of known place stand before it. */
function ordered(places: ReadonlyMap<string, string | undefined>): ReadonlyMap<string, number> {
  const placed = [...places].flatMap(([blockId, place]) => (place === undefined ? [] : [{ blockId, place }]));
  placed.sort((a, b) => compare(a.place, b.place) || compare(a.blockId, b.blockId));
  return new Map(placed.map(({ blockId }, ordinal) => [blockId, ordinal]));
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

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
