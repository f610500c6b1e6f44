import { columns } from "../../text/columns.ts";
import { styled, type Terminal } from "../io/terminal.ts";

/** Rows in columns, those in `right` aligned to the right; `none` if there are no rows. */
export function inColumns(
  none: string,
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  return rows.length === 0 ? none : columns(rows, right);
}

/** A text in one line, what is highlighted of it in bold on a terminal. */
export function inBold(
  terminal: Terminal,
  { text, highlights }: { text: string; highlights: readonly (readonly [from: number, to: number])[] },
): string {
  let [shown, end] = ["", 0];
  for (const [from, to] of highlights) {
    if (from < end) continue;
    shown += text.slice(end, from) + styled(terminal, "bold", text.slice(from, to));
    end = to;
  }
  return (shown + text.slice(end)).replace(/\s+/g, " ").trim();
}

const NARROWEST = 20;
// A style takes no room; Chinese, Japanese and Korean take twice as much.
const UNIT = /\u001b\[[\d;]*m|\P{M}\p{M}*/gu;
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u;

/**
 * The text in lines as wide as the terminal, broken between words, those after the first indented; as it is if nobody sits
 * there. Line ends stay.
 */
export function wrapped({ stdout }: Terminal, text: string, { indent = 0 } = {}): string {
  if (!stdout.isTTY || stdout.columns === undefined) return text;
  const width = Math.max(stdout.columns, NARROWEST + indent);
  const lines = text
    .split("\n")
    .flatMap((line, index) => linesOf(line, width, index === 0 ? 0 : indent, indent));
  return lines.join("\n");
}

function linesOf(text: string, width: number, first: number, others: number): string[] {
  const lines: string[] = [];
  let line = " ".repeat(first);
  let used = first;
  let isEmpty = true;
  const end = () => {
    lines.push(line.trimEnd());
    line = " ".repeat(others);
    used = others;
    isEmpty = true;
  };
  for (const word of text.split(/(?<=\s)(?=\S)/u)) {
    if (!isEmpty && used + widthOf(word.trimEnd()) > width) end();
    for (const unit of word.match(UNIT) ?? []) {
      const size = widthOf(unit);
      if (used + size > width && unit.trim() !== "") end(); // a word longer than a line, or one of a script without blanks
      line += unit;
      used += size;
      isEmpty = false;
    }
  }
  if (!isEmpty || lines.length === 0) end();
  return lines;
}

function widthOf(text: string): number {
  let width = 0;
  for (const unit of text.match(UNIT) ?? []) width += unit.startsWith("\u001b") ? 0 : WIDE.test(unit) ? 2 : 1;
  return width;
}
