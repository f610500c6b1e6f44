import type { ChapterId } from "../ids.ts";
import { hasExchanged } from "../service/exchanges.ts";
import type { BookExport } from "../service/export-book.ts";
import type { ImportAnswer } from "../service/import-book.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { chapterFiles, type ExportedFile } from "./export.ts";
import { splitFrontMatter } from "./front-matter.ts";
import type { BookFiles } from "./read-book.ts";
import { faultOfName } from "./safe-name.ts";

/**
 * Each chapter's file in a folder that was just read, as it would be now: under the name that it has there, whatever an export
 * would call it, and without front matter where its file has none. In reading order; `answer` is what the import of the folder gave.
 */
export async function ownFiles(
  manuscript: Manuscript,
  book: BookExport,
  answer: ImportAnswer,
  files: BookFiles,
): Promise<ExportedFile[]> {
  const own = ownNames(manuscript, book, answer, files);
  const taken = new Set(own.values());
  const chapters = book.chapters.map((chapter) => {
    const free = chapter.file !== null && taken.has(chapter.file) ? null : chapter.file;
    return { ...chapter, file: own.get(chapter.id) ?? free };
  });
  const [marked, plain] = [
    await chapterFiles({ ...book, chapters }, { plain: false }),
    await chapterFiles({ ...book, chapters }, { plain: true }),
  ];
  const isPlain = new Map(
    files.chapters.map(({ file, text }) => [file, splitFrontMatter(text).frontMatter === ""]),
  );
  const areAllPlain = files.chapters.length > 0 && [...isPlain.values()].every(Boolean);
  return marked.map((exported, index) => {
    const file = own.get(chapters[index]!.id) ?? exported.file; // of one length, as `plain`
    return { file, bytes: ((isPlain.get(file) ?? areAllPlain) ? plain[index]! : exported).bytes };
  });
}

/**
 * The file that a chapter has in the folder: the one that was read, else the one that it remembers where the folder has had
 * it. A chapter that is new here has none yet, nor has one whose file is another chapter's by now.
 */
function ownNames(
  { store }: Manuscript,
  { chapters }: BookExport,
  answer: ImportAnswer,
  { folder = "" }: BookFiles,
): Map<ChapterId, string> {
  const own = new Map(answer.chapters.flatMap(({ id, file }) => (file === null ? [] : [[id, file]])));
  const taken = new Set(own.values());
  for (const { id, file } of chapters) {
    if (file === null || own.has(id) || taken.has(file) || faultOfName(file) !== undefined) continue;
    if (!hasExchanged(store, folder, id)) continue;
    own.set(id, file);
    taken.add(file);
  }
  return own;
}
