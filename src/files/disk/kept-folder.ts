import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkInto } from "./asides.ts";

/** Hidden folder in a book's folder, for files that were overwritten by force. */
const KEPT = ".manuscript-kept";

/**
 * Returns the path under which an overwritten file is kept: a folder for each run, named by its time. Git ignores it.
 */
export function keptAt(folder: string, time: number): (file: string) => string {
  const run = join(folder, KEPT, new Date(time).toISOString().slice(0, 19).replaceAll(":", "-"));
  return (file) => join(run, file);
}

/** Moves a file there and keeps its mode. New folders are for their owner only. Returns the new path. */
export function keepReplaced(from: string, to: string): string {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const ignore = join(to.slice(0, to.lastIndexOf(KEPT) + KEPT.length), ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  for (let count = 1; ; count++) {
    const place = count === 1 ? to : `${to}.${count}`;
    if (linkInto(from, place)) return place;
  }
}
