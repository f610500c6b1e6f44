import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AnswerOf, BodyOf } from "../../contract/index.ts";
import { holdsReview, importRead, readReviews, targetOf } from "../../files/import.ts";
import { LAYOUT_NAMES, type LayoutName } from "../../files/layout-names.ts";
import { findOffice } from "../../files/office.ts";
import { readPath } from "../../files/read-path.ts";
import { BadRequest } from "../../refusals.ts";
import { hasBook, theBook } from "../../service/guards.ts";
import { importComments } from "../../service/interchange/import-comments.ts";
import type { Caller, Manuscript } from "../../service/manuscript.ts";
import { sideOf } from "../../three-way.ts";

type Given = BodyOf<"importSent">;

/** What a book is called whose files lie in no folder. */
const NAMELESS = "Imported";

/**
 * Takes in files that a page has sent, as one act: comments of readers as notes, anything else by the layout that knows
 * it. Throws `BadRequest` for what is no path within a folder, and as `importRead` does.
 */
export async function importGiven(
  manuscript: Manuscript,
  given: Given,
  caller: Pick<Caller, "dryRun" | "once">,
): Promise<AnswerOf<"importSent">> {
  const { bookId, title, files } = given;
  if (bookId !== undefined && title !== undefined)
    throw new BadRequest("title names a new book and bookId one that is there; send one of them.");
  if (bookId !== undefined) theBook(manuscript, bookId);
  if (files.every((file) => "text" in file && /\.json$/i.test(file.path) && holdsReview(file.text)))
    return await importReviews(manuscript, given, caller);
  return await importFolder(manuscript, given, caller);
}

/** Takes in the comments of one reader or several on one book. */
async function importReviews(
  manuscript: Manuscript,
  { files, bookId: named, ...others }: Given,
  caller: Pick<Caller, "dryRun" | "once">,
): Promise<AnswerOf<"importSent">> {
  const [given] = Object.keys(others);
  if (given !== undefined) throw new BadRequest(`Comments are taken as they are: leave out ${given}.`);
  const texts = files.map((file) => ({ name: file.path, text: "text" in file ? file.text : "" }));
  const { bookId, ...reviews } = await readReviews(texts);
  const into = named ?? bookId;
  if (!hasBook(manuscript, into))
    throw new BadRequest(`${files[0]?.path} comments on a book that is not here.`);
  return importComments(manuscript, into, reviews, caller);
}

/** Takes in files by way of a folder of this user's alone, which is removed. */
async function importFolder(
  manuscript: Manuscript,
  given: Given,
  { dryRun = false, once }: Pick<Caller, "dryRun" | "once">,
): Promise<AnswerOf<"importSent">> {
  const { bookId: named, title, split, layout, adopt = false, clean = false, changes, acceptLoss } = given;
  const { force, yes = false } = given;
  const asked = layoutOf(layout);
  const folder = mkdtempSync(join(tmpdir(), "manuscript-import-")); // 0700
  try {
    const path = layOut(folder, given.files);
    const files = await readPath(path, {
      ...{ layout: asked, adopts: adopt, cleans: clean, split, title, changes, acceptsLoss: acceptLoss },
      isReturn: (id) =>
        title === undefined && (named !== undefined || (id !== undefined && hasBook(manuscript, id))),
      office: () => findOffice(process.env),
    });
    const bookId = title === undefined ? (named ?? targetOf(manuscript, files)) : undefined;
    const options = { dryRun, once, bookId, title, force: sideOf(force), yes, changes };
    return await importRead(manuscript, files, options);
  } catch (error) {
    throw withoutFolder(error, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function layoutOf(layout: string | undefined): LayoutName | undefined {
  const found = LAYOUT_NAMES.find((name) => name === layout);
  if (found === undefined && layout !== undefined)
    throw new BadRequest(`layout must be one of ${LAYOUT_NAMES.join(", ")}, got "${layout}".`);
  return found;
}

/** Writes the files below a folder; what is to be read of it: the single file, or the folder that holds them all. */
function layOut(folder: string, files: Given["files"]): string {
  const paths = files.map(({ path }, at) => partsOf(path, at));
  const twice = new Set(paths.map((parts) => parts.join("/").toLowerCase()));
  if (twice.size < paths.length)
    throw new BadRequest("Two of the files have the same path; each is to be sent once.");
  const [first = []] = paths;
  const isInFolder = first.length > 1 && paths.every((parts) => parts.length > 1 && parts[0] === first[0]);
  const base = isInFolder ? folder : join(folder, NAMELESS);
  for (const [at, file] of files.entries()) {
    writeWithin(
      join(base, ...(paths[at] ?? [])),
      "text" in file ? file.text : Buffer.from(file.base64, "base64"),
    );
  }
  if (files.length === 1) return join(base, ...first);
  return isInFolder ? join(folder, first[0] ?? "") : base;
}

function writeWithin(place: string, bytes: string | Buffer): void {
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    writeFileSync(place, bytes, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "EISDIR" || code === "ENOTDIR" || code === "ENAMETOOLONG")
      throw new BadRequest("One of the files has the path of a folder, or too long a name; rename it.");
    throw error;
  }
}

/** The folders and the name of a path, which leads out of nowhere. Throws `BadRequest`. */
function partsOf(path: string, at: number): string[] {
  const parts = path.split("/");
  const isWithin = parts.every(
    (part) => part !== "" && part !== "." && part !== ".." && !/[\\\0]/.test(part),
  );
  if (isWithin && !/^[a-z]:$/i.test(parts[0] ?? "")) return parts;
  throw new BadRequest(
    `The path of file ${at + 1} must lead from the folder down, such as part-1/storm.md.`,
    [{ path: `/files/${at}/path`, message: "is no path within a folder" }],
  );
}

/** The refusal without the name of a folder that nobody knows. */
function withoutFolder(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !error.message.includes(folder)) return error;
  error.message = error.message
    .replaceAll(`${join(folder, NAMELESS)}/`, "")
    .replaceAll(`${folder}/`, "")
    .replaceAll(folder, "the folder");
  return error instanceof BadRequest ? new BadRequest(error.message) : error; // its details say the same
}
