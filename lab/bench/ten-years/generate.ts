import type { BlockId, BookId, ChapterId } from "../../../src/ids.ts";
import { createSnippet } from "../../../src/service/annotations/snippets.ts";
import { createBook } from "../../../src/service/books/books.ts";
import { createChapter } from "../../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../../src/service/books/read-chapter.ts";
import { createMilestone } from "../../../src/service/history/milestones.ts";
import type { Caller, Manuscript } from "../../../src/service/manuscript.ts";
import { replaceParagraph } from "../../../src/service/prose/replace-paragraph.ts";
import { randomFrom } from "../../../test/support/random.ts";

/** How much was written in the years. */
export interface Years {
  books: number;
  wordsPerBook: number;
  saves: number;
  notes: number;
  milestones: number;
}

/** A book as the years left it. */
export interface WrittenBook {
  id: BookId;
  chapters: { id: ChapterId; blockIds: BlockId[] }[];
  /** The texts of all paragraphs, by `blockId`. */
  texts: Map<BlockId, string>;
}

const caller: Caller = { source: "page" };
const PARAGRAPH_WORDS = 120;
const CHAPTER_PARAGRAPHS = 25;

const YEARS_MS = 10 * 365 * 86_400_000;
const SAVE_MS = 20_000;
/** Saves of a sitting, on average. */
const SITTING = 65;

/** A clock that the writing moves on: ten years from its first look to the last save. */
export class YearsClock {
  #now = Date.now() - YEARS_MS;
  readonly #pause: number;

  constructor(saves: number) {
    this.#pause = Math.max(0, (YEARS_MS - saves * SAVE_MS) / (saves / SITTING));
  }

  readonly now = (): number => this.#now;

  save(): void {
    this.#now += SAVE_MS;
  }

  rest(): void {
    this.#now += this.#pause;
  }
}

/**
 * Writes novels as people do: sittings of one chapter, in which a save follows every few words that are typed, taken back or
 * put in between. Returns what stands at the end.
 */
export function writeYears(
  manuscript: Manuscript,
  years: Years,
  clock: YearsClock,
  seed: number,
): WrittenBook[] {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const some = (count: number) => Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(" ");
  const books = Array.from({ length: years.books }, (_, index) => {
    const { id } = createBook(manuscript, { title: `Novel ${index + 1}` }, caller);
    const book: WrittenBook = { id, chapters: [], texts: new Map() };
    for (let words = 0; words < years.wordsPerBook; words += PARAGRAPH_WORDS * CHAPTER_PARAGRAPHS) {
      const texts = Array.from({ length: CHAPTER_PARAGRAPHS }, () => `${some(PARAGRAPH_WORDS)}.`);
      const title = `Chapter ${book.chapters.length + 1}`;
      const chapter = createChapter(manuscript, id, { title, markdown: texts.join("\n\n") }, caller);
      const answer = readChapterAnswer(manuscript, chapter.id, { format: "doc" });
      const content = ("doc" in answer ? answer.doc.content : []) as unknown as {
        attrs: { blockId: string };
      }[];
      const blockIds = content.map(({ attrs }) => attrs.blockId);
      book.chapters.push({ id: chapter.id, blockIds });
      for (const [at, blockId] of blockIds.entries()) book.texts.set(blockId, texts[at] ?? "");
    }
    return book;
  });
  const pick = <T>(list: readonly T[]) => list[below(list.length)]!; // none is empty
  const [noteEvery, milestoneEvery] = [years.saves / years.notes, years.saves / years.milestones].map(
    Math.ceil,
  );
  for (let saved = 0; saved < years.saves; ) {
    const book = pick(books);
    const { id: chapterId, blockIds } = pick(book.chapters);
    let blockId = pick(blockIds);
    let cursor = Number.MAX_SAFE_INTEGER;
    clock.rest();
    for (let left = 5 + below(120); left > 0 && saved < years.saves; left--, saved++) {
      if (below(20) === 0) [blockId, cursor] = [pick(blockIds), Number.MAX_SAFE_INTEGER];
      clock.save();
      const words = (book.texts.get(blockId) ?? "").split(" ");
      if (cursor > words.length) cursor = below(words.length);
      // A paragraph that has grown long loses words more often than it gets some.
      const isCut = below(2 * PARAGRAPH_WORDS) < words.length - PARAGRAPH_WORDS / 2;
      const count = 1 + below(6);
      if (isCut) words.splice(Math.max(0, cursor - count), count);
      else words.splice(cursor, 0, ...some(count).split(" "));
      cursor = isCut ? Math.max(0, cursor - count) : cursor + count;
      const markdown = words.join(" ") || some(1);
      replaceParagraph(manuscript, { chapterId, blockId }, { markdown }, caller);
      book.texts.set(blockId, markdown);
      if (saved % noteEvery! === 0)
        createSnippet(manuscript, book.id, { kind: "note", text: some(8), chapterId, blockId }, caller);
      if (saved % milestoneEvery! === 0)
        createMilestone(manuscript, book.id, { name: `Draft at ${saved}` }, caller);
    }
  }
  return books;
}

const WORDS =
  "the a and of to in he she it was had said but not with his her on at for as that from by they over under into little old grey long slow morning evening harbour ferry lamp letter window kitchen garden winter river bridge stone rope bell tide door table chair hand face voice silence mother father sister brother friend stranger captain doctor children horse dog road hill wood field rain snow wind light shadow nothing something always never again perhaps before after while because though whispered answered laughed turned waited walked opened closed carried remembered forgot looked listened believed wondered".split(
    " ",
  );
