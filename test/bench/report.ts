import { cpus, loadavg } from "node:os";
import { randomFrom } from "../support/random.ts";

/** One measured line; `bar` is what it must reach, with the sense in words. */
export interface Line {
  what: string;
  value: number;
  unit: string;
  bar?: string;
  met?: boolean;
}

/** Prints a suite as a table on stderr and as one line of JSON on stdout. */
export function report(suite: string, lines: readonly Line[]): void {
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? "",
    cores: cpus().length,
    load: loadavg()[0],
  };
  console.error(`\n${suite}`);
  console.table(
    lines.map(({ what, value, unit, bar = "", met }) => ({
      what,
      value: `${round(value)} ${unit}`,
      bar: met === undefined ? bar : `${bar} ${met ? "met" : "MISSED"}`,
    })),
  );
  console.log(
    JSON.stringify({
      suite,
      ...machine,
      lines: lines.map((line) => ({ ...line, value: round(line.value) })),
    }),
  );
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

/** CPU that this process has used since `start`, user and system, in µs. */
export function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const WORDS =
  "the ferry lamp tide bell harbour night morning rope stone letter window he she nobody kept turned waited under over long old grey slow said and but never".split(
    " ",
  );

/** A chapter of about this many words in paragraphs of 40, the same every time; curly quotes as novels have them. */
export function chapterOf(words: number, seed = 7): string {
  const random = randomFrom(seed);
  const next = (limit: number) => Math.floor(random() * limit);
  const paragraphs = Array.from({ length: Math.ceil(words / 40) }, (_, index) => {
    const text = Array.from({ length: 40 }, () => WORDS[next(WORDS.length)]).join(" ");
    return index % 3 === 0 ? `“${text},” she said — no. ${index}` : `It’s ${text}. ${index}`;
  });
  return `${paragraphs.join("\n\n")}\n`;
}
