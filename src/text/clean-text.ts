/**
 * Control characters that no text may hold: all but tab and line ends. SQLite and readers of plain text disagree on
 * them.
 */
export const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * True if Markdown holds only blanks, tabs and line ends. A no-break space makes a paragraph. Source: CommonMark
 * 0.31.2, 2.1.
 */
export function isBlankMarkdown(text: string): boolean {
  return /^\ufeff?[ \t\r\n]*$/.test(text);
}

/**
 * Names the fault of a text that SQLite would change: "a control character", "half a surrogate pair"; undefined if
 * there is none.
 */
export function textFault(text: string): string | undefined {
  if (CONTROL_CHARACTER.test(text)) return "a control character";
  return text.isWellFormed() ? undefined : "half a surrogate pair";
}

const LINE_BREAK = /[\t\n\r\u0085\u2028\u2029]/;
/** The fault of a title or a name that is not one line. */
export const BROKEN = "a line break or a tab";

/** True for text on one line, without tabs, as titles and names are. */
export function isOneLine(text: string): boolean {
  return !LINE_BREAK.test(text);
}

/** Joins the lines of a text with blanks, for a title or a name. O(length). */
export function asOneLine(text: string): string {
  if (isOneLine(text)) return text;
  const lines = text.split(LINE_BREAK).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}

/** A control character's name and the lines that it stands in, each once, from 1. */
export interface Strayed {
  /** "U+0008". */
  character: string;
  lines: number[];
}

/** Returns the control characters of a text in order of their first occurrence. O(length). */
export function strayedIn(text: string): Strayed[] {
  const found = new Map<string, Strayed>();
  let line = 1;
  let seen = 0;
  for (const { 0: unit, index } of text.matchAll(new RegExp(CONTROL_CHARACTER, "g"))) {
    for (let end = text.indexOf("\n", seen); end >= 0 && end < index; end = text.indexOf("\n", seen)) {
      line++;
      seen = end + 1;
    }
    const character = `U+${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    const strayed = found.get(character) ?? { character, lines: [] };
    if (strayed.lines.at(-1) !== line) strayed.lines.push(line);
    found.set(character, strayed);
  }
  return [...found.values()];
}

const MOST_LINES = 10;

/** Says where control characters stand: "U+0008 in line 3, U+0000 in lines 4, 9 and 12". */
export function placesOf(strayed: readonly Strayed[]): string {
  return strayed.map(({ character, lines }) => `${character} in ${linesInWords(lines)}`).join(", ");
}

function linesInWords(lines: readonly number[]): string {
  const more = lines.length - MOST_LINES;
  const shown = lines.slice(0, more > 0 ? MOST_LINES : -1).join(", ");
  if (more > 0) return `lines ${shown} and ${more} more`;
  const last = lines.at(-1) ?? 0;
  return shown === "" ? `line ${last}` : `lines ${shown} and ${last}`;
}

/** Returns the text without its control characters. */
export function withoutControl(text: string): string {
  return CONTROL_CHARACTER.test(text) ? text.replace(new RegExp(CONTROL_CHARACTER, "g"), "") : text;
}

/**
 * True if a text holds an unresolved conflict of a version control system: a line that opens one, or its middle and
 * end if the opening was deleted. Source: https://git-scm.com/docs/git-merge#_how_conflicts_are_presented.
 */
export function hasConflictMarkers(text: string): boolean {
  if (/^<{7} \S/m.test(text)) return true;
  const middle = /^={7}[ \t]*\r?$/m.exec(text); // the first will do: what ends one stands behind it
  return middle !== null && /^>{7} \S/m.test(text.slice(middle.index));
}

/** Message about such a text, after its file's name. */
export const CONFLICT_MARKERS_LEFT =
  'holds a merge that is not resolved ("<<<<<<<" … ">>>>>>>"); decide there what it is to say';

/** True for a language as BCP 47 names it: "de", "pt-BR". */
export function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** True for the path of a file within a folder, with slashes: "images/cover.jpg". */
export function isInnerPath(text: string): boolean {
  return !/^$|\\|^[a-z]+:/i.test(text) && text.split("/").every((name) => !["", ".", ".."].includes(name));
}
