import { statSync } from "node:fs";
import { EXIT } from "../../contract/problems.ts";
import { importFiles } from "../../files/import.ts";
import { type BookFiles, chaptersOf, readBook } from "../../files/read-book.ts";
import { decode } from "../../files/text-file.ts";
import { BadRequest } from "../../refusals.ts";
import { type Call, replyWrite, type WriteOptions, withManuscript } from "../call.ts";
import { showImport, tellConflicts } from "../import-report.ts";
import { placeOf } from "../place.ts";
import { withProgress } from "../progress.ts";
import { resolveBook } from "../resolve.ts";
import { readInput, talk } from "../terminal.ts";

interface ImportOptions extends WriteOptions {
  book?: string;
  title?: string;
  diff?: boolean;
  exitCode?: boolean;
  force?: "mine" | "theirs";
  yes?: boolean;
  split?: number;
}

/** Takes Markdown in: a file, a folder or stdin; as a new book, or into one that is there. Or a whole bundle. */
export async function importPath(call: Call, [path]: [string], options: ImportOptions): Promise<void> {
  const { book, title, dryRun = false, diff = false, exitCode = false, force, yes = false, split } = options;
  if (isBundle(placeOf(call, path, "PATH"))) {
    const { importBundle } = await import("./bundle.ts");
    return await importBundle(call, path, { ...options, dryRun });
  }
  if (book !== undefined && title !== undefined) {
    throw new BadRequest("--title names a new book and --book one that is there; give one of them.");
  }
  if (book !== undefined && split !== undefined) {
    throw new BadRequest(
      "--split makes a new book of one file; export that book and import its folder from then on.",
    );
  }
  if (exitCode) call.fail(EXIT.usage); // 1 is kept for "something would change"
  await withManuscript(call, async (manuscript) => {
    const bookId = book === undefined ? undefined : resolveBook(manuscript, book).id;
    const files =
      path === "-"
        ? await readStdin(call, split)
        : readBook(placeOf(call, path, "PATH"), { mayLack: book !== undefined, split });
    for (const { file, reason } of files.skipped) await talk(call.terminal, `Left out ${file}: ${reason}.`);
    const answer = await withProgress(call.terminal, "Importing", (step) =>
      importFiles(manuscript, files, {
        dryRun,
        diff,
        yes,
        step,
        ...(force === undefined ? {} : { force }),
        ...(bookId === undefined ? {} : { bookId }),
        ...(title === undefined ? {} : { title }),
      }),
    );
    await replyWrite(call, answer, (done) => showImport(call.terminal, done));
    const isSame = answer.chapters.every(({ status }) => status === "same" || status === "left");
    if (exitCode) call.fail(isSame ? EXIT.done : EXIT.failed);
    const conflicts = answer.chapters.filter(({ status }) => status === "conflict");
    if (conflicts.length > 0) await tellConflicts(call, files.folder, { conflicts, isDry: dryRun });
  });
}

function isBundle(path: string): boolean {
  return /\.json$/i.test(path) && !statSync(path, { throwIfNoEntry: false })?.isDirectory();
}

async function readStdin({ terminal }: Call, split: number | undefined): Promise<BookFiles> {
  const text = decode(await readInput(terminal), "stdin");
  if (text === "") throw new BadRequest("stdin gave nothing; nothing was imported."); // what was to write it may have failed
  return {
    folder: undefined,
    book: undefined,
    chapters: chaptersOf({ file: null, name: "stdin", text }, split),
    skipped: [],
    fallbackTitle: undefined,
  };
}
