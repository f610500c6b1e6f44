import { Chapter } from "./chapter.ts";
import { excerpt } from "./excerpt/excerpt.ts";
import type { Highlights } from "./excerpt/highlights.ts";
import { factPassages, matchedFields } from "./facts.ts";
import { type IndexedPassage, NO_SLOT, Passages } from "./index/passages.ts";
import { englishStem, type Stem, stemOf } from "./index/stem.ts";
import { readQuestion, type SearchQuestion } from "./query/question.ts";
import { type Answer, type Ranking, rank } from "./ranking/ranking.ts";
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

/**
 * One book, searched: paragraphs, titles and synopses by chapter, and the cast. Kept in memory and in step by its
 * caller; after any changes it answers as an index made afresh. A thrown error leaves it unfit: make it anew. 120,000
 * words take 0.15 s to enter and 20 bytes each. Source: docs/decisions/005-search.md.
 */
export class BookIndex {
  readonly #stem: Stem | undefined;
  readonly #prose: Passages;
  readonly #cast: Passages;
  readonly #paragraphs = new Map<string, IndexedPassage>();
  readonly #chapters = new Map<string, Chapter>();
  readonly #facts = new Map<string, IndexedPassage[]>();
  #characters = 0;

  /** `stem` returns the stem of a folded word; without it the language that the book is in decides. */
  constructor({ stem }: { stem?: Stem } = {}) {
    this.#stem = stem;
    this.#prose = new Passages(stem ?? englishStem);
    this.#cast = new Passages(stem ?? englishStem);
  }

  /** Enters a paragraph or replaces it; no work on the index if text and chapter are the same. About 0.1 ms. */
  putParagraph(entry: SearchedParagraph): void {
    const { blockId: key, chapterId: owner, text, place } = entry;
    const before = this.#paragraphs.get(key);
    if (before?.text !== text || before.owner !== owner) {
      const passage = { owner, key, field: "prose", text, weight: 1, slot: NO_SLOT };
      if (before === undefined) this.#prose.add(passage);
      else this.#prose.replace(before, passage);
      if (before !== undefined && before.owner !== owner) this.#chapters.get(before.owner)?.remove(key);
      this.#characters += text.length - (before?.text.length ?? 0);
      this.#paragraphs.set(key, passage);
    }
    this.#chapter(owner).put(key, place);
  }

  /** As `putParagraph`, some 100 words of a long one at each step; nothing may be asked before the last. */
  *putInSteps(entry: SearchedParagraph): Generator<void> {
    const { blockId: key, chapterId: owner, text, place } = entry;
    if (this.#paragraphs.has(key)) return this.putParagraph(entry);
    const passage = { owner, key, field: "prose", text, weight: 1, slot: NO_SLOT };
    yield* this.#prose.addInSteps(passage);
    this.#characters += text.length;
    this.#paragraphs.set(key, passage);
    this.#chapter(owner).put(key, place);
  }

  /** Takes a paragraph out; an unknown id changes nothing. */
  removeParagraph(blockId: string): void {
    const before = this.#paragraphs.get(blockId);
    if (before === undefined) return;
    this.#remove(this.#prose, before);
    this.#paragraphs.delete(blockId);
    this.#chapters.get(before.owner)?.remove(blockId);
  }

  /** Enters a chapter's title, synopsis and position, or replaces them; its paragraphs stay. */
  putChapter(entry: SearchedChapter): void {
    const chapter = this.#chapter(entry.chapterId);
    chapter.position = entry.position;
    const heading = headingPassages(entry);
    if (sameTexts(heading, chapter.heading)) return;
    for (const passage of chapter.heading) this.#remove(this.#prose, passage);
    for (const passage of heading) this.#add(this.#prose, passage);
    chapter.heading = heading;
  }

  /** Takes a chapter out with its paragraphs; an unknown id changes nothing. */
  removeChapter(chapterId: string): void {
    const chapter = this.#chapters.get(chapterId);
    if (chapter === undefined) return;
    for (const passage of chapter.heading) this.#remove(this.#prose, passage);
    for (const blockId of chapter.blockIds()) this.removeParagraph(blockId);
    this.#chapters.delete(chapterId);
  }

  /** Enters a fact or replaces it. */
  putFact(entry: SearchedFact): void {
    const passages = factPassages(entry);
    const before = this.#facts.get(entry.id) ?? [];
    if (before.length > 0 && sameTexts(passages, before)) return;
    this.removeFact(entry.id);
    for (const passage of passages) this.#add(this.#cast, passage);
    this.#facts.set(entry.id, passages);
  }

  /** Takes a fact out; an unknown id changes nothing. */
  removeFact(id: string): void {
    for (const passage of this.#facts.get(id) ?? []) this.#remove(this.#cast, passage);
    this.#facts.delete(id);
  }

  /**
   * The best chapters and facts; the query is trimmed, not blank, at most 500 characters. `chapterId`: of chapters that one
   * alone, with an excerpt of everything in it that answers.
   */
  find(query: string, limit: number, chapterId?: string): SearchResult {
    const stem = this.#stem ?? stemOf(this.#prose);
    for (const { vocabulary } of [this.#prose, this.#cast]) vocabulary.stemBy(stem);
    const question = readQuestion(query);
    const facts = this.#rankFacts(question, limit);
    const chapters = this.#rankChapters(question, facts.completeCount === 0, limit);
    const relaxed = chapters.completeCount + facts.completeCount === 0;
    const counted = ({ count, completeCount }: Ranking): number => (relaxed ? count : completeCount);
    const total = counted(chapters) + counted(facts);
    const places = share(limit, counted(chapters), counted(facts));
    return {
      query,
      limit,
      total,
      relaxed: relaxed && total > 0,
      ignored: [...question.ignored],
      chapters: chapters.answers
        .slice(0, places.chapters)
        .filter(({ owner }) => chapterId === undefined || owner === chapterId)
        .map((answer) =>
          chapterHit(answer, chapters.highlights, chapterId === undefined ? EXCERPTS : Infinity),
        ),
      facts: facts.answers.slice(0, places.facts).map((answer) => factHit(answer, facts.highlights)),
    };
  }

  /** How many paragraphs it holds. */
  get paragraphCount(): number {
    return this.#paragraphs.size;
  }

  /** Heap that the index holds, in bytes, estimated from its terms and texts. */
  get bytes(): number {
    const terms = this.#prose.termCount + this.#cast.termCount;
    const words = this.#prose.vocabulary.size + this.#cast.vocabulary.size;
    const pieces = this.#prose.pieceCount + this.#cast.pieceCount;
    return terms * 4 + words * 400 + pieces * 500 + this.#characters * 2;
  }

  #chapter(chapterId: string): Chapter {
    const before = this.#chapters.get(chapterId);
    if (before !== undefined) return before;
    const chapter = new Chapter();
    this.#chapters.set(chapterId, chapter);
    return chapter;
  }

  #add(to: Passages, passage: IndexedPassage): void {
    to.add(passage);
    this.#characters += passage.text.length;
  }

  #remove(from: Passages, passage: IndexedPassage): void {
    from.remove(passage);
    this.#characters -= passage.text.length;
  }

  readonly #known = (word: string): boolean =>
    [this.#prose, this.#cast].some(({ vocabulary }) => vocabulary.familyFrequency(word) > 0);

  #rankChapters(question: SearchQuestion, mayRelax: boolean, most: number): Ranking {
    return rank(this.#prose, question, {
      most,
      bestShare: 0.75,
      mayRelax,
      dropsOwner: false,
      known: this.#known,
      rankOf: (chapterId) => this.#chapters.get(chapterId)?.position ?? 0,
      ordinalOf: (passage) => this.#chapters.get(passage.owner)?.ordinalOf(passage.key),
    });
  }

  #rankFacts(question: SearchQuestion, most: number): Ranking {
    return rank(this.#cast, question, {
      most,
      bestShare: 0.5,
      mayRelax: false,
      dropsOwner: true,
      known: this.#known,
      rankOf: () => 0,
      ordinalOf: () => undefined,
    });
  }
}

/** Places under one limit: facts a quarter, at least one; what either leaves free the other takes. */
function share(limit: number, chapters: number, facts: number): { chapters: number; facts: number } {
  const reserved = Math.min(facts, Math.max(1, Math.floor(limit * FACT_SHARE)));
  const forChapters = Math.min(chapters, limit - reserved);
  return { chapters: forChapters, facts: Math.min(facts, limit - forChapters) };
}

function headingPassages(entry: SearchedChapter): IndexedPassage[] {
  const { chapterId: owner, title, synopsis } = entry;
  const passages = [
    { owner, key: `title ${owner}`, field: "title", text: title, weight: 1, slot: NO_SLOT },
    { owner, key: `synopsis ${owner}`, field: "synopsis", text: synopsis, weight: 1, slot: NO_SLOT },
  ];
  return passages.filter(({ text }) => text !== "");
}

function sameTexts(left: readonly IndexedPassage[], right: readonly IndexedPassage[]): boolean {
  if (left.length !== right.length) return false;
  return left.every(({ field, text }, index) => right[index]?.field === field && right[index].text === text);
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
