/**
 * Prints the steps of each case of `edits-costs.ts` as JSON: entries of functions, branches and turns of loops, as V8
 * counts them. They are the same however busy the machine is, but for what one call remembers for the next. A process
 * of its own, because counting slows down whatever else runs in it.
 */
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
const { costs } = await import("./edits-costs.ts"); // loaded before, it would not be counted

async function countSteps(): Promise<number> {
  const { result } = await session.post("Profiler.takePreciseCoverage"); // and begins at 0 again
  return result
    .filter(({ url }) => url.includes("/src/"))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}

const steps: [name: string, steps: number][] = [];
for (const { name, run } of costs()) {
  await countSteps();
  run();
  steps.push([name, await countSteps()]);
}
console.log(JSON.stringify(steps));
