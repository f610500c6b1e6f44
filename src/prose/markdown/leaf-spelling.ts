import { type LeafPlace, readPage } from "./leaf-lines.ts";

/** Spelling of one leaf in the lines of its block. */
export interface LeafSpelling {
  /** First and last line, counted from 0. */
  first: number;
  last: number;
  /** Last line of its text; a heading's underline is below it. */
  textEnd: number;
  isTop: boolean;
  /** Text before its Markdown on the first line: marks of lists and quotes, blanks. */
  mark: string;
  /** Inline Markdown of a paragraph or heading, its lines joined by `\n`; undefined for code, tables and the like. */
  inline: string | undefined;
  /** Markdown before and behind the inline Markdown: the hashes or the underline of a heading. */
  open: string;
  close: string;
  /** Text before and behind the inline Markdown on each line, with `mark`, `open` and closing hashes. */
  before: readonly string[];
  behind: readonly string[];
}

// Prefixes of quotes, list entries and footnotes at the start of a line, with the blanks around them.
const PREFIX = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]+\]:))*[ \t]*/;
const BLANKS_AT_END = /[\t-\r ]*$/;

/** Returns the spelling of every leaf of a block, in order; undefined if one is not found in its lines. Linear. */
export function readSpellings(source: string): LeafSpelling[] | undefined {
  if (/\r(?!\n)/.test(source)) return undefined; // lines that end in that alone
  const lines = source.split("\n");
  const spellings: LeafSpelling[] = [];
  for (const place of readPage(source).leaves) {
    const spelling = place.last < 0 ? spellEmpty(place, lines) : spell(place, lines);
    if (spelling === undefined) return undefined;
    spellings.push(spelling);
  }
  return spellings;
}

/**
 * Returns a paragraph's or heading's own Markdown, without what its lines have around it; undefined for other leaves.
 */
export function ownMarkdown(spelling: LeafSpelling | undefined): string | undefined {
  if (spelling?.inline === undefined || spelling.inline === "") return undefined;
  return spelling.open + spelling.inline + spelling.close;
}

/** Returns the indentation for further lines of a leaf with this mark on its first. */
export function indentOf(mark: string): string {
  return mark.replace(/[^>\s]/g, " ");
}

/** A lone mark; text goes behind it. */
function spellEmpty({ first, isTop }: LeafPlace, lines: readonly string[]): LeafSpelling {
  const line = lines[first]!; // the lines are the source's own
  const [end] = BLANKS_AT_END.exec(line)!; // matches nothing too
  const mark = `${line.slice(0, line.length - end.length)} `;
  const range = { first, last: first, textEnd: first, isTop, mark };
  return { ...range, inline: "", open: "", close: "", before: [mark], behind: [end.replace(/[^\r]/g, "")] };
}

function spell(place: LeafPlace, lines: readonly string[]): LeafSpelling | undefined {
  const { kind, content, first, last, textEnd, isTop } = place;
  const range = { first, last, textEnd, isTop };
  const line = lines[first]!; // as above
  if ((kind !== "text" && kind !== "heading") || content === "") {
    const [mark] = PREFIX.exec(line)!; // a blank prefix matches too
    return { ...range, mark, inline: undefined, open: "", close: "", before: [], behind: [] };
  }
  const texts = content.split("\n");
  if (texts.length !== textEnd - first + 1) return undefined;
  const hashes = kind === "heading" && textEnd === last ? hashesOf(line, texts[0]!) : undefined; // it has a line
  const inline: string[] = [];
  const before: string[] = [];
  const behind: string[] = [];
  for (const [index, line] of texts.entries()) {
    const whole = lines[first + index]!; // as many as of the text
    const end = index === texts.length - 1 ? whole.replace(BLANKS_AT_END, "") : whole.replace(/\r$/, "");
    // A tab before it may count for the list's indentation in part.
    const own = end.endsWith(line) || index === 0 ? line : line.trimStart();
    const at = index === 0 && hashes !== undefined ? hashes.to : end.length - own.length;
    if (whole.slice(at, at + own.length) !== own) return undefined;
    inline.push(own);
    before.push(whole.slice(0, at));
    behind.push(whole.slice(at + own.length));
  }
  const mark = hashes === undefined ? before[0]! : line.slice(0, hashes.from); // one a line
  return {
    ...range,
    mark,
    inline: inline.join("\n"),
    open: hashes === undefined ? "" : line.slice(hashes.from, hashes.to),
    close: closeOf({ kind, textEnd, last }, lines, behind.at(-1)!), // as above
    before,
    behind,
  };
}

function closeOf(
  { kind, textEnd, last }: Pick<LeafPlace, "kind" | "textEnd" | "last">,
  lines: readonly string[],
  behind: string,
): string {
  if (kind !== "heading") return "";
  return textEnd === last ? behind.trimEnd() : `\n${lines[last]!.replace(PREFIX, "").trim()}`; // a line of the source
}

/** Finds the hashes of a heading whose text comes right behind them. */
function hashesOf(line: string, text: string): { from: number; to: number } | undefined {
  const from = PREFIX.exec(line)![0].length; // a blank prefix matches too
  const found = /^#{1,6}[ \t]+/.exec(line.slice(from));
  const to = found === null ? -1 : line.indexOf(text, from + found[0].length);
  return to < 0 ? undefined : { from, to };
}
