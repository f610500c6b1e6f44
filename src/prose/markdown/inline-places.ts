import type { Token } from "markdown-it";
import { readReferences, tokenizer } from "./parser.ts";
import { footnoteLabelAt } from "./rules/footnotes.ts";
import { NOTHING } from "./rules/tidy.ts";

/**
 * Place of one item of a leaf in its Markdown, as UTF-16 offsets: a code unit of its text, or another inline node
 * (`text` undefined). Delimiters and link destinations stand between the places.
 */
export interface InlinePlace {
  text: string | undefined;
  from: number;
  to: number;
  /** True for an entity that only guards a following tag or link. The document may not have it. */
  isGuard?: boolean;
}

/** Place of a link: its text between the brackets, and the end of its address, label or bracket. */
export interface LinkPlace {
  from: number;
  textEnd: number;
  to: number;
}

/**
 * Finds the places of everything in a leaf's inline Markdown, in order, and of its links; undefined if the Markdown
 * cannot be followed. `definitions` is Markdown with the link reference definitions in scope. Takes about as long as
 * parsing.
 */
export function readInlinePlaces(
  markdown: string,
  definitions: string,
): { places: InlinePlace[]; links: LinkPlace[] } | undefined {
  const references = readReferences(definitions);
  const tokens: Token[] = [];
  tokenizer.inline.parse(markdown, tokenizer, references ? { references } : {}, tokens);
  const places: InlinePlace[] = [];
  const links: LinkPlace[] = [];
  let at = 0;
  let open = 0;
  let isBehindTag = false;
  for (const token of tokens) {
    const to = endOf(markdown, at, token);
    if (to === undefined) return undefined;
    if (token.type === "softbreak" && isBehindTag) at = to;
    if (token.type === "link_open")
      open = to; // no link holds another
    else if (token.type === "link_close") links.push({ from: open, textEnd: at, to });
    for (const place of placesOf(token, at, to)) places.push(place);
    isBehindTag = token.type === "html_inline" && BREAK_TAG.test(token.content);
    at = to;
  }
  return at === markdown.length ? { places, links } : undefined;
}

const BREAK_TAG = /^<br\s*\/?>$/i;
const LINE_END = / *\n[ \t]*/y;
const HARD_BREAK = /(?:\\| *)\n[ \t]*/y;

/** Returns the end of the Markdown of the token that begins at `at`; undefined if it is not there. */
function endOf(markdown: string, at: number, token: Token): number | undefined {
  const literal = (text: string) => (markdown.startsWith(text, at) ? at + text.length : undefined);
  switch (token.type) {
    case "text":
    case "html_inline":
      return literal(token.content);
    case "softbreak":
      return matchEnd(LINE_END, markdown, at);
    case "hardbreak":
      return matchEnd(HARD_BREAK, markdown, at);
    case "code_inline":
      return endOfCode(markdown, at, token.markup);
    case "image":
      return sourceEnd(token);
    case "footnote_ref":
      return footnoteLabelAt(markdown, at) === undefined ? undefined : literal(`[^${token.info}]`);
    case "link_open":
      return literal(token.markup === "autolink" ? "<" : "[");
    case "link_close":
      return token.markup === "autolink" ? literal(">") : sourceEnd(token);
    default:
      return literal(token.markup); // delimiters, escapes and entities
  }
}

function sourceEnd({ meta }: Token): number | undefined {
  return (meta as { end: number } | null)?.end; // as the rules for links and images leave it
}

function matchEnd(sticky: RegExp, markdown: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(markdown) ? sticky.lastIndex : undefined;
}

function endOfCode(markdown: string, at: number, fence: string): number | undefined {
  if (!markdown.startsWith(fence, at)) return undefined;
  let end = markdown.indexOf(fence, at + fence.length);
  while (end >= 0) {
    let behind = end;
    while (markdown.charAt(behind) === "`") behind++;
    if (behind - end === fence.length) return behind;
    end = markdown.indexOf(fence, behind);
  }
  return undefined;
}

function placesOf(token: Token, from: number, to: number): InlinePlace[] {
  switch (token.type) {
    case "text":
      return lettersOf(token.content, from);
    case "softbreak":
      return from === to ? [] : [{ text: "\n", from, to }];
    case "text_special":
      return specialPlaces(token, from, to);
    case "code_inline": {
      const start = from + token.markup.length;
      const isPadded = to - start - token.markup.length > token.content.length;
      return lettersOf(token.content, start + Number(isPadded));
    }
    case "image":
    case "footnote_ref":
    case "html_inline":
    case "hardbreak":
      return [{ text: undefined, from, to }];
    default:
      return [];
  }
}

function lettersOf(text: string, from: number): InlinePlace[] {
  return Array.from({ length: text.length }, (_, index) => ({
    text: text.charAt(index),
    from: from + index,
    to: from + index + 1,
  }));
}

/** Returns the places of an escaped letter or an entity: each of its code units covers all of it. */
function specialPlaces({ content, markup }: Token, from: number, to: number): InlinePlace[] {
  const isGuard = markup === NOTHING;
  return Array.from({ length: content.length }, (_, index) => ({
    text: content.charAt(index),
    from,
    to,
    isGuard,
  }));
}
