import { LIMITS } from "../contract/limits.ts";
import type { BookId, ChapterId } from "../ids.ts";
import { leafIds } from "../prose/leaf-ids.ts";
import { markLeaves } from "../prose/mark-leaves.ts";
import type { DocNode } from "../prose/types.ts";
import { listBlocks } from "../store/blocks.ts";
import { readMarkdownBytes } from "../store/bodies.ts";
import { findGoal, type GoalRow, listParts } from "../store/books.ts";
import { type ChapterRow, listChapters } from "../store/chapters.ts";
import type { Store } from "../store/store.ts";
import { type BesideExport, readBeside } from "./export-beside.ts";
import { theBook } from "./find.ts";
import type { Manuscript } from "./manuscript.ts";

/** A book as it leaves the file. */
export interface BookExport {
  id: BookId;
  title: string;
  /** The keys of an imported list of the book that have no field of their own. */
  manifest: Readonly<Record<string, unknown>>;
  goal: GoalRow | null;
  /** Titles, in order. */
  parts: readonly string[];
  chapters: readonly ChapterExport[];
  /** Facts and marginalia; undefined for the chapters alone. */
  beside?: BesideExport;
}

/** A chapter as it leaves the file: its fields, and its prose as bytes. */
export interface ChapterExport
  extends Pick<
    ChapterRow,
    "id" | "title" | "status" | "synopsis" | "file" | "frontMatter" | "eol" | "revision"
  > {
  /** The title of its part. */
  part: string | null;
  /** Whether the file that it came from began with a byte order mark. */
  bom: boolean;
  /** The very bytes that were imported, without front matter, as long as nobody edited them; and marks where asked for. */
  markdown: Buffer;
}

/** How prose leaves the file. */
export interface ExportStyle {
  /** With each leaf's id as a mark that Obsidian reads. */
  blockIds?: boolean;
}

/** A book with all of its prose, of one moment. Throws `NotFound`. */
export function readExport(manuscript: Manuscript, bookId: BookId, style: ExportStyle = {}): BookExport {
  const { store } = manuscript;
  return store.snapshot(() => {
    const { id, title, manifest } = theBook(manuscript, bookId);
    const parts = listParts(store, id);
    const titles = new Map<string, string>(parts.map((part) => [part.id, part.title]));
    return {
      id,
      title,
      manifest: manifest === null ? {} : JSON.parse(manifest),
      goal: findGoal(store, id) ?? null,
      parts: parts.map((part) => part.title),
      chapters: listChapters(store, id).map((row) => toExport(manuscript, row, titles, style)),
      beside: readBeside(manuscript, id),
    };
  });
}

/** A chapter as it would leave the file now; `titles` are those of the book's parts. */
export function toExport(
  { store }: Manuscript,
  row: ChapterRow,
  titles: ReadonlyMap<string, string>,
  { blockIds = false }: ExportStyle = {},
): ChapterExport {
  const { id, title, status, synopsis, file, frontMatter, eol, revision, partId, bom } = row;
  const markdown = readMarkdownBytes(store, id)!.body; // the row is there
  return {
    id,
    title,
    status,
    synopsis,
    file,
    frontMatter,
    eol,
    revision,
    part: partId === null ? null : (titles.get(partId) ?? null),
    bom: bom === 1,
    markdown: blockIds ? markBlocks(store, id, markdown) : markdown,
  };
}

/** The prose with its block ids; without them where it would be more than a file may hold. */
function markBlocks(store: Store, id: ChapterId, markdown: Buffer): Buffer {
  const blocks = listBlocks(store, id).map(({ node }) => ({ node: JSON.parse(node) as DocNode }));
  const marked = Buffer.from(markLeaves(markdown.toString(), leafIds(blocks)));
  return marked.length > LIMITS.markdownBytes ? markdown : marked;
}
