import { BadRequest } from "../../refusals.ts";
import { counted } from "../../text/columns.ts";
import { splitRuby } from "../../text/ruby.ts";
import type { SkippedFile } from "../book-files.ts";
import { splitFrontMatter } from "../front-matter.ts";
import type { LayoutBook } from "../layouts/layout.ts";

// What a reader makes of a source is compared with the source's own text, so that no reader can lose text without a word.
// Letters count; digits, signs, blanks and markup do not: lists and notes are numbered anew.

/** Letters that may be missing in one place, and of a whole source. */
const MOST_IN_A_PLACE = 100;
const MOST_OF_ALL = 0.002;
/** Shorter pieces are found by chance, even near their place. */
const SHORTEST = 4;
/** Pieces so long are hardly ever found by chance. */
const LONG_ENOUGH = 24;

/**
 * Compares the text of a book's sources with what came in and what was left out by name. Returns small losses as files
 * that are taken in partly. Throws `BadRequest`, naming the place, for a larger one, unless it is accepted.
 */
export function assertWhole(
  { sources = [], ...book }: LayoutBook,
  { acceptsLoss = false }: { acceptsLoss?: boolean | undefined },
): SkippedFile[] {
  const same = new Set(book.chapters.map(({ text }) => text));
  let incoming: string | undefined;
  return sources.flatMap((source): SkippedFile[] => {
    const text = source.text();
    if (same.has(text)) return []; // it came in as it lay
    incoming ??= plain(bare(textsOf(book).join("\n")));
    const { missing, first, isLarge } = missingIn(splitFrontMatter(text).body, incoming);
    if (missing === 0) return [];
    const quote = `“${first.length > 60 ? `${first.slice(0, 60).toWellFormed()}…` : first}”`;
    if (isLarge && !acceptsLoss)
      throw new BadRequest(
        `${source.name}: ${missing} or more letters of its text would be lost, first in ${quote}. Nothing was imported; --accept-loss imports the rest.`,
      );
    const letters = isLarge ? `${missing} or more letters` : counted(missing, "letter");
    const reason = `${letters} of its text ${missing === 1 ? "is" : "are"} not in the book, first in ${quote}`;
    return [{ file: source.name, reason, isKnown: true, isPartly: true }];
  });
}

/** Returns all texts that came in, and those that were left out by name. */
function textsOf({
  chapters,
  notes = [],
  facts = [],
  skipped,
  ...book
}: Omit<LayoutBook, "sources">): string[] {
  return [
    book.fallbackTitle ?? "",
    ...chapters.flatMap(({ title, part, text, synopsis }) => [title ?? "", part ?? "", synopsis ?? "", text]),
    ...notes.flatMap(({ text, about, author, replies = [] }) => [
      text ?? "",
      about ?? "",
      author ?? "",
      ...replies.flatMap((reply) => [reply.author, reply.text]),
    ]),
    ...facts.map((fact) => JSON.stringify(fact)),
    ...skipped.flatMap(({ reason, text = "" }) => [reason, text]),
  ];
}

/** Drops what is added within a paragraph: labels of footnotes, addresses, entities. Readings of words go to the end. */
function bare(markdown: string): string {
  const parts = splitRuby(
    markdown.replace(/\[\^[^\]\s]{1,200}\]|(?<!\\)\]\([^()\n]*\)|(?<!\\)&#?\w{1,20};/g, ""),
  );
  const readings = parts.flatMap((part) => (typeof part === "string" ? [] : part.reading));
  return [...parts.map((part) => (typeof part === "string" ? part : part.base)), ...readings].join("");
}

function plain(text: string): string {
  return text.normalize("NFC").replace(/\P{L}+/gu, "");
}

interface Missing {
  /** Letters that are missing; fewer than there are once the loss is large. */
  missing: number;
  /** The paragraph of the first of them. */
  first: string;
  isLarge: boolean;
}

/** Looks for each paragraph of a source, in order, in what came in. Linear time, for it stops at a large loss. */
function missingIn(text: string, incoming: string): Missing {
  const most = Math.max(1, plain(text).length * MOST_OF_ALL);
  const times = new Map<string, number>();
  let cursor = 0;
  let missing = 0;
  let first = "";
  let inPlace = 0;
  for (const paragraph of text.split(/\n+/)) {
    const words = plain(paragraph);
    if (words === "") continue;
    const count = (times.get(words) ?? 0) + 1;
    times.set(words, count);
    const found = findFrom(incoming, words, cursor);
    if (found >= 0) cursor = found + words.length;
    const isDouble =
      found >= 0 && count > 1 && words.length >= LONG_ENOUGH && incoming.split(words).length <= count;
    const lost = isDouble ? words.length : found >= 0 ? 0 : lostOf(words, incoming, cursor);
    if (lost > 0 && missing === 0) first = paragraph.trim().replace(/\s+/g, " ");
    missing += lost;
    inPlace = lost === 0 ? 0 : inPlace + lost;
    if (inPlace > MOST_IN_A_PLACE) return { missing, first, isLarge: true };
  }
  return { missing, first, isLarge: missing > most };
}

function findFrom(incoming: string, words: string, cursor: number): number {
  const near = incoming.indexOf(words, cursor);
  return near >= 0 ? near : incoming.indexOf(words);
}

/** Counts the letters of a paragraph that are not, in their order, where most of it came in. */
function lostOf(words: string, incoming: string, cursor: number): number {
  const anchor = anchorOf(words, incoming);
  const start = Math.max(0, (anchor ?? cursor) - 200);
  const near = incoming.slice(start, start + 2 * words.length + 600);
  let lost = 0;
  let from = 0;
  for (let at = 0; at < words.length; ) {
    const place = (length: number) => near.indexOf(words.slice(at, at + length), from);
    let length = Math.min(SHORTEST, words.length - at);
    if (place(length) < 0) {
      lost++;
      at++;
      continue;
    }
    for (let step = words.length - at - length; step >= 1; step = Math.floor(step / 2))
      while (length + step <= words.length - at && place(length + step) >= 0) length += step;
    from = place(length) + length;
    at += length;
  }
  // Of a paragraph that is gone, some letters are found by chance.
  return lost > words.length / 2 ? words.length : lost;
}

/** Returns where a paragraph begins by the first piece of it that came in; undefined if none did. */
function anchorOf(words: string, incoming: string): number | undefined {
  for (let at = 0; at + LONG_ENOUGH <= words.length && at < 10 * LONG_ENOUGH; at += LONG_ENOUGH) {
    const found = incoming.indexOf(words.slice(at, at + LONG_ENOUGH));
    if (found >= 0) return found - at;
  }
  return undefined;
}
