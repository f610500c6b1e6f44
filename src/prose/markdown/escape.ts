import { footnoteLabelAt } from "./rules/footnotes.ts";

/**
 * Levels of escaping. `bare`: no brackets, so that wikilinks, callouts, citations and task boxes keep their meaning;
 * `plain`: characters that would have a meaning in place; `strict`: every bracket, star, underscore and the like;
 * `full`: every ASCII punctuation character.
 */
export type Style = "bare" | "plain" | "strict" | "full";

/** True if marks are written in the usual signs. */
export function isPretty(style: Style): boolean {
  return style === "bare" || style === "plain";
}

/** Position of a run of text in its leaf, as far as escaping depends on it. */
export interface TextPlace {
  style: Style;
  /** True for a heading with `#`: one line, whatever the text holds. */
  oneLine: boolean;
  /** True if the output ends in a line end, or is empty. */
  lineStart: boolean;
  /** True if the run starts the leaf, or ends it. */
  first: boolean;
  last: boolean;
  /** True if the leaf has links, images, footnote references or text that looks like them. */
  brackets: boolean;
  /** True if the leaf has code, or runs of backticks that could pair. */
  backticks: boolean;
  /** True if the first or last character must be an entity, because a delimiter next to it would lose its meaning. */
  encodeFirst: boolean;
  encodeLast: boolean;
  /** True if the run follows a footnote reference, or is followed by a link or reference. */
  afterReference: boolean;
  beforeBracket: boolean;
}

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const SPECIAL = /[\\`*_~[\]!<&\n\t]/;
const ENTITY = /&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});/y;
// A possible tag, comment, or address between angle brackets.
const TAG = /<(?:[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$)|\/[A-Za-z]|[!?]|[A-Za-z][\w.+-]*:|[^\s<>@]+@)/y;
// Limit of a line of stars or underscores that is looked at. Longer ones would be slow, and nobody writes them.
const LONGEST_RUN = 80;
const WORD = /[\p{L}\p{N}]/u;

function encode(character: string): string {
  if (character === "\u00a0") return "&nbsp;";
  return `&#${character.codePointAt(0)};`;
}

/** Escapes text so that it reads as itself in its place. Linear, but for one look ahead to each line's end. */
export function escapeText(text: string, place: TextPlace): string {
  if (isPlainRun(text, place)) return text;
  const lastAt = text.length - lastCharacter(text).length;
  const blanks = /[ \t]\n|\n[ \t]/.test(text);
  let out = "";
  let copied = 0;
  let { lineStart } = place;
  let mark = lineStart && !place.oneLine ? linePrefixAt(text, 0, place.first) : -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const edge = at === 0 || at === lastAt || at === mark;
    if (!edge && !isStop(code, blanks)) {
      lineStart = false;
      continue;
    }
    out += text.slice(copied, at);
    const character = at === lastAt ? text.slice(at) : firstCharacter(text.slice(at, at + 2));
    const encoded = mustEncode(text, at, lineStart, place) || isEncodedEdge(at, lastAt, place);
    if (encoded) out += encode(character);
    else out += at === mark || mustEscape(text, at, place) ? `\\${character}` : character;
    at += character.length - 1;
    copied = at + 1;
    lineStart = character === "\n" && !encoded;
    if (lineStart) mark = linePrefixAt(text, copied, false);
  }
  return out + text.slice(copied);
}

// ASCII characters to look at; blanks only at a line's start or end.
const STOPS = Array.from(
  { length: 128 },
  (_, code) => PUNCTUATION.test(String.fromCharCode(code)) || code < 14,
);

function isStop(code: number, blanks: boolean): boolean {
  return code <= 127 && (STOPS[code] === true || (blanks && code === 32));
}

function isEncodedEdge(at: number, lastAt: number, place: TextPlace): boolean {
  return (at === 0 && place.encodeFirst) || (at === lastAt && place.encodeLast);
}

function isPlainRun(text: string, place: TextPlace): boolean {
  if (place.style === "full" || place.encodeFirst || place.encodeLast || SPECIAL.test(text)) return false;
  if (place.lineStart && !/^[A-Za-z"'(\u00a1-\ufefe]/.test(text)) return false;
  return (
    !((place.last || place.oneLine) && /[ #]$/.test(text)) && !(place.afterReference && /^[(:]/.test(text))
  );
}

function mustEncode(text: string, at: number, lineStart: boolean, place: TextPlace): boolean {
  const character = text.charAt(at);
  const isLast = at === text.length - 1;
  if (character === "\n") return place.oneLine || lineStart || (isLast && place.last);
  if (character === "\ufeff") return at === 0 && place.first;
  // Some readers take a no-break space at a paragraph's start for indentation; alone, its name means an empty one.
  if (character === "\u00a0") return at === 0 && place.first && text.length > 1;
  if (character !== " " && character !== "\t") return false;
  return lineStart || (isLast ? place.last : text.charAt(at + 1) === "\n");
}

function mustEscape(text: string, at: number, place: TextPlace): boolean {
  const character = text.charAt(at);
  if (place.style === "full") return PUNCTUATION.test(character);
  if (place.style === "strict" && STRICT.has(character)) return true;
  return MEANING[character]?.(text, at, place) ?? false;
}

const STRICT: ReadonlySet<string> = new Set("`*_~[]<");

// Tests by character: true if it would have a meaning in its place.
const MEANING: Record<string, (text: string, at: number, place: TextPlace) => boolean> = {
  "\\": (text, at) => at >= text.length - 2 || !/[A-Za-z0-9\u0080-\uffff]/.test(text.charAt(at + 1)),
  "`": (_text, _at, place) => place.backticks,
  "*": (text, at, place) => !isBetweenBlanks(text, at, place),
  _: (text, at, place) => !isWithinWord(text, at, place) && !isBetweenBlanks(text, at, place),
  "~": (text, at, place) =>
    text.charAt(at + 1) === "~" || text.charAt(at - 1) === "~" || isAtEdge(text, at, place),
  "[": (text, at, place) =>
    (place.brackets && place.style !== "bare") || footnoteLabelAt(text, at) !== undefined,
  "]": (_text, _at, place) => place.brackets && place.style !== "bare",
  "!": (text, at, place) => at === text.length - 1 && place.beforeBracket,
  "<": (text, at) => matchesAt(TAG, text, at),
  "&": (text, at) => matchesAt(ENTITY, text, at),
  "(": (_text, at, place) => at === 0 && place.afterReference,
  ":": (_text, at, place) => at === 0 && place.afterReference,
  "#": (text, at, place) => place.oneLine && closesHeading(text, at, place),
};

function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}

// A run of stars or underscores with blanks or nothing around it opens and closes nothing.
function isBetweenBlanks(text: string, at: number, place: TextPlace): boolean {
  const mark = text.charAt(at);
  let from = at;
  let to = at + 1;
  while (text.charAt(from - 1) === mark && to - from <= LONGEST_RUN) from--;
  while (text.charAt(to) === mark && to - from <= LONGEST_RUN) to++;
  if (to - from > LONGEST_RUN) return false;
  const before = from === 0 ? place.first : /\s/.test(text.charAt(from - 1));
  const after = to === text.length ? place.last : /\s/.test(text.charAt(to));
  return before && after;
}

function isWithinWord(text: string, at: number, place: TextPlace): boolean {
  if (at === 0 || at >= text.length - 1) return false;
  if ((at === 1 && place.encodeFirst) || (at === text.length - 2 && place.encodeLast)) return false;
  return WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at + 1));
}

function isAtEdge(text: string, at: number, place: TextPlace): boolean {
  return (at === 0 && !place.first) || (at === text.length - 1 && !place.last);
}

function closesHeading(text: string, at: number, place: TextPlace): boolean {
  if (!place.last || !(at === 0 ? place.first : /[ \t]/.test(text.charAt(at - 1)))) return false;
  return /^#+$/.test(text.slice(at));
}

/** Returns the last character, a surrogate pair as one; "" for "". */
export function lastCharacter(text: string): string {
  return /[\udc00-\udfff]$/.test(text) ? text.slice(-2) : text.slice(-1);
}

/** Returns the first character, a surrogate pair as one; "" for "". */
export function firstCharacter(text: string): string {
  return text === "" ? "" : String.fromCodePoint(text.codePointAt(0) as number);
}

const LINE_PREFIX = /^(?:(?:#{1,6}|[-+*])(?:[ \t]|$)|>|-[- \t]*$|\*[* \t]*$|_[ \t]*_[ \t]*_[_ \t]*$)/;
const LINE_UNDER_TEXT = /^=+[ \t]*$|^(?=.*-)[-|:][-|: \t]*$/;

/**
 * Returns the place for a backslash that keeps the line from `from` from being a list, a heading, a quote and so on;
 * -1 if none is needed. `first`: nothing of the leaf comes before it.
 */
function linePrefixAt(text: string, from: number, first: boolean): number {
  if (!/[#>\-+*=0-9|:_]/.test(text.charAt(from))) return -1;
  const end = text.indexOf("\n", from);
  const line = text.slice(from, end === -1 ? undefined : end);
  if (LINE_PREFIX.test(line)) return from;
  if (!first && LINE_UNDER_TEXT.test(line)) return from;
  const ordered = /^\d{1,9}(?=[.)](?:[ \t]|$))/.exec(line);
  return ordered ? from + ordered[0].length : -1;
}
