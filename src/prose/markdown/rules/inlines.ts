import type { MarkdownIt, StateInline, Token } from "markdown-it";
import { LIMITS } from "../../../contract/limits.ts";
import { isSafeUrl } from "../../document/attributes.ts";
import { type RoomLeft, tooManyNodes } from "../../document/room.ts";
import { footnoteLabelAt } from "./footnotes.ts";
import { stockInlineRule } from "./stock.ts";

const link = stockInlineRule("link");
const image = stockInlineRule("image");
const entity = stockInlineRule("entity");

const SPECIAL = /[\\`*_[<&~]/;
const BLANK_AT_END = /[ \t]\n|\n[ \t]/;

/** True if inline Markdown is plain text, like two thirds of a novel's paragraphs. */
export function isPlain(text: string): boolean {
  return !SPECIAL.test(text) && !(text.includes("\n") && BLANK_AT_END.test(text));
}

// How many brackets within brackets are looked into for a link: markdown-it's own bound for CommonMark. The bound for
// blocks is ours and higher, and a megabyte of "[" would take four times as long with it.
const DEEPEST_LABEL = 20;

/**
 * Adds our inline rules: paragraphs without special characters skip all rules, link targets stay as written, a
 * footnote reference may stand in a link's text, a link without text is kept, and no entity can produce a control
 * character.
 */
export function useInlines(md: MarkdownIt): void {
  md.inline.ruler.at("link", readLink);
  md.inline.ruler.at("image", readImage);
  md.inline.ruler.at("entity", readEntity);
  md.inline.ruler.at("html_inline", readInlineTag);
  md.inline.ruler.before("text", "room", refuseTokens);
  md.helpers.parseLinkLabel = findLabelEnd;
  md.normalizeLink = (url) => url;
  md.normalizeLinkText = (url) => url;
  md.validateLink = isSafeUrl;
  const skipToken = md.inline.skipToken.bind(md.inline);
  md.inline.skipToken = (state) => {
    const cache = state.cache as Record<number, number>;
    if (state.level >= DEEPEST_LABEL) cache[state.pos] ??= state.posMax + 1;
    skipToken(state);
  };
  const parse = md.inline.parse.bind(md.inline);
  md.inline.parse = (text, parser, env, tokens) => {
    if (!isPlain(text)) parse(text, parser, env, tokens);
    else if (text !== "") {
      const state = new md.inline.State(text, parser, env, tokens);
      state.pending = text;
      state.pushPending();
    }
  };
}

// Two marks and a text make four tokens of a node.
const MOST_TOKENS = 4 * LIMITS.chapterNodes;

function refuseTokens({ tokens }: StateInline): boolean {
  if (tokens.length > MOST_TOKENS) throw tooManyNodes();
  return false;
}

function readLink(state: StateInline, silent: boolean): boolean {
  const { pos: start, tokens } = state;
  const before = tokens.length;
  if (!link(state, silent)) return false;
  if (silent) return true;
  takeTarget(state, before);
  if (tokens.at(-2)?.type !== "link_open") return noteEnd(state);
  tokens.length -= 2;
  state.push("html_inline", "", 0).content = state.src.slice(start, state.pos);
  return true;
}

function readImage(state: StateInline, silent: boolean): boolean {
  const before = state.tokens.length;
  if (!image(state, silent)) return false;
  if (silent) return true;
  takeTarget(state, before);
  return noteEnd(state);
}

// Each use of a definition says its whole target. Counted here, more of them than a chapter takes are never made.
function takeTarget({ tokens, env }: StateInline, before: number): void {
  const { room } = env as { room?: RoomLeft };
  const open = tokens[before]?.attrs ? tokens[before] : tokens[before + 1]; // text may come before it
  for (const [, value] of open?.attrs ?? []) room?.takeCharacters(value.length);
}

// Notes the end of the destination, which no token records.
function noteEnd({ tokens, pos }: StateInline): true {
  const token = tokens.at(-1);
  if (token) token.meta = { end: pos };
  return true;
}

function readEntity(state: StateInline, silent: boolean): boolean {
  if (!entity(state, silent)) return false;
  const token = state.tokens.at(-1);
  if (silent || !token) return true;
  if (token.content === "\r" || token.content === "\f") token.content = token.markup;
  else if (token.content === "\ufffd") token.content = numericCharacter(token.markup) ?? token.content;
  return true;
}

// markdown-it reads noncharacters and C1 controls as U+FFFD; Markdown has them as themselves.
function numericCharacter(markup: string): string | undefined {
  const digits = /^&#(x?)([0-9a-f]+);$/i.exec(markup);
  if (!digits) return undefined;
  const code = Number.parseInt(digits[2] as string, digits[1] ? 16 : 10);
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < 0x80 || code > 0x10ffff || surrogate ? undefined : String.fromCodePoint(code);
}

// As markdown-it's parseLinkLabel, but a footnote reference is passed over instead of being taken for a link.
function findLabelEnd(state: StateInline, start: number, disableNested?: boolean): number {
  const { pos: before, posMax } = state;
  let level = 1;
  let end = -1;
  state.pos = start + 1;
  while (state.pos < posMax) {
    const marker = state.src.charCodeAt(state.pos);
    if (marker === 0x5d && --level === 0) {
      end = state.pos;
      break;
    }
    const at = state.pos;
    state.md.inline.skipToken(state);
    if (marker !== 0x5b) continue;
    if (at === state.pos - 1) level++;
    else if (disableNested && footnoteLabelAt(state.src, at) === undefined) break;
  }
  state.pos = before;
  return end;
}

/** Returns an image's alternative text: its Markdown without marks. */
export function plainText(tokens: readonly Token[]): string {
  let text = "";
  for (const token of tokens) {
    if (token.type === "softbreak" || token.type === "hardbreak") text += "\n";
    else if (token.type === "image") text += plainText(token.children ?? []);
    else if (token.type === "footnote_ref") text += `[^${token.info}]`;
    else text += token.content;
  }
  return text;
}

const stock = stockInlineRule("html_inline");

const OPEN = /<[A-Za-z][A-Za-z0-9-]*/y;
const CLOSE = /<\/[A-Za-z][A-Za-z0-9-]*\s*>/y;
const ATTRIBUTE = /\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?/y;
const END = /\s*\/?>/y;

/** True if an opening or closing tag may begin here. */
export function mayOpenTag(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x3c && /[/A-Za-z]/.test(text.charAt(at + 1));
}

/**
 * Returns the end of the opening or closing tag that begins here; -1 if there is none. Matches attribute by
 * attribute: as one expression, as in markdown-it, a tag of some 100,000 attributes overflows the stack. Source:
 * CommonMark 0.31.2, 6.6.
 */
export function tagEnd(text: string, at: number): number {
  const closed = endOf(CLOSE, text, at);
  if (closed >= 0) return closed;
  let end = endOf(OPEN, text, at);
  if (end < 0) return -1;
  for (let next = end; next >= 0; next = endOf(ATTRIBUTE, text, end)) end = next;
  return endOf(END, text, end);
}

function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** Reads a tag within a line, as markdown-it does; comments and the like are left to it. */
function readInlineTag(state: StateInline & { linkLevel?: number }, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (!mayOpenTag(src, pos)) return stock(state, silent);
  const end = pos + 2 >= posMax ? -1 : tagEnd(src, pos);
  if (end < 0) return false;
  if (!silent) {
    const content = src.slice(pos, end);
    state.push("html_inline", "", 0).content = content;
    // No link is made of an address within a link.
    const level = /^<a[>\s]/i.test(content) ? 1 : /^<\/a\s*>/i.test(content) ? -1 : 0;
    state.linkLevel = (state.linkLevel ?? 0) + level;
  }
  state.pos = end;
  return true;
}
