import { largest } from "./extremes.ts";

/** Formats a number with separators for thousands: 210,000. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

const MIB = 1024 * 1024;

/** Formats a number of bytes: "11.2 MiB". */
export function sized(bytes: number): string {
  return bytes < 1024 * MIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / 1024 / MIB).toFixed(1)} GiB`;
}

/** Counts things in words: "1 word", "2,194 words", "1 entry", "2 matches". Pass `plural` for an irregular noun. */
export function counted(count: number, noun: string, plural = pluralOf(noun)): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** Returns the noun with its article: "a paragraph", "an ordered list". */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Rows as aligned lines, two blanks between columns; columns named in `right` are aligned to the right. */
export function alignedLines(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const cells = rows.map((row) => row.map((text) => text.replace(/\s*[\r\n]\s*/g, " ")));
  const widths = (cells[0] ?? []).map((_, column) => largest(cells.map((row) => row[column]?.length ?? 0)));
  const pad = (text: string, column: number) => {
    const width = widths[column] ?? 0;
    return right.includes(column) ? text.padStart(width) : text.padEnd(width);
  };
  return cells.map((row) => row.map(pad).join("  ").trimEnd());
}

/** The same as `alignedLines`, in one text. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  return alignedLines(rows, right).join("\n");
}

/** The text in one line, cut at `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** A moment as the writer's clock shows it, to the minute: "2026-03-01 12:00". */
export function localTime(moment: string): string {
  const at = new Date(moment);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
