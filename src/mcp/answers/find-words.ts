import { straightened } from "./quotes.ts";

/** How often words stand in a text, and where the first of them do. */
export interface FoundWords {
  count: number;
  from: number;
  to: number;
  /** They stand there with other quotes: straight ones for curly ones, or the other way round. */
  hasOtherQuotes: boolean;
}

/**
 * Where words stand in a text: as they are written; else with other blanks between them, as where a line ends; else with
 * other quotes.
 */
export function findOnce(text: string, words: string): FoundWords {
  const found = findWritten(text, words);
  if (found.count > 0) return { ...found, hasOtherQuotes: false };
  const [plain, wanted] = [straightened(text), straightened(words)];
  if (plain === text && wanted === words) return { ...found, hasOtherQuotes: false };
  return { ...findWritten(plain, wanted), hasOtherQuotes: true };
}

function findWritten(text: string, words: string): Omit<FoundWords, "hasOtherQuotes"> {
  const wanted = words.trim() === "" ? "" : words;
  if (wanted === "") return { count: 0, from: 0, to: 0 };
  const from = text.indexOf(wanted);
  if (from >= 0) {
    let count = 1;
    for (let at = text.indexOf(wanted, from + 1); at >= 0; at = text.indexOf(wanted, at + 1)) count++;
    return { count, from, to: from + wanted.length };
  }
  const found = findSpaced(text, wanted.trim().split(/\s+/));
  return { count: found.length, ...(found[0] ?? { from: 0, to: 0 }) };
}

/** Where words stand one behind the other, whatever blanks are between them. */
function findSpaced(text: string, words: readonly string[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  const [first = ""] = words;
  for (let from = text.indexOf(first); from >= 0; from = text.indexOf(first, from + 1)) {
    const to = endOfWords(text, words, from);
    if (to !== undefined) found.push({ from, to });
  }
  return found;
}

function endOfWords(text: string, words: readonly string[], from: number): number | undefined {
  const blanks = /\s+/y;
  let end = from;
  for (const [index, word] of words.entries()) {
    blanks.lastIndex = end;
    if (index > 0 && !blanks.test(text)) return undefined;
    if (index > 0) end = blanks.lastIndex;
    if (!text.startsWith(word, end)) return undefined;
    end += word.length;
  }
  return end;
}

/** The text that holds most of these words; undefined if none holds half of them. */
export function nearestTo<Item>(
  words: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): Item | undefined {
  const wanted = wordsIn(words);
  let best: Item | undefined;
  let most = Math.max(1, wanted.size / 2) - Number.EPSILON;
  for (const item of items) {
    const own = wordsIn(textOf(item));
    const shared = [...wanted].filter((word) => own.has(word)).length;
    if (shared <= most) continue;
    best = item;
    most = shared;
  }
  return best;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
