import { readFileSync } from "node:fs";
import { join } from "node:path";

export const LOCK = join(import.meta.dirname, "../../package-lock.json");

/**
 * The lockfile with what it must say of SQLite's two bindings, which npm leaves out whenever it writes the file: 13 brings
 * its binding and is never compiled, so `npm ci` needs no compiler (npm forgets `gypfile` in a lockfile), and 12 is for
 * Node 20 alone (npm skips an optional package of other Nodes). Source: https://github.com/npm/cli/issues/9837.
 */
export function mendedLock(): string {
  const lock = JSON.parse(readFileSync(LOCK, "utf8"));
  const of13: Locked | undefined = lock.packages["node_modules/better-sqlite3"];
  const of12: Locked | undefined = lock.packages["node_modules/better-sqlite3-node20"];
  if (!of13 || !of12) throw new Error("package-lock.json lacks one of SQLite's two bindings");
  delete of13.hasInstallScript;
  of13.gypfile = false;
  of12.engines = { node: "20.x" };
  return `${JSON.stringify(lock, null, 2)}\n`;
}

interface Locked {
  engines?: { node: string };
  gypfile?: boolean;
  hasInstallScript?: boolean;
}
