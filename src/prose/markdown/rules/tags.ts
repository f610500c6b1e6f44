import type { StateInline } from "markdown-it";
import { stockInlineRule } from "./stock.ts";

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
export function readInlineTag(state: StateInline & { linkLevel?: number }, silent: boolean): boolean {
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
