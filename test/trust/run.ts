import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Measured, TrustPromise } from "./promise.ts";

// Every promise of TRUST.md, measured one after another. `npm run trust`; `npm run trust -- 1 11` those of these numbers;
// `--nightly` takes in those that `.ci/run` leaves out; `--write` writes TRUST.md, for which all of them must have been measured.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { nightly: { type: "boolean" }, write: { type: "boolean" } },
});
const asked = positionals.map(Number);
const files = readdirSync(import.meta.dirname).filter((name) => /^\d\d-.*\.ts$/.test(name));
const promises = await Promise.all(
  files.map(async (name) => (await import(join(import.meta.dirname, name))).promise as TrustPromise),
);
promises.sort((a, b) => a.number - b.number);
const chosen = promises.filter(({ number, isNightly = false }) =>
  asked.length > 0 ? asked.includes(number) : values.nightly || !isNightly,
);
if (chosen.length === 0) throw new Error(`no promise of ${asked.join(", ")}`);

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
console.log(JSON.stringify({ suite: "trust", promises: rows }));
if (rows.some(({ faults }) => faults > 0)) process.exitCode = 1;
if (values.write) {
  if (told.length < promises.length) throw new Error("TRUST.md takes every promise: add --nightly");
  writeFileSync(resolve(import.meta.dirname, "../../TRUST.md"), page());
}

function brokenOff(error: unknown): Measured {
  return { figures: "broke off", faults: [error instanceof Error ? String(error.stack) : String(error)] };
}

function page(): string {
  const lines = told.map(({ number, promise, bar, figures, faults, missed = [], skipped = [] }) => {
    const state = faults.length > 0 ? "broken" : skipped.length > 0 ? "in part" : "held";
    const beside = [
      ...missed.map((line) => `missed: ${line}`),
      ...skipped.map((line) => `not tried: ${line}`),
    ];
    return `| ${number} | ${promise} | ${bar} | ${[figures, ...beside].join("; ")} | ${state} |`;
  });
  return `# What can be trusted, and how it was measured

Each line is a promise, the bar that it is held to, and what \`npm run trust -- --nightly --write\` measured: this page is its output,
and nothing here is written by hand. \`.ci/run\` measures all but the slowest again with every change, and fails where one is broken.
Times and sizes are told beside their bar and fail nothing, for machines differ.

Measured with Node ${process.versions.node} on ${process.platform}-${process.arch}.

| # | promise | bar | measured | |
|---|---|---|---|---|
${lines.join("\n")}
`;
}
