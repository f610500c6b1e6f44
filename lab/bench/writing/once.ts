/**
 * Measures one way of writing in a process of its own and prints it as JSON: `once.ts WAY WORDS WRITES WARM-UP`. The last two
 * arguments say how many writes are counted, and how many are made before.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openManuscript } from "../../../src/service/manuscript.ts";
import type { Taken } from "./taken.ts";
import { type Bench, layBench, WAYS } from "./ways.ts";

const [way = "", words = "", writes = "", warmUp = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "manuscript-writing-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const manuscript = openManuscript(join(folder, "bench.manuscript"), { create: true });
const bench: Bench = layBench(manuscript, Number(words));
manuscript.close();

const chosen = await WAYS[way]!(bench); // the bench names one of them
const [first, count] = [Number(warmUp), Number(writes)];
for (let index = 0; index < first; index++) await chosen.write(index);
const before = await chosen.count();
const began = performance.now();
for (let index = 0; index < count; index++) await chosen.write(first + index);
const wallUs = (1000 * (performance.now() - began)) / count;
const after = await chosen.count();
await chosen.close();
const taken: Taken = {
  cpuUs: (after.cpuUs - before.cpuUs) / count,
  systemUs: (after.systemUs - before.systemUs) / count,
  wallUs,
  writtenBytes: (after.writtenBytes - before.writtenBytes) / count,
};
console.log(JSON.stringify(taken));
