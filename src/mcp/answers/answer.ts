import type { AnswerOf } from "../../contract/index.ts";
import { oneLine } from "../../text/columns.ts";
import { largest } from "../../text/extremes.ts";
import { cutTokens, weighTokens } from "../../text/weigh-tokens.ts";

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
  /** How long the whole list is. */
  total: number;
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
    const how = (characters: number) => `(${characters} characters more: give from ${from} and limit 1)`;
    lines.push(left < 0 ? cutTokens(line, tokens, how) : line);
    if (left < 0) break;
  }
  const last = from - 1 + lines.length;
  const next = last < items.length ? last + 1 : undefined;
  return { lines, first: from, last, next, total: items.length };
}

/** What a page says of the rest of its list: " More: from 41.", that there is nothing so far on, or nothing. */
export function moreOf({ next, first, last, total }: ListPage): string {
  if (first > last && total > 0) return ` There is no ${first}: from goes to ${total}.`;
  return next === undefined ? "" : ` More: from ${next}.`;
}

const NOTE_CHARACTERS = 600;
const QUOTE_CHARACTERS = 80;

/** A note in one line: "note sn_…: Too dark?"; a long one is told of by its beginning, unless all of it is asked for. */
export function noteLine(note: AnswerOf<"createSnippet">["snippet"], isWhole = false): string {
  const { id, kind, text, url, items, author, quote, replies, resolved, detached } = note;
  const entries = items?.map((item) => `${item.done ? "[x]" : "[ ]"} ${item.text}`).join("; ") ?? "";
  const said = author === null ? "" : `${author}:`;
  const about = quote === null ? "" : `(about “${oneLine(quote, QUOTE_CHARACTERS)}”)`;
  const answers = replies.map((reply) => `${reply.author} answered: ${reply.text}`);
  const content = [said, text ?? "", entries, url ?? "", about, ...answers, resolved ? "(resolved)" : ""]
    .filter(Boolean)
    .join(" ");
  const lost =
    detached === null ? "" : ` (its paragraph is gone: “${oneLine(detached.quote, QUOTE_CHARACTERS)}”)`;
  return `${kind} ${id}: ${oneLine(content, isWhole ? Infinity : NOTE_CHARACTERS)}${lost}`;
}
