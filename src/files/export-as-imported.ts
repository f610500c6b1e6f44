import { realpathSync } from "node:fs";
import { isKnownText, readWorkingCopy } from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { ANNOTATIONS } from "./annotations/annotation-texts.ts";
import { type BookAsImported, renderAsImported } from "./as-imported.ts";
import { makeFolder } from "./disk/atomic-write.ts";
import type { Replacing } from "./disk/replace-files.ts";
import { hash } from "./disk/text-file.ts";
import { copiedChapter } from "./folder/render-folder.ts";
import { type Exported, writeExported } from "./write-exported.ts";

/**
 * Writes a book into a folder as the files in which it came in. It may be the original folder, if nobody has edited
 * the files there. Unchanged files are left alone. Returns the result for each chapter's file, and what the files
 * leave out. Throws `NotFound`, and `WouldLose` before anything is written.
 */
export async function exportAsImported(
  manuscript: Manuscript,
  bookId: string,
  path: string,
  { force = false, ...replacing }: Replacing & { force?: boolean } = {},
): Promise<Exported> {
  const { book, chapters, others, pictures, unsaid } = await renderAsImported(manuscript, bookId);
  makeFolder(path);
  const folder = realpathSync(path);
  const isOwn = readWorkingCopy(manuscript, { folder, bookId: book.id }).chapters.size > 0;
  const written = await writeExported(
    manuscript,
    { book, chapters, others, pictures },
    {
      ...{ folder, isOwn, force, replacing },
      isKnown: (file, bytes) => isKnownText(manuscript, { bookId: book.id, file }, bytes.toString()),
      recorded: recorded({ chapters, others }),
    },
  );
  return { ...written, unsaid };
}

/** Returns the rows for the working copy. A later import finds nothing new, and a sync writes its own format. */
function recorded({ chapters, others }: Pick<BookAsImported, "chapters" | "others">) {
  const texts = others.filter(({ file }) => !ANNOTATIONS.some((other) => other === file));
  return {
    chapters: chapters.map((chapter) => ({ ...copiedChapter(chapter), isWritten: 0 as const })),
    texts: texts.map(({ file, bytes }) => ({
      ...{ file, hash: hash(bytes), text: bytes.toString() },
      ...{ isWritten: 0 as const, stored: null },
    })),
  };
}
