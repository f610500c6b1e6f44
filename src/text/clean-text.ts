/**
 * What no text may hold: control characters other than tab and line ends, for SQLite and readers of plain text would
 * each make something else of them.
 */
export const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** What is wrong with a text that SQLite would change: "a control character", "half a surrogate pair"; else undefined. */
export function textFault(text: string): string | undefined {
  if (CONTROL_CHARACTER.test(text)) return "a control character";
  return text.isWellFormed() ? undefined : "half a surrogate pair";
}
