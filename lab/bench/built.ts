import { basename, join } from "node:path";
import { buildSync } from "esbuild";
import { AS_BUILT } from "../../build/as-built.ts";

const OUT = join(import.meta.dirname, "../../dist/bench");

/**
 * Bundles a measurement's module with all that it needs of `src` as the program is bundled, and returns the script that Node runs.
 * Under tsx each inner function is given its name whenever it is made, which takes a save a seventh of its time.
 */
export function bundled(entry: string): string {
  buildSync({ ...AS_BUILT, entryPoints: [entry], outdir: OUT });
  return join(OUT, basename(entry).replace(/\.ts$/, ".js"));
}
