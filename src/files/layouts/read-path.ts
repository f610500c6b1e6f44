import { basename, dirname } from "node:path";
import { BadRequest } from "../../refusals.ts";
import { statOf } from "../disk/text-file.ts";
import type { BookFiles } from "../folder/book-files.ts";
import type { Layout, LayoutBook, Reading, Source } from "./layout.ts";
import { adopt, restOf } from "./left-out.ts";
import { LAYOUT_NAMES, type LayoutName } from "./names.ts";
import { LAYOUTS } from "./table.ts";

/** A book as it was read from a path, and how. */
export interface PathBook extends BookFiles {
  layout: LayoutName;
  /** The layout as sentences call it. */
  called: string;
  /** What showed it, and what was guessed besides. */
  why: string;
  /** Whether the plan should say so: not for what is ours, nor for a plain folder or file. */
  isTelling: boolean;
}

/** How a path is to be read. */
export interface PathReading extends Partial<Reading> {
  /** Overrules what would be detected. */
  layout?: LayoutName | undefined;
  /** Take the Markdown and text in that the layout does not know, behind what it does. */
  adopts?: boolean;
}

/**
 * Reads a book from a folder or a file, in the layout asked for or the first that it shows, and lists every other file of
 * the folder as left out. Throws `BadRequest` for a layout that it does not have, and what reading throws.
 */
export async function readPath(
  path: string,
  { layout: asked, split, isChapter, adopts = false }: PathReading,
): Promise<PathBook> {
  const source = sourceOf(path);
  const { layout, mark } = asked === undefined ? await detect(source) : await overrule(source, asked);
  const isOneText = !source.isFolder && (layout.name === "file" || layout.name === "scrivener");
  if (typeof split === "number" && !isOneText) {
    const what = source.isFolder ? "is a folder" : `is read as ${layout.called}; add --layout file`;
    throw new BadRequest(`--split cuts one file into chapters, and ${path} ${what}.`);
  }
  const reading = layout.read(source, { split, isChapter });
  const read = await (asked === undefined && !OWN.has(layout.name)
    ? reading.catch(withRemedy(layout, source))
    : reading);
  const book = isOneText ? read : withRest(read, source, { layout, adopts });
  const { guess, used: _, ...files } = book;
  const isOwn = OWN.has(layout.name);
  return {
    ...files,
    layout: layout.name,
    called: layout.called,
    why: isOwn ? (guess ?? mark) : [mark, guess].filter(Boolean).join("; "),
    isTelling: !isOwn || guess !== undefined,
  };
}

// Layouts whose files are as ours.
const OWN: ReadonlySet<LayoutName> = new Set<LayoutName>(["manuscript", "folder", "file"]);

/**
 * Reads a folder that is to be written to as well: one that an export made, or plain Markdown. Throws `BadRequest` for one
 * that another program keeps: our front matter would be strange to it.
 */
export async function readOwnFolder(path: string): Promise<BookFiles> {
  const source = sourceOf(path);
  const { layout } = await detect(source);
  if (source.isFolder && !OWN.has(layout.name)) {
    throw new BadRequest(
      `${path} is a project of another program (${layout.called}), and a sync would write into it. Export the book into a folder of its own and sync that one; "manuscript import ${path} --book BOOK" goes on taking changes in from here.`,
    );
  }
  const { used: _, ...files } = await layout.read(source, { split: "none" });
  return files;
}

function sourceOf(path: string): Source {
  const stat = statOf(path, `file or folder ${path}`);
  if (stat.isDirectory()) return { path, isFolder: true, folder: path, file: undefined };
  if (!stat.isFile()) throw new BadRequest(`${path} is neither a file nor a folder.`);
  return { path, isFolder: false, folder: dirname(path), file: basename(path) };
}

async function detect(source: Source): Promise<{ layout: Layout; mark: string }> {
  for (const name of LAYOUT_NAMES) {
    const layout = LAYOUTS[name];
    const mark = await Promise.resolve(source).then(layout.detect).catch(withRemedy(layout, source));
    if (mark !== undefined) return { layout, mark };
  }
  throw new BadRequest(`${source.path} has no layout that is known.`); // a folder and a file have
}

async function overrule(source: Source, name: LayoutName): Promise<{ layout: Layout; mark: string }> {
  const layout = LAYOUTS[name];
  const mark = (await layout.detect(source)) ?? layout.admits?.(source);
  if (mark === undefined) {
    throw new BadRequest(
      `${source.path} cannot be read as ${layout.called} (--layout ${name}): ${layout.lacks}.`,
    );
  }
  return { layout, mark };
}

/** A layout that was not asked for may be the wrong one: its refusal says how to have another. */
function withRemedy({ called }: Layout, { isFolder }: Source): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof BadRequest)) throw error;
    throw new BadRequest(
      `${error.message} It was read as ${called}; --layout ${isFolder ? "folder" : "file"} reads it as it lies.`,
    );
  };
}

function withRest(
  book: LayoutBook,
  { folder }: Source,
  { layout, adopts }: { layout: Layout; adopts: boolean },
): LayoutBook {
  const index = layout.name === "folder" ? undefined : (book.used[0] ?? layout.called);
  const skipped = [...book.skipped, ...restOf(folder, book, index)];
  const taken = adopts ? adopt(folder, skipped, { isForeign: !OWN.has(layout.name) }) : [];
  const isTaken = new Set(taken.map(({ file }) => file));
  return {
    ...book,
    chapters: [...book.chapters, ...taken],
    skipped: skipped.filter(({ file }) => !isTaken.has(file)),
  };
}
