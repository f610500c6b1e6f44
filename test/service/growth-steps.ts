/**
 * Prints what each case costs at a size and at twice that size as JSON: entries of functions, branches and turns of loops,
 * as V8 counts them. A process of its own, because counting slows down whatever else runs in it.
 */
import { startCounting } from "../support/steps.ts";

const countSteps = await startCounting();
const { growthCases } = await import("./growth-cases.ts"); // loaded before, it would not be counted

const steps: [name: string, once: number, twice: number][] = [];
for (const { name, size, lay } of growthCases) {
  const counts: number[] = [];
  for (const run of [lay(16), lay(size), lay(2 * size)]) {
    await countSteps();
    run();
    counts.push(await countSteps());
  }
  const [, once = 0, twice = 0] = counts; // the first fills what is kept for good
  steps.push([name, once, twice]);
}
console.log(JSON.stringify(steps));
process.exit(); // and closes the files
