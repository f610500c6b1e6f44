import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadingBook, ReadingChapter, ShelvedChapter, Span } from "../../src/reading/reading.ts";

/** A span of an excerpt that stands for a name; offsets are UTF-16 in the novel. */
export interface NameSpan {
  from: number;
  to: number;
}

/** A proper name that annotators marked. */
export interface GoldName extends NameSpan {
  kind: "person" | "place";
  chain: string;
  text: string;
}

/** A novel with an annotated excerpt, as a book whose third part is one chapter of its own. */
export interface Novel {
  id: string;
  book: ReadingBook;
  excerpt: ReadingChapter;
  gold: GoldName[];
  /** Offset in the novel of each block's text. */
  offsets: ReadonlyMap<string, number>;
}

interface Annotated {
  id: string;
  book: string;
  start: number;
  excerptLength: number;
  mentions: { from: number; to: number; form: string; type: string; chain: string; text: string }[];
}

const CHAPTER_CHARACTERS = 28_000;
const PLACES = ["GPE", "LOC", "FAC"];

/** The folder that `MANUSCRIPT_LITBANK` names. Throws without one. */
export function litbankFolder(): string {
  const folder = process.env.MANUSCRIPT_LITBANK;
  if (folder === undefined)
    throw new Error("MANUSCRIPT_LITBANK must name the folder of LitBank's novels as JSON.");
  return folder;
}

/** Files of the LitBank folder, in order of name. */
export function litbankFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => /^\d.*\.json$/.test(file)) // quotations.json lies beside them
    .sort()
    .map((file) => join(folder, file));
}

/** Reads one novel; its wrapped lines become paragraphs as an import would make them. */
export function readNovel(file: string): Novel {
  const {
    id,
    book: text,
    start,
    excerptLength,
    mentions,
  } = JSON.parse(readFileSync(file, "utf8")) as Annotated;
  const offsets = new Map<string, number>();
  const end = start + excerptLength;
  const chapters = [...cut(text, 0, start), [start, end] as const, ...cut(text, end, text.length)].map(
    ([from, to], index) => chapterOf(text, { from, to, chapterId: `${id}/${index}` }, offsets),
  );
  const excerpt = chapters[cut(text, 0, start).length]!; // it stands right after what comes before it
  const gold = mentions
    .filter(({ form, type }) => form === "PROP" && (type === "PER" || PLACES.includes(type)))
    .flatMap(({ from, to, type, chain }): GoldName[] => {
      const core = coreOf(text, from + start, to + start);
      if (core === undefined) return [];
      return [
        { ...core, kind: type === "PER" ? "person" : "place", chain, text: text.slice(core.from, core.to) },
      ];
    });
  const book = { bookId: id, cast: [], chapters: chapters.map(shelve) };
  return { id, book, excerpt, gold, offsets };
}

/** Where a proposed occurrence stands in the novel, cut to its core. */
export function placeOf({ offsets }: Novel, { blockId, from, text }: Span): NameSpan | undefined {
  const at = (offsets.get(blockId) ?? 0) + from;
  return coreOf(text, 0, text.length, at);
}

/** A span without leading articles and small words, without trailing small words and "'s"; titles stay. */
function coreOf(text: string, from: number, to: number, shift = 0): NameSpan | undefined {
  const words = [...text.slice(from, to).matchAll(/[^\s]+/g)].map(({ 0: word, index }) => ({
    word,
    at: from + index,
  }));
  while (words.length > 0 && !isProper(words[0]!.word)) words.shift(); // the loop's own condition
  while (words.length > 0 && !isProper(words.at(-1)!.word)) words.pop();
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const lead = /^[^\p{L}\p{N}]*/u.exec(first.word)?.[0].length ?? 0;
  const kept = last.word
    .replace(/['’]s?[^\p{L}\p{N}]*$/u, "")
    .replace(/[^\p{L}\p{N}.]+$/u, "")
    .replace(/(?<!\b(?:Mr|Mrs|Dr|St|Esq|Jr|Sr|[A-Z]))\.+$/u, "");
  return { from: first.at + lead + shift, to: last.at + kept.length + shift };
}

function isProper(word: string): boolean {
  const letters = word.replace(/^[^\p{L}\p{N}]+/u, "");
  return /^\p{Lu}/u.test(letters) && !/^(?:The|A|An|This|That|My|His|Her|Your|Our|Their)$/.test(letters);
}

/** Parts of about a chapter's length, cut between paragraphs. */
function cut(text: string, from: number, to: number): (readonly [number, number])[] {
  const parts: (readonly [number, number])[] = [];
  for (let at = from; at < to; ) {
    const gap = text.indexOf("\n\n", at + CHAPTER_CHARACTERS);
    const end = gap < 0 || gap > to ? to : gap;
    parts.push([at, end]);
    at = end;
  }
  return parts;
}

function chapterOf(
  text: string,
  { from, to, chapterId }: { from: number; to: number; chapterId: string },
  offsets: Map<string, number>,
): ReadingChapter {
  const blocks: { blockId: string; text: string }[] = [];
  for (const { 0: paragraph, index } of text.slice(from, to).matchAll(/\S(?:.|\n(?!\s*\n))*/g)) {
    const blockId = `${chapterId}/${blocks.length}`;
    offsets.set(blockId, from + index);
    blocks.push({ blockId, text: paragraph.replace(/\n/g, " ") });
  }
  return { chapterId, revision: 1, title: chapterId, blocks };
}

function shelve(chapter: ReadingChapter): ShelvedChapter {
  const { chapterId, revision, title } = chapter;
  return { chapterId, revision, title, read: () => chapter };
}
