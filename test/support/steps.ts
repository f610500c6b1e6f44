import { Session } from "node:inspector/promises";

/**
 * Begins to count steps: entries of functions, branches and turns of loops in `src/`, as V8 counts them, the same however busy
 * the machine is. Returns what reads the count and begins at 0 again. What was loaded before is not counted.
 */
export async function startCounting(): Promise<() => Promise<number>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return async () => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result
      .filter(({ url }) => url.includes("/src/"))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  };
}
