import { readdirSync } from "node:fs";
import { join } from "node:path";

/** What lies in a folder and the folders below it. */
export interface Walk {
  /** Relative, steps parted by `/`, each folder in natural order; links are not followed. */
  files: readonly string[];
  /** Whether that is all: false past a limit. */
  isWhole: boolean;
}

const MOST_FILES = 20_000;
const MOST_STEPS = 16;
/** Sorts "2-b" before "10-a". */
const { compare: byName } = new Intl.Collator("en", { numeric: true });

/** Lists at most 20,000 files, 16 folders deep; never what is hidden, nor `node_modules`. */
export function walk(folder: string): Walk {
  const files: string[] = [];
  const isWhole = visit(folder, "", 1, files);
  return { files, isWhole };
}

function visit(folder: string, below: string, steps: number, files: string[]): boolean {
  let isWhole = true;
  const entries = readdirSync(join(folder, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => byName(a.name, b.name))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = below + entry.name;
    if (files.length >= MOST_FILES) return false;
    if (!entry.isDirectory()) files.push(path);
    else if (steps >= MOST_STEPS) isWhole = false;
    else isWhole = visit(folder, `${path}/`, steps + 1, files) && isWhole;
  }
  return isWhole;
}
