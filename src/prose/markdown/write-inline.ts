import type { DocNode } from "../document/types.ts";
import { escapeText, firstCharacter, isPretty, lastCharacter, type Style, type TextPlace } from "./escape.ts";
import { type Delimiters, type Piece, readPieces } from "./inline-pieces.ts";
import { NOTHING } from "./rules/tidy.ts";

const STARS: Delimiters = { em: "*", strong: "**", strike: "~~" };
// One character for each mark: then delimiters of the same kind alternate and cannot be taken for one another.
const DISTINCT: Delimiters = { em: "_", strong: "**", strike: "~~" };

const PUNCTUATION = /[\p{P}\p{S}]/u;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;
const BLANK = /[\t-\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;

/**
 * Writes a leaf's inline content as Markdown, without its mentions. `oneLine`: line breaks as `&#10;` and `<br>`, for
 * a `#` heading. `bare` and `plain` are pretty and nearly always right; `strict` keeps every delimiter apart from
 * letters; `full` also escapes all punctuation. The caller reads it back. Source: CommonMark 0.31.2, 6.2.
 */
export function writeInline(content: readonly DocNode[], style: Style, oneLine: boolean): string {
  const pieces = readPieces(content, isPretty(style) ? STARS : DISTINCT);
  const place = { ...readLeafTraits(content), style, oneLine, lineStart: true };
  const parts: string[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const part = writePiece(pieces, at, place);
    parts.push(part);
    place.lineStart = part.endsWith("\n");
  }
  return parts.join("");
}

type LeafPlace = Pick<TextPlace, "style" | "oneLine" | "lineStart" | "brackets" | "backticks">;

function writePiece(pieces: readonly Piece[], at: number, place: LeafPlace): string {
  const piece = pieces[at] as Piece;
  if (piece.kind === "text") return escapeText(piece.text, placeOf(pieces, at, place));
  if (piece.kind === "break") return writeBreak(pieces, at, place.oneLine);
  const guarded = place.lineStart && !place.oneLine && isGuarded(piece, place.style);
  return guarded ? NOTHING + piece.markdown : piece.markdown;
}

// At the start of a line a tag would make an HTML block, and a link with "]:" in its code a reference definition.
function isGuarded(piece: Piece, style: Style): boolean {
  if (piece.kind !== "atom" || isPretty(style)) return false;
  return piece.node === "raw_inline" || (piece.node === "link_open" && style === "full");
}

function readLeafTraits(content: readonly DocNode[]): Pick<TextPlace, "brackets" | "backticks"> {
  let text = "";
  let brackets = false;
  let backticks = false;
  for (const child of content) {
    const marks = child.marks ?? [];
    backticks ||= marks.some((mark) => mark.type === "code");
    brackets ||=
      child.type !== "text" && child.type !== "hard_break" && !child.attrs?.text?.toString().startsWith("<");
    brackets ||= marks.some((mark) => mark.type === "link");
    text += child.text ?? "";
  }
  return { brackets: brackets || /\][([:]/.test(text), backticks: backticks || pairsBackticks(text) };
}

function pairsBackticks(text: string): boolean {
  const runs = text.match(/`+/g) ?? [];
  return new Set(runs).size < runs.length || /(?:^|\n)`{3,}/.test(text);
}

// Every key by its name: a spread here would cost a paragraph as much as all the rest.
function placeOf(pieces: readonly Piece[], at: number, place: LeafPlace): TextPlace {
  const { text } = pieces[at] as { text: string };
  const { style, oneLine, lineStart, brackets, backticks } = place;
  const before = pieces[at - 1];
  const after = pieces[at + 1];
  return {
    style,
    oneLine,
    lineStart,
    brackets,
    backticks,
    first: before === undefined,
    last: after === undefined,
    encodeFirst:
      isDelimiter(before) && mustEncode(firstCharacter(text), { pieces, at: at - 1, step: -1, style }),
    encodeLast: isDelimiter(after) && mustEncode(lastCharacter(text), { pieces, at: at + 1, step: 1, style }),
    afterReference: before?.kind === "atom" && before.node === "footnote_ref",
    beforeBracket: after?.kind === "atom" && after.markdown.startsWith("["),
  };
}

function isDelimiter(piece: Piece | undefined): boolean {
  return piece?.kind === "open" || piece?.kind === "close";
}

// A delimiter next to a run of text, and the direction from the run over it.
interface Delimiter {
  pieces: readonly Piece[];
  at: number;
  step: 1 | -1;
  style: Style;
}

// Inside its mark a character must not be blank; outside it must be blank or punctuation, where it matters.
function mustEncode(character: string, delimiter: Delimiter): boolean {
  const { pieces, at, step, style } = delimiter;
  const inside = (pieces[at]?.kind === "open") === (step === -1);
  if (BLANK.test(character)) return inside;
  // Unicode versions differ on what is punctuation; the last resort trusts ASCII alone.
  if (inside || (style === "full" ? ASCII_PUNCTUATION : PUNCTUATION).test(character)) return false;
  if (!isPretty(style)) return true;
  // A blank there will be written as an entity, which is punctuation.
  const beyond = characterBeyond(delimiter);
  return PUNCTUATION.test(beyond) || BLANK.test(beyond) || isMixed(delimiter);
}

// Returns the character on the other side of a run of delimiters, as the parser sees it.
function characterBeyond({ pieces, at, step }: Delimiter): string {
  let beyond = at;
  while (isDelimiter(pieces[beyond])) beyond += step;
  const piece = pieces[beyond];
  if (piece === undefined) return " ";
  if (piece.kind === "break") return "\\";
  const markdown = piece.kind === "text" ? piece.text : piece.markdown;
  return step === 1 ? firstCharacter(markdown) : lastCharacter(markdown);
}

function isMixed({ pieces, at, step }: Delimiter): boolean {
  const first = pieces[at] as { markdown: string; kind: string };
  for (let next = at + step; isDelimiter(pieces[next]); next += step) {
    const piece = pieces[next] as { markdown: string; kind: string };
    if (piece.kind !== first.kind || piece.markdown[0] !== first.markdown[0]) return true;
  }
  return false;
}

// A backslash before the line end; at the end of a leaf or a mark that would be nothing, so <br> stands there.
function writeBreak(pieces: readonly Piece[], at: number, oneLine: boolean): string {
  const next = pieces[at + 1];
  if (oneLine) return "<br>";
  if (pieces.length === 1) return `${NOTHING}<br>`;
  return next === undefined || next.kind === "close" ? "<br>" : "\\\n";
}
