const LINE_END = /\r\n|\r|\n/;
/** What ends a sentence, quotes and brackets behind it. */
const SENTENCE_END = /[.!?…:;—–-][\s"'”’»)\]*_]*$/u;
const WIDEST = 120;
const NARROWEST = 60;

/**
 * Plain text whose paragraphs are a line each, as Markdown, where that needs a blank line between them; without the blanks that
 * lines begin with, and a lone `#` a scene break. Text whose paragraphs stand apart already, or that is wrapped at a margin, as it is.
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

/** A line of Scrivener, whose own line breaks are U+2028. */
function asMarkdown(line: string): string {
  return line === "#" ? "* * *" : line.replace(/ *\u2028 */g, "\\\n");
}

/** Whether a text was broken at a margin: its lines end within sentences, and the next word had no room in them. */
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
