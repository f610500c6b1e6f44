/**
 * What no text may hold: control characters other than tab and line ends, for SQLite and readers of plain text would
 * each make something else of them.
 */
export const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Whether Markdown holds nothing: blanks, tabs and line ends alone. A no-break space is a paragraph. Source: CommonMark 0.31.2, 2.1. */
export function isBlankMarkdown(text: string): boolean {
  return /^\ufeff?[ \t\r\n]*$/.test(text);
}

/** What is wrong with a text that SQLite would change: "a control character", "half a surrogate pair"; else undefined. */
export function textFault(text: string): string | undefined {
  if (CONTROL_CHARACTER.test(text)) return "a control character";
  return text.isWellFormed() ? undefined : "half a surrogate pair";
}

/** A control character's name and the lines that it stands in, each once, from 1. */
export interface Strayed {
  /** "U+0008". */
  character: string;
  lines: number[];
}

/** The control characters of a text, in the order in which they first stand in it. O(length). */
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

/** Where control characters stand, in words: "U+0008 in line 3, U+0000 in lines 4, 9 and 12". */
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

/** The text without its control characters. */
export function withoutControl(text: string): string {
  return CONTROL_CHARACTER.test(text) ? text.replace(new RegExp(CONTROL_CHARACTER, "g"), "") : text;
}
