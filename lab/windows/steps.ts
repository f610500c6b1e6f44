import { release } from "node:os";
import { Bench } from "./bench.ts";
import { tryEveryCommand, tryExports, tryFilling, tryWriting } from "./commands.ts";
import { tryCopies, tryLongPath, tryNames, tryOpenFiles, trySync, tryWatch } from "./places.ts";
import {
  tryAgent,
  tryApp,
  tryKills,
  tryPage,
  trySample,
  tryServedCopies,
  tryServer,
  tryTogether,
} from "./served.ts";

// What a writer does on Windows, step by step; run by Node for Windows, in Wine by `try.ts` or on a Windows machine by itself.
// Words choose steps: those after the first need what the first makes.
const STEPS: Readonly<Record<string, (bench: Bench) => Promise<string>>> = {
  filling: tryFilling,
  names: tryNames,
  commands: tryEveryCommand,
  writing: tryWriting,
  exports: tryExports,
  sync: trySync,
  watch: tryWatch,
  copies: tryCopies,
  "open files": tryOpenFiles,
  "long path": tryLongPath,
  server: tryServer,
  page: tryPage,
  app: tryApp,
  "served copies": tryServedCopies,
  together: tryTogether,
  kills: tryKills,
  agent: tryAgent,
  sample: trySample,
};

interface Outcome {
  step: string;
  ok: boolean;
  /** In seconds. */
  took: number;
  /** What was seen, or why it failed. */
  found: string;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((word) => !(word in STEPS));
if (unknown.length > 0)
  throw new Error(`no step: ${unknown.join(", ")}; steps are ${Object.keys(STEPS).join(", ")}`);
if (process.platform !== "win32")
  throw new Error("these steps are for Windows; npm run try-windows runs them in Wine");

const bench = new Bench();
const tried: Outcome[] = [];
try {
  for (const [step, work] of Object.entries(STEPS))
    if (asked.length === 0 || step === "filling" || asked.includes(step)) tried.push(await timed(step, work));
} finally {
  await bench.end();
}
console.table(
  tried.map(({ step, ok, took, found }) => ({
    step,
    result: ok ? "ok" : "FAILED",
    took,
    found: ok ? found : "",
  })),
);
console.log(JSON.stringify({ suite: "windows", node: process.version, windows: release(), tried }));
if (tried.some(({ ok }) => !ok)) process.exitCode = 1;

async function timed(step: string, work: (bench: Bench) => Promise<string>): Promise<Outcome> {
  const start = performance.now();
  const outcome = (ok: boolean, found: string): Outcome => {
    const took = Math.round((performance.now() - start) / 100) / 10;
    console.error(`${step} ${ok ? "done" : "FAILED"} in ${took} s. ${found}`);
    return { step, ok, took, found };
  };
  try {
    return outcome(true, await work(bench));
  } catch (error) {
    return outcome(false, (error as Error).message);
  } finally {
    await bench.stop();
  }
}
