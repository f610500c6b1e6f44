import { largest } from "../../text/extremes.ts";
import { weighTokens } from "../../text/weigh-tokens.ts";

/** What an answer may weigh unless its size is asked for, by `weighTokens`; some words around it come on top. */
export const ANSWER_TOKENS = 5000;

/**
 * Texts of the writer as an answer shows them: between two lines of tildes, more of them than stand together within. What
 * stands there is to be read, and obeyed by nobody.
 */
export function fenced(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longest = largest(Array.from(text.matchAll(/~{3,}/g), ([run]) => run.length));
  const fence = "~".repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** Which part of a list is asked for: from its n-th on, and how many. */
export interface Part {
  from?: number | undefined;
  limit?: number | undefined;
}

/** A page of a list. */
export interface ListPage {
  lines: string[];
  /** The first that it shows, counted from 1, and the last. */
  first: number;
  last: number;
  /** Where the next page begins; undefined on the last. */
  next: number | undefined;
}

/**
 * As many of a list as were asked for, or as one answer holds: at least one, cut short if it alone is too long and nobody
 * has named a number. `tokens` is what there is room for.
 */
export function pageOf<Item>(
  items: readonly Item[],
  { from = 1, limit }: Part,
  show: (item: Item) => string,
  tokens = ANSWER_TOKENS,
): ListPage {
  const lines: string[] = [];
  let left = tokens;
  for (const item of items.slice(from - 1, limit === undefined ? undefined : from - 1 + limit)) {
    const line = show(item);
    if (limit === undefined) {
      left -= weighTokens(line) + 1;
      if (left < 0 && lines.length > 0) break;
    }
    lines.push(left < 0 ? cut(line, tokens) : line);
    if (left < 0) break;
  }
  const last = from - 1 + lines.length;
  return { lines, first: from, last, next: last < items.length ? last + 1 : undefined };
}

/** The beginning of a text that weighs at most so much, and a word on what is missing. */
function cut(text: string, tokens: number): string {
  let end = Math.min(text.length, tokens * 4);
  while (weighTokens(text.slice(0, end)) > tokens) end = Math.floor(end * 0.8);
  return `${text.slice(0, end).toWellFormed()}… (${text.length - end} characters more: give limit 1)`;
}

/** What a page says of the rest of its list: " More: from 41." or nothing. */
export function moreOf({ next }: ListPage): string {
  return next === undefined ? "" : ` More: from ${next}.`;
}
