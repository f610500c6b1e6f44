import { statSync } from "node:fs";
import { EXIT } from "../../contract/problems.ts";
import { importFiles, targetOf } from "../../files/import.ts";
import { type BookFiles, chaptersOf, readBook } from "../../files/read-book.ts";
import { decode } from "../../files/text-file.ts";
import { BadRequest } from "../../refusals.ts";
import { tellEntryConflicts } from "../beside-report.ts";
import { type Call, replyWrite, type WriteOptions, withManuscript } from "../call.ts";
import { isAllSame, showImport, tellConflicts } from "../import-report.ts";
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
    const named = book === undefined ? undefined : resolveBook(manuscript, book).id;
    const files =
      path === "-" ? await readStdin(call, split) : await readBook(placeOf(call, path, "PATH"), { split });
    const bookId = title === undefined ? (named ?? targetOf(manuscript, files)) : undefined;
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
    if (exitCode) call.fail(isAllSame(answer) ? EXIT.done : EXIT.failed);
    await tellConflicts(call, files.folder, { ...answer, isDry: dryRun });
    await tellEntryConflicts(call, answer);
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
    list: undefined,
    isWhole: false,
    chapters: chaptersOf({ file: null, name: "stdin", text }, split),
    missing: [],
    skipped: [],
    fallbackTitle: undefined,
  };
}
