import { existsSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isHeadingOf } from "../prose/document/heading.ts";
import { readingText } from "../prose/document/text.ts";
import { Damaged, WouldLose } from "../refusals.ts";
import {
  type Book,
  hasAnnotations,
  readProseAhead,
  readWholeBook,
} from "../service/interchange/read-book.ts";
import { isKnownText, readWorkingCopy } from "../service/interchange/working-copy.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { chaptersNumbered } from "../service/naming/named.ts";
import type { Ranges } from "../text/ranges.ts";
import { makeFolder } from "./atomic-write.ts";
import type { Replacing } from "./disk/replace-files.ts";
import { hash } from "./disk/text-file.ts";
import { copyPictures } from "./export/copy-pictures.ts";
import { type Exported, writeExported } from "./export/write-exported.ts";
import { nameFiles } from "./file-names.ts";
import { BOOK_YAML } from "./folder/manifest.ts";
import {
  type ChapterFileOut,
  copiedChapter,
  copiedList,
  type FolderState,
  freshList,
  isFolderOf,
  isFreshList,
  placeFiles,
  type RenderOptions,
  readListText,
  renderChapter,
  updateList,
} from "./folder/render-folder.ts";
import { schemaFiles, schemaLine } from "./format/schemas.ts";
import { picturesIn, picturesOf } from "./pictures.ts";
import { type OutFile, writeFolder } from "./write-folder.ts";

/** Options of an export. */
interface ExportOptions extends Replacing {
  /** Writes the prose alone. */
  plain?: boolean;
  /** Writes the ids of paragraphs. */
  blockIds?: boolean;
  /** Overwrites files that an export would refuse to overwrite. */
  force?: boolean;
}

/** A rendered book, without the names of its files where they are not known yet. */
interface Rendered {
  book: Book;
  chapters: ChapterFileOut[];
  pictures: ReturnType<typeof picturesOf>;
}

/**
 * Renders the chapters of a book, at present or at a moment, as file contents in reading order; `name` names them.
 * Throws `NotFound`, and `BadRequest` for an unknown moment.
 */
export async function renderBook(
  manuscript: Manuscript,
  bookId: string,
  {
    plain = false,
    blockIds = false,
    moment,
    mark,
  }: Pick<ExportOptions, "plain" | "blockIds"> & {
    moment?: string | undefined;
    mark?: RenderOptions["mark"];
  },
  name: (book: Book) => readonly string[] = () => [],
): Promise<Rendered> {
  const marks = blockIds ? await import("../service/interchange/export-block-ids.ts") : undefined;
  const written = mark ?? marks?.withBlockIds;
  const past = moment === undefined ? undefined : await import("../service/history/past-book.ts");
  const book =
    moment === undefined || past === undefined
      ? readWholeBook(manuscript, bookId, { mark: written })
      : past.readPastBook(manuscript, bookId, moment);
  const options = await renderOptions(book, { plain, mark: written });
  const names = name(book);
  const chapters = book.chapters.map((chapter, index) => renderChapter(chapter, names[index] ?? "", options));
  return { book, chapters, pictures: picturesOf(book.chapters) };
}

/**
 * Renders a book's chapters as one text: their Markdown, or plain text as readers see it. Each begins with its title. Throws
 * as `renderBook`, and `BadRequest` for numbers that no chapter has.
 */
export async function renderText(
  manuscript: Manuscript,
  bookId: string,
  {
    isPlain,
    numbers,
    moment,
  }: { isPlain: boolean; numbers: Ranges | undefined; moment?: string | undefined },
): Promise<{ bytes: Buffer; chapters: number; pictures: Rendered["pictures"] }> {
  const { writeBlock } = await import("../prose/write.ts"); // it loads a parser
  const { book } = await renderBook(manuscript, bookId, { plain: true, moment });
  const chapters = chaptersNumbered(book.chapters, numbers);
  const texts = chapters.map((chapter) => {
    const { title } = chapter;
    const nodes = chapter.prose().blocks.map(({ node }) => node);
    const heading = { type: "heading", attrs: { level: 1 }, content: [{ type: "text", text: title }] };
    const isTitled = nodes[0] !== undefined && isHeadingOf(nodes[0], title);
    const blocks = isPlain
      ? [...(isTitled ? [] : [title]), ...nodes.map((node) => readingText(node))]
      : [
          ...(isTitled ? [] : [writeBlock(heading)]),
          chapter
            .markdown()
            .toString()
            .replace(/^\ufeff/, ""),
        ];
    return blocks.join("\n\n").trim();
  });
  return {
    bytes: Buffer.from(`${texts.join("\n\n")}\n`),
    chapters: chapters.length,
    pictures: picturesOf(chapters),
  };
}

/** True if a folder has the schemas of its files, or gets them because it is new. */
function hasSchemas({ folder, list }: FolderState): boolean {
  return list === undefined || schemaFiles().every(({ file }) => existsSync(join(folder, file)));
}

/** Returns the text of the list. Only a new list begins with the line that names its schema. */
async function listText(
  book: Book,
  state: FolderState,
  { fresh, plain }: { fresh: string; plain: boolean },
): Promise<string> {
  const { list } = state;
  if (list === undefined) return plain ? fresh : schemaLine(BOOK_YAML) + fresh;
  if (isFreshList(list, fresh)) return list;
  return isFolderOf(book, state) ? updateList(await import("yaml"), book, state, fresh) : fresh;
}

/** Returns the options for rendering all of a book's files. Loads YAML only if a chapter came with front matter. */
async function renderOptions(
  { parts, chapters }: Book,
  { plain, mark }: { plain: boolean; mark: RenderOptions["mark"] },
): Promise<RenderOptions> {
  const hasBlocks = !plain && chapters.some(({ frontMatter }) => frontMatter !== "");
  const yaml = hasBlocks ? await import("yaml") : undefined;
  return { parts, style: { isPlain: () => plain, isMarked: () => mark !== undefined }, yaml, mark };
}

/** Calls `make` for a chapter. If its prose is damaged, notes that and returns undefined. */
function ofSound<Made>(damaged: Set<string>, { id }: { id: string }, make: () => Made): Made | undefined {
  if (damaged.has(id)) return undefined;
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    damaged.add(id);
    return undefined;
  }
}

/**
 * Writes a book into a folder: one file for each chapter, facts and notes, and `book.yaml`. Returns the book and the
 * result for each chapter's file. Throws `NotFound`, and `WouldLose` before anything is written if it would overwrite
 * files that no export of this book has left that way.
 */
export async function exportFolder(
  manuscript: Manuscript,
  bookId: string,
  path: string,
  { plain = false, blockIds = false, force = false, ...replacing }: ExportOptions = {},
): Promise<Exported> {
  // Loaded on demand: few books have facts or notes.
  const isThere = () => ["facts.yaml", "notes.yaml"].some((file) => existsSync(join(path, file)));
  const has = hasAnnotations(manuscript, bookId);
  const isAnnotated = !plain && (has.facts || has.notes || isThere());
  const extras = isAnnotated ? await import("./annotations/write-annotations.ts") : undefined;
  const marks = blockIds ? await import("../service/interchange/export-block-ids.ts") : undefined;
  const yaml = extras && (await import("yaml"));
  const damaged = new Set<string>();
  const soundOf = (all: Book["chapters"]) => all.filter(({ id }) => !damaged.has(id));
  const ahead = readProseAhead(manuscript, bookId);
  const { book, state, names, annotations, pictures } = manuscript.store.snapshot(() => {
    const read = { annotate: extras?.readAnnotations, mark: marks?.withBlockIds, damaged, ahead };
    const book = readWholeBook(manuscript, bookId, read);
    makeFolder(path);
    const folder = realpathSync(path);
    const copy = readWorkingCopy(manuscript, { folder, bookId });
    const state = { folder, list: readListText(folder), copy };
    const names = placeFiles(book, state);
    const isSchemed = hasSchemas(state);
    const annotations =
      yaml && extras?.exportAnnotations(manuscript, book, folder, { names, force, yaml, isSchemed });
    const pictures = new Map(
      book.chapters.map((chapter) => [
        chapter.id,
        ofSound(damaged, chapter, () => picturesIn(chapter)) ?? [],
      ]),
    );
    return { book, state, names, annotations, pictures };
  });
  const { folder } = state;
  const options = await renderOptions(book, { plain, mark: marks?.withBlockIds });
  // The list names a damaged chapter too. Its old file, if there is one, stays.
  const named = book.chapters.map((chapter, index) => {
    const file = names[index] ?? ""; // one name a chapter
    return (
      ofSound(damaged, chapter, () => renderChapter(chapter, file, options)) ?? {
        chapter,
        file,
        isPlain: plain,
      }
    );
  });
  const chapters = named.flatMap((one) => ("bytes" in one ? [one] : []));
  const isOwn = isFolderOf(book, state);
  const fresh = freshList(book, named);
  const text = await listText(book, state, { fresh, plain });
  const list: OutFile = { file: BOOK_YAML, bytes: Buffer.from(text) };
  const isNew = state.list === undefined && !plain;
  const schemas = schemaFiles().filter(({ file }) => isNew || existsSync(join(folder, file)));
  const known = new Set([...(annotations?.known ?? []), ...schemas.map(({ file }) => file)]);
  // The list is written last: a run killed earlier starts again with everything that a new folder needs.
  const others = [...(annotations?.files ?? []), ...schemas, list];
  const written = await writeExported(
    manuscript,
    { book: { ...book, chapters: soundOf(book.chapters) }, chapters, others, pictures },
    {
      ...{ folder, isOwn, force, replacing },
      isKnown: (file, bytes) =>
        known.has(file) || (file === BOOK_YAML && isKnownText(manuscript, { bookId, file }, hash(bytes))),
      recorded: {
        chapters: chapters.map(copiedChapter),
        texts: [...(annotations?.copied ?? []), copiedList(book, named, text)],
      },
    },
  );
  const left = named.filter(({ chapter }) => damaged.has(chapter.id));
  return {
    ...written,
    damaged: left.map(({ chapter: { id, title }, file }) => ({ id, title, file })),
    unsaid: [],
  };
}

/** Options for exporting a book that no folder is kept in step with. */
interface ApartOptions extends Replacing {
  /** The book as it was then; else as it is. */
  moment?: string | undefined;
  plain?: boolean;
  blockIds?: boolean;
  /** Writes a chapter's Markdown. */
  mark?: RenderOptions["mark"];
}

/**
 * Writes a book as it was, or with something in its prose, into a new folder: its chapters and `book.yaml`, each file
 * with its revision, so that edits can be merged from there. Facts and notes are not written: only today's are known.
 * Throws `NotFound`, `BadRequest` for an unknown moment, and `WouldLose` for a folder that is not empty.
 */
export async function exportApart(
  manuscript: Manuscript,
  bookId: string,
  path: string,
  { moment, plain = false, blockIds = false, mark, ...replacing }: ApartOptions,
): Promise<Exported> {
  const name = (book: Exported["book"]) => nameFiles(book.chapters, book.parts);
  const { book, chapters, pictures } = await renderBook(
    manuscript,
    bookId,
    { moment, plain, blockIds, mark },
    name,
  );
  makeFolder(path);
  const folder = realpathSync(path);
  if (readdirSync(folder).length > 0)
    throw new WouldLose(`${folder} holds files; this export goes into a new folder. Name one with -o.`);
  const list = (plain ? "" : schemaLine(BOOK_YAML)) + freshList(book, chapters);
  const others = [...(plain ? [] : schemaFiles()), { file: BOOK_YAML, bytes: Buffer.from(list) }];
  const written = await writeFolder(folder, [...chapters, ...others], {
    mayOverwrite: () => false,
    ...replacing,
  });
  return {
    book,
    files: chapters.map(({ file }, index) => ({ file, status: written[index]?.status ?? "same" })), // one entry a file
    pictures: await copyPictures(manuscript, folder, { chapters, pictures }),
    ...{ kept: [], busy: [], unsaid: [] },
  };
}
