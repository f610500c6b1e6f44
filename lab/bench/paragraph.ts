import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./built.ts";
import { type Line, median, report } from "./report.ts";
import type { Taken } from "./writing/taken.ts";

// Every way of writing turn by turn, there and back, each in a fresh process.
const ROUNDS = 5;
const ONCE = bundled(join(import.meta.dirname, "writing/once.ts"));

/** What is measured: its way, the chapter's words, how many writes are counted, and how many come before. */
const CASES = {
  floor: ["floor", 5000, 1000, 600],
  short: ["store", 5000, 1500, 1500],
  long: ["store", 50_000, 1500, 1500],
  http: ["http", 5000, 1500, 1500],
  put: ["put", 5000, 60, 60],
} as const;
type Name = keyof typeof CASES;

const names = Object.keys(CASES) as Name[];
const taken = Object.fromEntries(names.map((name) => [name, [] as Taken[]])) as Record<Name, Taken[]>;
for (let round = 0; round < ROUNDS; round++) {
  for (const name of round % 2 === 0 ? names : names.toReversed()) taken[name].push(measure(name));
}
const of = (name: Name, what: keyof Taken) => median(taken[name].map((one) => one[what]));
const ratio = of("long", "cpuUs") / of("short", "cpuUs");
const syncs = syncsOf("store");
const synced: Line[] =
  syncs === undefined
    ? []
    : [{ what: "one paragraph, fsyncs", value: syncs, unit: "", bar: "= 1", met: syncs === 1 }];

const lines: Line[] = [
  { what: "the rows of one paragraph by SQL alone, CPU", value: of("floor", "cpuUs"), unit: "µs" },
  { what: "of that the system's", value: of("floor", "systemUs"), unit: "µs" },
  { what: "the same, written", value: of("floor", "writtenBytes") / 1024, unit: "KiB" },
  atMost("one paragraph of 5,000 words, CPU", of("short", "cpuUs"), "µs", 120),
  { what: "of that the system's", value: of("short", "systemUs"), unit: "µs" },
  { what: "÷ the rows by SQL alone", value: of("short", "cpuUs") / of("floor", "cpuUs"), unit: "×" },
  { what: "one paragraph of 50,000 words, CPU", value: of("long", "cpuUs"), unit: "µs" },
  atMost("50,000 ÷ 5,000 words, CPU", ratio, "×", 1.2),
  atMost("one paragraph, written", of("short", "writtenBytes") / 1024, "KiB", 32),
  ...synced,
  atMost("one paragraph over HTTP, CPU of the server", of("http", "cpuUs"), "µs", 400),
  { what: "one paragraph over HTTP, wall", value: of("http", "wallUs"), unit: "µs" },
  atMost("every paragraph of 5,000 words, CPU", of("put", "cpuUs") / 1000, "ms", 10),
];
const HOW = `\`the rows by SQL alone\` is the floor of the file's format: the fewest statements that change the same rows in one
transaction that is synced, with nothing read, parsed, checked, hashed or answered. It writes 14 pages of 4 KiB, one for each table and
index that a save touches, so that a bar below it is not to be had in this format; one without every index that could be asked for in
another way (journal, revisions and progress by act, the row of the running act) would still write ten pages, 41 KiB. Pages of 2 KiB were
tried: 34 KiB written, and cold chapters took 12 to 63 % longer to read. Of what a save takes beyond the floor about a third is SQL (what is read is proved by its
hash, an act gets one of its own), the rest parsing, planning and checking, no function of it above 3 %. A save over HTTP is
the only request under way, so that the system's part of a request (waking, reading, writing) is all its own.`;

// What the system does not count is left out.
report(
  `paragraph: writing prose, synchronous=FULL, median of ${ROUNDS} processes`,
  lines.filter(({ value }) => !Number.isNaN(value)),
  HOW,
);

function atMost(what: string, value: number, unit: string, bar: number): Line {
  return { what, value, unit, bar: `≤ ${bar}`, met: value <= bar };
}

function measure(name: Name): Taken {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ONCE, ...CASES[name].map(String)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name}: ${stderr}`);
  return JSON.parse(stdout) as Taken;
}

/** How often each write is synced, by strace; undefined without it. The log is not taken into the file within so few. */
function syncsOf(way: string): number | undefined {
  const [few, many] = [tracedSyncs(way, 20), tracedSyncs(way, 50)];
  return few === undefined || many === undefined ? undefined : (many - few) / 30;
}

function tracedSyncs(way: string, writes: number): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
  const log = join(folder, "log");
  const tracing = ["-f", "-e", "trace=fsync,fdatasync,msync,sync_file_range", "-o", log];
  const run = [process.execPath, ONCE, way, "5000", String(writes), "0"];
  const { status } = spawnSync("strace", [...tracing, ...run]);
  const lines = status === 0 ? readFileSync(log, "utf8").split("\n") : undefined;
  rmSync(folder, { recursive: true });
  return lines?.filter((line) => /^\d+ +\w+\(/.test(line)).length;
}
