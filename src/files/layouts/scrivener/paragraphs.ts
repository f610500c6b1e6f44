const LINE_END = /\r\n|\r|\n/;
/** End of a sentence, with quotes and brackets behind it. */
const SENTENCE_END = /[.!?…:;—–-][\s"'”’»)\]*_]*$/u;
const WIDEST = 120;
const NARROWEST = 60;

/**
 * Turns plain text with one line a paragraph into Markdown: adds blank lines, drops indentation, and makes a lone `#`
 * a scene break. Text with separate paragraphs, or wrapped at a margin, stays as it is.
 */
export function asParagraphs(text: string): string {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(LINE_END)
    .map((line) => line.trim());
  const joined = lines.filter((line, place) => line !== "" && (lines[place + 1] ?? "") !== "");
  if (joined.length === 0 || isWrapped(lines, joined)) return text;
  const paragraphs = lines.filter((line) => line !== "").map(asMarkdown);
  return `${paragraphs.join("\n\n")}\n`;
}

/** Converts a line of Scrivener, whose own line breaks are U+2028. */
function asMarkdown(line: string): string {
  return line === "#" ? "* * *" : line.replace(/ *\u2028 */g, "\\\n");
}

/** True if a text was wrapped at a margin: its lines end within sentences, and had no room for the next word. */
function isWrapped(lines: readonly string[], joined: readonly string[]): boolean {
  if (joined.filter((line) => SENTENCE_END.test(line)).length * 2 >= joined.length) return false;
  const width = lines.reduce((most, line) => Math.max(most, line.length), NARROWEST);
  if (width > WIDEST) return false;
  const full = lines.filter((line, place) => {
    const next = lines[place + 1] ?? "";
    return line !== "" && next !== "" && line.length + 1 + next.search(/\s|$/) > width;
  });
  return full.length >= joined.length * 0.8;
}
