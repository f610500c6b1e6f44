import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { hereAndNow, keepAlso, type Measuring } from "../../test/support/kept.ts";
import type { Measured, TrustPromise } from "./promise.ts";

// Every promise of TRUST.md, measured one after another. `npm run trust`; `npm run trust -- 1 11` those of these numbers;
// `--nightly` takes in those that `.ci/run` leaves out; `--write` keeps what was measured in `measured.json` and writes TRUST.md
// from all that is kept there; `--page` measures nothing and writes the page alone.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { nightly: { type: "boolean" }, write: { type: "boolean" }, page: { type: "boolean" } },
});
const asked = positionals.map(Number);
const KEPT = join(import.meta.dirname, "measured.json");
const files = readdirSync(import.meta.dirname).filter((name) => /^\d\d-.*\.ts$/.test(name));
const promises = await Promise.all(
  files.map(async (name) => (await import(join(import.meta.dirname, name))).promise as TrustPromise),
);
promises.sort((a, b) => a.number - b.number);
const chosen = promises.filter(({ number, isNightly = false }) =>
  values.page ? false : asked.length > 0 ? asked.includes(number) : values.nightly || !isNightly,
);
if (chosen.length === 0 && !values.page) throw new Error(`no promise of ${asked.join(", ")}`);

const told: (TrustPromise & Measured & { seconds: number })[] = [];
for (const promise of chosen) {
  const start = performance.now();
  const measured = await promise.measure().catch(brokenOff);
  const seconds = Math.round((performance.now() - start) / 1000);
  told.push({ ...promise, ...measured, seconds });
  console.log(`${promise.number}. ${promise.promise}: ${measured.figures} (${seconds} s)`);
  for (const line of measured.faults.slice(0, 20)) console.log(`   FAULT ${line}`);
  for (const line of measured.missed ?? []) console.log(`   missed ${line}`);
  for (const line of measured.skipped ?? []) console.log(`   skipped ${line}`);
}
const rows = told.map(({ number, figures, faults, missed = [], skipped = [], seconds }) => ({
  number,
  figures,
  faults: faults.length,
  missed,
  skipped,
  seconds,
}));
if (!values.page) console.log(JSON.stringify({ suite: "trust", promises: rows }));
if (rows.some(({ faults }) => faults > 0)) process.exitCode = 1;
if (values.write || values.page) {
  const kept = rows.map(({ number, seconds: _, ...row }) => [number, { ...row, ...hereAndNow() }] as const);
  const all = keepAlso<Kept>(KEPT, Object.fromEntries(kept));
  writeFileSync(resolve(import.meta.dirname, "../../TRUST.md"), page(all));
}

function brokenOff(error: unknown): Measured {
  return { figures: "broke off", faults: [error instanceof Error ? String(error.stack) : String(error)] };
}

/** A measurement as it is kept. */
interface Kept extends Measuring {
  figures: string;
  faults: number;
  missed: readonly string[];
  skipped: readonly string[];
}

function page(kept: Readonly<Record<number, Kept>>): string {
  const lines = promises.map(({ number, promise, bar }) => {
    const found = kept[number];
    if (found === undefined) return `| ${number} | ${promise} | ${bar} | not measured yet | open | |`;
    const { figures, faults, missed, skipped, on, machine } = found;
    const state =
      faults > 0
        ? "broken"
        : skipped.length > 0
          ? "in part"
          : missed.length > 0
            ? "held, with a bar missed"
            : "held";
    const beside = [
      ...missed.map((line) => `missed: ${line}`),
      ...skipped.map((line) => `not tried: ${line}`),
    ];
    return `| ${number} | ${promise} | ${bar} | ${[figures, ...beside].join("; ")} | ${state} | ${on}, ${machine} |`;
  });
  return `# What can be trusted, and how it was measured

Each line is a promise, the bar that it is held to, and what was measured. This page is written by \`npm run trust -- --write\` from
what the measurements said, nothing in it by hand. With every change \`.ci/run\` measures those that last a few minutes together
(4, 5, 8, 14, and of 1, 3, 7 and 10 a fifth) and fails if one is broken. Times and sizes are reported beside their bar and fail nothing, for machines differ.

| # | promise | bar | measured | | when and where |
|---|---|---|---|---|---|
${lines.join("\n")}
`;
}
