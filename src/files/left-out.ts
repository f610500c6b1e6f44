import { basename, dirname, join } from "node:path";
import { readProse } from "../book/incoming-prose.ts";
import type { BookId } from "../ids.ts";
import { readLeaves } from "../prose/document/leaves.ts";
import { BadRequest, PayloadTooLarge, WouldLose } from "../refusals.ts";
import { TEXT_FILE } from "../service/field-rules.ts";
import { readBook } from "../service/interchange/read-book.ts";
import { filesOf, readWorkingCopy } from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { counted } from "../text/columns.ts";
import type { BookFiles } from "./book-files.ts";
import { readTextFile } from "./disk/text-file.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { README } from "./layout-names.ts";
import { partsByFolder, reasonToSkip, walk } from "./layouts/folder.ts";
import { withPart } from "./layouts/manuscript.ts";

/** Lists files of a book's folder that are no chapters and may hold text, without lists and conflict files. */
function listOthers({ folder, book, isPart, chapters }: BookFiles): string[] {
  if (folder === undefined || book === undefined || isPart) return [];
  const known = new Set(chapters.map(({ file }) => file));
  const mayHoldText = (file: string) =>
    TEXT_FILE.test(file) || README.test(file) || !/\./.test(basename(file));
  return walk(folder).files.filter(
    (file) =>
      !known.has(file) &&
      mayHoldText(file) &&
      reasonToSkip(folder, file, (other) => known.has(other)) === undefined,
  );
}

/** Lists the left-out files that can become chapters. A README is about the folder, and cannot. */
function listLeftOut(files: BookFiles): string[] {
  return listOthers(files).filter((file) => TEXT_FILE.test(file) && !README.test(file));
}

/** Throws `WouldLose` if a paragraph that would go is in a left-out file, word for word. */
export function assertNotLeftOut(files: BookFiles, going: readonly string[]): void {
  const gone = new Set(going.map(plain).filter((text) => /\p{L}/u.test(text)));
  if (gone.size === 0) return;
  const holders = listOthers(files).flatMap((file) => {
    const text = `\n${paragraphsOf(files, file).join("\n")}\n`;
    // A paragraph of few words may occur in another by chance.
    const found = [...gone].filter((one) => text.includes(one.split(" ").length > 3 ? one : `\n${one}\n`));
    return found.length === 0 ? [] : [{ file, found }];
  });
  const found = [...new Set(holders.flatMap((holder) => holder.found))];
  const [first] = found;
  if (first === undefined) return;
  const named = holders.map(({ file }) => file).join(", ");
  const quote = first.length > 60 ? `${first.slice(0, 60).replace(/\s\S*$/, "")}…` : first;
  const [are, of] =
    holders.length === 1
      ? ["which is no chapter", "a chapter of that file"]
      : ["which are no chapters", "chapters of those files"];
  const adoptable = new Set(listLeftOut(files));
  const rename = holders.every(({ file }) => adoptable.has(file))
    ? ""
    : ", once it is called as a chapter's file is (scraps.md)";
  throw new WouldLose(
    `This would take ${counted(found.length, "paragraph")} out of the book that still ${found.length === 1 ? "stands" : "stand"} in ${named}, ${are}: “${quote}”. Nothing was written. Add --adopt to make ${of}${rename}, or --yes to let the text go from the book.`,
  );
}

/**
 * Adds the left-out files to a book's folder as chapters. Each goes behind the chapter that has its first known
 * paragraph, in the same part, else to the end.
 */
export function withAdopted(manuscript: Manuscript, files: BookFiles, bookId: BookId): BookFiles {
  const { folder = "" } = files;
  const adopted = listLeftOut(files);
  const { chapters: stored } = readBook(manuscript, bookId);
  const names = filesOf(readWorkingCopy(manuscript, { folder, bookId }));
  const chapterOf = new Map(
    stored.toReversed().flatMap((chapter) => leavesOf(chapter.prose()).map((text) => [text, chapter])),
  );
  const chapters = [...files.chapters];
  const partOf = partsByFolder();
  let behind = 0;
  for (const file of adopted.toReversed()) {
    const from = paragraphsOf(files, file).flatMap((text) => chapterOf.get(text) ?? [])[0];
    const at = from === undefined ? -1 : chapters.findIndex((other) => other.file === names.get(from.id));
    const isBeside = [".", dirname(chapters[at]?.file ?? ".")].includes(dirname(file));
    const part = from !== undefined && at >= 0 && isBeside ? { part: from.part } : {};
    const text = readTextFile(join(folder, file), file);
    const source = { ...withPart({ file }, files.book, partOf), name: file, text, ...part };
    chapters.splice(at < 0 ? chapters.length - behind++ : at + 1, 0, source);
  }
  const taken = new Set(adopted);
  return { ...files, chapters, skipped: files.skipped.filter(({ file }) => !taken.has(file)) };
}

/** Returns the paragraphs of a file; none if no chapter can be made of it. */
function paragraphsOf({ folder = "" }: BookFiles, name: string): string[] {
  try {
    const { body: markdown } = splitFrontMatter(readTextFile(join(folder, name), name));
    return leavesOf(readProse({ name, bom: false, markdown }).prose);
  } catch (error) {
    if (error instanceof BadRequest || error instanceof PayloadTooLarge) return [];
    throw error;
  }
}

function leavesOf({ blocks }: { blocks: readonly { node: Parameters<typeof readLeaves>[0] }[] }): string[] {
  return blocks.flatMap(({ node }) => readLeaves(node)).map(({ text }) => plain(text));
}

function plain(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}
