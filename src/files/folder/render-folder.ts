import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { BookExport, ChapterExport } from "../../service/interchange/export-book.ts";
import { lastExchange } from "../../service/interchange/sync-base.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { isFileWithin } from "../disk/text-file.ts";
import { type OutFile, readIfThere } from "../disk/write-folder.ts";
import type { Yaml } from "../yaml/open.ts";
import { foldersOf, nameFiles } from "./file-names.ts";
import { blockEnd, openBlock } from "./front-matter.ts";
import { BOOK_YAML } from "./manifest-files.ts";
import { chapterBytes } from "./render-chapter.ts";
import { type NamedChapter, updateBookYaml, writeBookYaml } from "./write-book-yaml.ts";

/** A chapter's file as it is to be in a folder. */
export interface ChapterFileOut extends NamedChapter, OutFile {}

/** How the files of a folder are written. */
export interface Style {
  /** Tells files that are the prose alone. */
  isPlain: (file: string) => boolean;
  /** Tells files that hold block ids, which are `marked`'s. */
  isMarked?: (file: string) => boolean;
  marked?: BookExport | undefined;
}

/** The bytes of each chapter's file; `names` are the files'. */
export async function renderChapters(
  book: BookExport,
  names: readonly string[],
  { isPlain: isPlainFile, isMarked, marked }: Style,
): Promise<ChapterFileOut[]> {
  const hasBlocks = book.chapters.some(
    ({ frontMatter }, index) => frontMatter !== "" && !isPlainFile(names[index]!), // one name a chapter
  );
  const yaml = hasBlocks ? await import("yaml") : undefined;
  return book.chapters.map((bare, index) => {
    const file = names[index]!; // one name a chapter
    const chapter = (isMarked?.(file) ? marked?.chapters[index] : undefined) ?? bare;
    const isPlain = isPlainFile(file);
    return {
      chapter,
      file,
      isPlain,
      bytes: isPlain ? chapter.markdown : chapterBytes(chapter, book.parts, yaml),
    };
  });
}

/** What `book.yaml` says of a book besides its chapters. */
export type Described = Partial<Pick<BookExport, "title" | "goal" | "manifest" | "parts">>;

/** A book as it is to be in a folder. */
export interface Rendered {
  chapters: ChapterFileOut[];
  /** The folder is this book's: an export or a sync made it. */
  isBooks: boolean;
  /** `book.yaml` over these of its chapters; `as` says otherwise than the manuscript. */
  list: (chapters: readonly NamedChapter[], as?: Described) => Promise<OutFile>;
}

/**
 * A book as it is to be in a folder that may hold it already: chapters have the files that they have there, and a file
 * that would change in nothing but the number of its revision stays as it is.
 */
export async function renderFolder(
  manuscript: Manuscript,
  book: BookExport,
  folder: string,
  { here: read, ...style }: Style & { here?: ReadonlyMap<string, string> },
): Promise<Rendered> {
  const before = readIfThere(join(folder, BOOK_YAML))?.toString();
  const isBooks = before?.includes(`manuscript: ${book.id}`) === true;
  const { here, others } = findFiles(manuscript, book, folder, { isBooks, read });
  const named = book.chapters.map((chapter) => ({ ...chapter, here: here.get(chapter.id) }));
  const rendered = await renderChapters(book, nameFiles(named, book.parts, others), style);
  const chapters = await Promise.all(rendered.map((out) => keepRevision(out, folder, book.parts)));
  return {
    chapters,
    isBooks,
    list: async (listed, as) => {
      const folders = foldersOf(listed.map(({ chapter: { part }, file }) => ({ part, file })));
      // A folder is one part's; chapters of others that have their files there say so.
      const taken = new Set(["."]);
      for (const [part, path] of folders) {
        if (taken.has(path)) folders.delete(part);
        taken.add(path);
      }
      const fresh = writeBookYaml({ ...book, ...as }, listed, folders);
      const isNew = !isBooks || before === fresh;
      const text = isNew ? fresh : updateBookYaml(await import("yaml"), before, fresh);
      return { file: BOOK_YAML, bytes: Buffer.from(text) };
    },
  };
}

/**
 * The file that each chapter has in the folder, or had there and nobody has taken since: those that were `read` before
 * all. In a folder of this book a file may have moved: its front matter says whose it is. And the other Markdown files.
 */
function findFiles(
  manuscript: Manuscript,
  { chapters }: BookExport,
  folder: string,
  { isBooks, read }: { isBooks: boolean; read: ReadonlyMap<string, string> | undefined },
) {
  const here = new Map<string, string>(read);
  const taken = new Set(here.values());
  const set = (id: string, file: string) => {
    here.set(id, file);
    taken.add(file);
  };
  const lost: { id: string; file: string }[] = [];
  for (const { id } of chapters) {
    const file = lastExchange(manuscript, { folder, chapterId: id })?.file;
    if (here.has(id) || file == null || taken.has(file)) continue;
    if (isFileWithin(folder, join(folder, file))) set(id, file);
    else lost.push({ id, file });
  }
  const others = isBooks ? listMarkdown(folder).filter((file) => !taken.has(file)) : [];
  const ids = new Set(chapters.flatMap(({ id }) => (here.has(id) ? [] : [id as string])));
  const unknown = others.filter((file) => {
    const id = ids.size === 0 || !isFileWithin(folder, join(folder, file)) ? undefined : idOf(folder, file);
    if (id === undefined || !ids.delete(id)) return true;
    set(id, file);
    return false;
  });
  for (const { id, file } of lost) if (!here.has(id) && !taken.has(file)) set(id, file);
  return { here, others: unknown };
}

function listMarkdown(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".")) return [];
    if (!entry.isDirectory()) return /\.md$/i.test(entry.name) ? [entry.name] : [];
    return readdirSync(join(folder, entry.name))
      .filter((name) => /\.md$/i.test(name))
      .map((name) => `${entry.name}/${name}`);
  });
}

function idOf(folder: string, file: string): string | undefined {
  const bytes = readIfThere(join(folder, file)) ?? Buffer.alloc(0);
  return /^id: *["']?(ch_\w+)/m.exec(blockOf(bytes))?.[1];
}

/** The YAML that a file begins with. */
function blockOf(bytes: Buffer): string {
  const text = bytes.toString().replace(/^\ufeff/, "");
  const end = blockEnd(text);
  return end === undefined ? "" : openBlock(text.slice(0, end)).yaml;
}

async function keepRevision(
  out: ChapterFileOut,
  folder: string,
  parts: readonly string[],
): Promise<ChapterFileOut> {
  const path = join(folder, out.file);
  const present = out.isPlain || !isFileWithin(folder, path) ? undefined : readIfThere(path);
  if (present === undefined || present.equals(out.bytes)) return out;
  const said = /^revision: *(\d{1,9})\s*$/m.exec(blockOf(present))?.[1];
  if (said === undefined || Number(said) === out.chapter.revision) return out;
  const yaml: Yaml | undefined = out.chapter.frontMatter === "" ? undefined : await import("yaml");
  const chapter: ChapterExport = { ...out.chapter, revision: Number(said) };
  const bytes = chapterBytes(chapter, parts, yaml);
  return bytes.equals(present) ? { ...out, bytes } : out;
}

/** SHA-256, in hexadecimal. */
export function hash(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
