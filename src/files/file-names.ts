import { folded, isDevice, isSafe } from "./safe-name.ts";
import { slug } from "./slug.ts";

/**
 * A file name for each chapter, relative to the folder: the one that it was imported from, else `NN-slug.md`. None leads
 * out of the folder, none is a device of Windows, and no two are the same where case does not count.
 */
export function nameFiles(chapters: readonly { title: string; file: string | null }[]): string[] {
  const digits = Math.max(2, String(chapters.length).length);
  const take = taker();
  const remembered = chapters.map(({ file }) =>
    file !== null && isSafe(file) && take(file) ? file : undefined,
  );
  return chapters.map(({ title }, index) => {
    const stem = [String(index + 1).padStart(digits, "0"), slug(title)].filter(Boolean).join("-");
    return remembered[index] ?? free(stem, take);
  });
}

/** The name of a book's folder: its slug, or `book` where no letter is left or Windows has a device of that name. */
export function nameFolder(title: string): string {
  const name = slug(title);
  return name === "" || isDevice(name) ? "book" : name;
}

function free(stem: string, take: (name: string) => boolean): string {
  for (let count = 1; ; count++) {
    const name = `${stem}${count === 1 ? "" : `-${count}`}.md`;
    if (take(name)) return name;
  }
}

/** Takes each name once: not where it is taken, or where one of them would be a folder of the other's. */
function taker(): (name: string) => boolean {
  const taken = new Set<string>();
  const folders = new Set<string>();
  return (name) => {
    const key = folded(name);
    const above = foldersOf(key);
    if (taken.has(key) || folders.has(key) || above.some((folder) => taken.has(folder))) return false;
    taken.add(key);
    for (const folder of above) folders.add(folder);
    return true;
  };
}

/** The folders that a name lies in: those of "a/b/c.md" are "a" and "a/b". */
function foldersOf(name: string): string[] {
  const steps = name.split("/").slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join("/"));
}
