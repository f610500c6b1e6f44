import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkInto } from "./asides.ts";

/** The folder, hidden in a book's, for what was overwritten by force. */
const KEPT = ".manuscript-kept";

/**
 * Where what is overwritten by force in a folder is kept: a folder of its own for each run, by its time. Git is told to
 * leave it alone.
 */
export function keptAt(folder: string, time: number): (file: string) => string {
  const run = join(folder, KEPT, new Date(time).toISOString().slice(0, 19).replaceAll(":", "-"));
  return (file) => join(run, file);
}

/** Moves a file there, with the rights that it has; the folders above are its owner's alone. Returns where it is. */
export function keepReplaced(from: string, to: string): string {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const ignore = join(to.slice(0, to.lastIndexOf(KEPT) + KEPT.length), ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  for (let count = 1; ; count++) {
    const place = count === 1 ? to : `${to}.${count}`;
    if (linkInto(from, place)) return place;
  }
}
