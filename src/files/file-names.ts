import { TEXT_FILE } from "../service/text.ts";
import { slug } from "./slug.ts";

const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A file name for each chapter, relative to the folder: the one that it was imported from, else `NN-slug.md`. None leads
 * out of the folder, none is a device of Windows, and no two are the same where case does not count.
 */
export function nameFiles(chapters: readonly { title: string; file: string | null }[]): string[] {
  const digits = Math.max(2, String(chapters.length).length);
  const taken = new Set<string>();
  const take = (name: string) => {
    const key = name.normalize("NFC").toLowerCase();
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  };
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
  return name === "" || DEVICE.test(name) ? "book" : name;
}

function free(stem: string, take: (name: string) => boolean): string {
  for (let count = 1; ; count++) {
    const name = `${stem}${count === 1 ? "" : `-${count}`}.md`;
    if (take(name)) return name;
  }
}

// Not names with which files of either system lead elsewhere, cannot be made, or are hidden; nor those of files that are
// no Markdown: another program made them.
function isSafe(file: string): boolean {
  const steps = file.split("/");
  return (
    TEXT_FILE.test(file) &&
    file.length <= 255 &&
    !/[\u0000-\u001f\\:*?"<>|]/.test(file) &&
    steps.every((step) => step !== "" && !step.startsWith(".") && !DEVICE.test(step) && !/[. ]$/.test(step))
  );
}
