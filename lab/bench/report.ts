import { cpus, loadavg } from "node:os";
import { randomFrom } from "../../test/support/random.ts";

/** One measured line; `bar` is what it must reach, with the sense in words. */
export interface Line {
  what: string;
  value: number;
  unit: string;
  bar?: string;
  met?: boolean;
}

/** A reported table, as one line of JSON on stdout. */
export interface Report {
  /** What was measured: "http: reads over ten connections". */
  suite: string;
  /** How it was measured, in sentences for people who do not read the code. */
  how?: string | undefined;
  node: string;
  cpu: string;
  cores: number;
  /** How many programs wanted the cores, on average over the last minute. */
  load: number;
  lines: readonly Line[];
}

/**
 * Prints a suite as a table on stderr and as one line of JSON on stdout, of which `docs/performance.md` is made; `how` says
 * there how it was measured.
 */
export function report(suite: string, lines: readonly Line[], how?: string): void {
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model ?? "",
    cores: cpus().length,
    load: loadavg()[0]!, // there are three
  };
  console.error(`\n${suite}`);
  console.table(
    lines.map(({ what, value, unit, bar = "", met }) => ({
      what,
      value: `${round(value)} ${unit}`,
      bar: met === undefined ? bar : `${bar} ${met ? "met" : "MISSED"}`,
    })),
  );
  const rounded = lines.map((line) => ({ ...line, value: round(line.value) }));
  const told: Report = { suite, how, ...machine, lines: rounded };
  console.log(JSON.stringify(told));
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
