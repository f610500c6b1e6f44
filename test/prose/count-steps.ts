/**
 * Prints the steps of each case of `edits-costs.ts` as JSON: entries of functions, branches and turns of loops, as V8
 * counts them. They are the same however busy the machine is, but for what one call remembers for the next. A process
 * of its own, because counting slows down whatever else runs in it.
 */
import { startCounting } from "../support/steps.ts";

const countSteps = await startCounting();
const { costs } = await import("./edits-costs.ts"); // loaded before, it would not be counted

const steps: [name: string, steps: number][] = [];
for (const { name, run } of costs()) {
  await countSteps();
  run();
  steps.push([name, await countSteps()]);
}
console.log(JSON.stringify(steps));
