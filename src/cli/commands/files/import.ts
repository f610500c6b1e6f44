import { statSync } from "node:fs";
import { EXIT } from "../../../contract/problems.ts";
import { importRead, targetOf, withoutPictures } from "../../../files/import.ts";
import { findOffice } from "../../../files/office.ts";
import { readGiven } from "../../../files/read-given.ts";
import { BooksWithin, type PathBook, readPath } from "../../../files/read-path.ts";
import { BadRequest } from "../../../refusals.ts";
import { hasBook } from "../../../service/guards.ts";
import { bookOfFiles } from "../../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { sideOf } from "../../../three-way.ts";
import { placeOf } from "../../input/arguments.ts";
import { resolveBook } from "../../input/resolve.ts";
import { type Call, replyWrite, takeBack } from "../../io/call.ts";
import { readInput, talk, withProgress } from "../../io/terminal.ts";
import { isAllSame, showImport, tellConflicts, tellOlder, tellSkipped } from "../../output/import-report.ts";
import { tellImportedPictures } from "../../output/pictures.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import { inOwnFolder, proposeRead } from "./own-folder.ts";

type ImportOptions = OptionsOf<(typeof ROWS)["import"]>;

/** Takes Markdown in: a file, a folder or stdin; as a new book, or into one that is there. Or a whole bundle. */
export const COMMANDS: CommandsOf<typeof ROWS, "import"> = {
  import: async (call, { path, ...options }) => {
    const { book, title, exitCode } = options;
    if (isJson(placeOf(call, path, "PATH"))) {
      const { importReview, isReview } = await import("./review.ts");
      if (isReview(placeOf(call, path, "PATH"))) return await importReview(call, path, options);
      const { importBundle } = await import("./bundle.ts");
      return await importBundle(call, path, options);
    }
    if (book !== undefined && title !== undefined) {
      throw new BadRequest("--title names a new book and --book one that is there; give one of them.");
    }
    if (book !== undefined && typeof options.split === "number") {
      throw new BadRequest(
        "--split makes a new book of one file; export that book and import its folder from then on.",
      );
    }
    if (exitCode) call.fail(EXIT.usage); // 1 is kept for "something would change"
    const manuscript = await call.open();
    const importAll = async () => {
      for (const files of await readBooks(call, manuscript, path, options))
        await importAsked(call, manuscript, files, { path, ...options });
    };
    if (path === "-") return await importAll();
    const place = { path: placeOf(call, path, "PATH"), who: "manuscript import", isDry: call.isDry };
    await inOwnFolder(call, manuscript, place, importAll);
  },
};

/** Reads the book at a path, or each of several in a folder. One answer in JSON has room for one book. */
async function readBooks(
  call: Call,
  manuscript: Manuscript,
  path: string,
  options: ImportOptions,
): Promise<PathBook[]> {
  try {
    return [await readAsked(call, manuscript, path, options)];
  } catch (error) {
    const isForOne = call.json || (options.book ?? options.title ?? options.exitCode) !== undefined;
    if (!(error instanceof BooksWithin) || isForOne) throw error;
    const books: PathBook[] = [];
    for (const index of error.paths) books.push(await readAsked(call, manuscript, index, options));
    return books;
  }
}

async function importAsked(
  call: Call,
  manuscript: Manuscript,
  files: PathBook,
  { path, ...options }: ImportOptions & { path: string },
): Promise<void> {
  const { book, title, diff = false, exitCode, force, yes = false } = options;
  const named = book === undefined ? undefined : resolveBook(manuscript, book).id;
  const bookId = title === undefined ? (named ?? targetOf(manuscript, files)) : undefined;
  if (options.propose) {
    if (bookId === undefined)
      throw new BadRequest("Only for a book that is there can changes be proposed: name it with --book.");
    return await proposeRead(call, manuscript, files, { bookId, reason: `import ${path}` });
  }
  const answer = await withProgress(call.terminal, "Importing", (step) =>
    importRead(manuscript, files, {
      dryRun: call.isDry,
      diff,
      yes,
      step,
      force: sideOf(force),
      bookId,
      title,
      changes: options.changes,
    }),
  );
  await tellSkipped(call.terminal, withoutPictures(files.skipped, answer.pictures));
  await tellImportedPictures(call.terminal, answer.pictures);
  const how = files.isTelling ? `${howRead(files)}\n` : "";
  await replyWrite(call, answer, () => how + showImport(call.terminal, answer, call.isDry), [
    ...(bookId === undefined && answer.chapters.every(({ wordCount }) => wordCount === 0) ? [NO_WORDS] : []),
    takeBack(call, answer),
  ]);
  if (exitCode) call.fail(isAllSame(answer) ? EXIT.done : EXIT.failed);
  await tellOlder(call.terminal, answer);
  await tellConflicts(call, files.folder, answer);
}

const NO_WORDS =
  "The book has no words: there is nothing but front matter, comments or markup in what was read.";

function isJson(path: string): boolean {
  return /\.json$/i.test(path) && !statSync(path, { throwIfNoEntry: false })?.isDirectory();
}

/** Into a book that is there, one file is one chapter, and so is one that came from there. */
async function readAsked(
  call: Call,
  manuscript: Manuscript,
  path: string,
  {
    book: into,
    title,
    split: level,
    layout,
    changes,
    adopt: adopts = false,
    clean: cleans = false,
    encoding,
    acceptLoss: acceptsLoss = false,
  }: ImportOptions,
): Promise<PathBook> {
  const split = into === undefined ? level : "none";
  const isChapter = ({ folder, file }: { folder: string; file: string }) =>
    title === undefined && bookOfFiles(manuscript, folder, [file]) !== undefined;
  const isReturn = (id: string | undefined) =>
    title === undefined && (into !== undefined || (id !== undefined && hasBook(manuscript, id)));
  const office = () => findOffice(call.terminal.env, (line) => void talk(call.terminal, line));
  const reading = { split, title, changes, isReturn, cleans, encoding, acceptsLoss, office };
  if (path !== "-")
    return await readPath(placeOf(call, path, "PATH"), { ...reading, layout, adopts, isChapter });
  if (adopts || (layout !== undefined && layout !== "file")) {
    throw new BadRequest("stdin is one text: leave --adopt out, and every --layout but file.");
  }
  return await readGiven(await readInput(call.terminal), reading);
}

/** "Read as Longform (Index.md); another: --layout NAME." */
function howRead({ layout, called, why }: PathBook): string {
  const remedy = layout === "file" || layout === "document" ? "--split none, or a level" : "--layout NAME";
  return `Read as ${called} (${why}); another: ${remedy}.`;
}
