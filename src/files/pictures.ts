import { existsSync } from "node:fs";
import { normalize } from "node:path/posix";
import type { StoredChapter } from "../book/book.ts";
import type { BookId, ChapterId } from "../ids.ts";
import type { DocNode } from "../prose/document/types.ts";
import type { Diagnosis } from "../service/health/doctor.ts";
import { decodedPath, keptPicture, linkedPlace } from "../service/interchange/pictures.ts";
import { readBook } from "../service/interchange/read-book.ts";
import { foldersOfChapter } from "../service/interchange/working-copy.ts";
import { listBooks } from "../service/list-books.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { grouped } from "../text/columns.ts";
import { groupBy } from "../text/group-by.ts";
import { once } from "../text/once.ts";
import { isFileWithin } from "./disk/text-file.ts";
import { mayNamePictures, PICTURE_SIGNS } from "./folder/chapter-texts.ts";
import { faultOfName } from "./folder/safe-name.ts";
import { walk } from "./layouts/folder.ts";

/** Names of files that are copied with a book. No other file counts as a picture. */
const PICTURE = /\.(?:png|jpe?g|jfif|gif|svg|webp|avif|apng|bmp|tiff?|heic|ico|pdf|eps)$/i;

/** A picture as a chapter's text names it. */
export interface PictureLink {
  /** Decoded path, relative to the chapter's file, or with a leading slash to the folder. */
  path: string;
  /** True for Obsidian's `![[name]]`, which means a file anywhere in the folder. */
  isAnywhere: boolean;
}

/** Place in a folder to which a link leads. */
export interface LinkedFile {
  /** Path relative to the folder; as written if it leads out of it. */
  file: string;
  /** True if the folder has the file. */
  isThere: boolean;
}

/** Returns the local pictures that a chapter's text refers to, each once, in order. */
export function picturesIn({ markdown, blocksWith }: StoredChapter): PictureLink[] {
  if (!mayNamePictures(markdown())) return [];
  const found = new Map<string, PictureLink>();
  for (const { node } of blocksWith(PICTURE_SIGNS))
    for (const link of linksIn(node))
      if (isLocal(link.path)) found.set(link.path, { ...link, path: decodedPath(link.path) });
  return [...found.values()];
}

const TAG = /<img\b[^<>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
const EMBED = /!\[\[([^[\]|#\n]+)[^[\]\n]*\]\]/g;
const INLINE = /!\[[^[\]\n]*\]\(<?([^)\s>]+)/g;

function linksIn({ type, attrs, text, content = [] }: DocNode): PictureLink[] {
  const of = (value: unknown, pattern: RegExp, isAnywhere = false) =>
    [...String(value ?? "").matchAll(pattern)].map((match) => ({
      path: (match[1] ?? match[2] ?? match[3] ?? "").trim(),
      isAnywhere,
    }));
  if (type === "image") return [{ path: String(attrs?.src ?? ""), isAnywhere: false }];
  if (type === "raw_inline") return of(attrs?.text, TAG);
  if (type === "code_block") return [];
  if (text !== undefined) return of(text, EMBED, true).filter(({ path }) => PICTURE.test(path));
  const below = content.flatMap(linksIn);
  if (type !== "raw_block") return below;
  const raw = content.map((child) => child.text ?? "").join("");
  return [...below, ...of(raw, TAG), ...(attrs?.kind === "table" ? of(raw, INLINE) : [])];
}

/** True if an address is a local path: no web address and no embedded picture. */
function isLocal(path: string): boolean {
  return path !== "" && !/^(?:[a-z][a-z0-9+.-]+:|\/\/|#)/i.test(path);
}

/** Returns the pictures of each chapter, read in the transaction of the book. */
export function picturesOf(chapters: readonly StoredChapter[]): ReadonlyMap<ChapterId, PictureLink[]> {
  return new Map(chapters.map((chapter) => [chapter.id, picturesIn(chapter)]));
}

/** Returns the paths of pictures as written, each once. */
export function pathsOf(pictures: ReturnType<typeof picturesOf>): string[] {
  return [...new Set([...pictures.values()].flat().map(({ path }) => path))];
}

/** Finds the target of a link in a file of a folder. */
export type FindLinked = (folder: string, file: string, link: PictureLink) => LinkedFile;

/** Returns a finder for one run: it lists the files of each folder at most once. */
export function linkFinder(): FindLinked {
  const listed = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const search = (folder: string, path: string): string | undefined => {
    const files = listed.get(folder) ?? groupBy(walk(folder).files, nameOf);
    listed.set(folder, files);
    return files.get(nameOf(path))?.find((file) => file === path || file.endsWith(`/${path}`));
  };
  return (folder, file, { path, isAnywhere }) => {
    const beside = linkedPlace(file, path);
    const places = isAnywhere ? [normalize(path), beside] : [beside];
    const has = (place: string) => faultOfName(place) === undefined && isFileWithin(folder, place);
    const found = places.find(has) ?? (isAnywhere ? search(folder, path) : undefined);
    return { file: found ?? places[0] ?? path, isThere: found !== undefined };
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** True if a picture may be written under this name in a folder. */
export function isPlaceForPicture(file: string): boolean {
  return PICTURE.test(file) && faultOfName(file) === undefined;
}

/** A picture that a book refers to and the manuscript does not hold whole. */
export interface UnkeptPicture {
  /** Path as it is written. */
  file: string;
  /** The chapter's title; null for the cover. */
  from: string | null;
  /** True if a folder of the book has it. */
  isInFolder: boolean;
}

/** Lists the pictures that a book's chapters and its cover refer to and the manuscript does not hold, each once. */
export function unkeptPictures(manuscript: Manuscript, bookId: BookId): UnkeptPicture[] {
  const { chapters, manifest } = readBook(manuscript, bookId);
  const find = linkFinder();
  const named = chapters.flatMap((chapter) => unkeptOf(manuscript, chapter, find));
  const cover = { path: String(manifest.cover ?? ""), isAnywhere: false };
  const covers = isLocal(cover.path) ? coverOf(manuscript, chapters, cover, find) : [];
  return [...new Map([...covers, ...named].map((picture) => [picture.file, picture])).values()];
}

const MOST_TOLD = 10;

/** Returns a diagnosis that also tells of the pictures that neither the manuscript nor a folder has: no damage, but good to know. */
export function withMissingPictures(diagnosis: Diagnosis, manuscript: Manuscript): Diagnosis {
  const missing = listBooks(manuscript)
    .books.flatMap(({ id }) => unkeptPictures(manuscript, id))
    .filter(({ isInFolder }) => !isInFolder);
  const told = missing.slice(0, MOST_TOLD).map(({ file, from }) => {
    const where = from === null ? "the cover" : `“${from}”`;
    return `${file} (${where}) is neither in the manuscript nor in a folder of its book`;
  });
  const more = missing.length - told.length;
  const lines = more > 0 ? [...told, `and ${grouped(more)} more`] : told;
  const checks = lines.map((found) => ({ name: "pictures", status: "ok" as const, found, remedy: null }));
  return { ...diagnosis, checks: [...diagnosis.checks, ...checks] };
}

function unkeptOf(manuscript: Manuscript, chapter: StoredChapter, find: FindLinked): UnkeptPicture[] {
  const { id, title, file: own } = chapter;
  const folders = once(() => foldersOfChapter(manuscript, id));
  return picturesIn(chapter).flatMap((link) => {
    const files = [own ?? "", ...folders().map(({ file }) => file)];
    if (keptPicture(manuscript, id, link, files) !== undefined) return [];
    return [{ file: link.path, from: title, isInFolder: isIn(folders(), link, find) }];
  });
}

function coverOf(
  manuscript: Manuscript,
  chapters: readonly StoredChapter[],
  cover: PictureLink,
  find: FindLinked,
): UnkeptPicture[] {
  const [first] = chapters;
  if (first !== undefined && keptPicture(manuscript, first.id, cover, [""]) !== undefined) return [];
  const folders = chapters.flatMap(({ id }) => foldersOfChapter(manuscript, id));
  const names = [...new Set(folders.map(({ folder }) => folder))];
  const isInFolder = isIn(
    names.map((folder) => ({ folder, file: "" })),
    cover,
    find,
  );
  return [{ file: cover.path, from: null, isInFolder }];
}

function isIn(
  folders: readonly { folder: string; file: string }[],
  link: PictureLink,
  find: FindLinked,
): boolean {
  return folders.some(({ folder, file }) => existsSync(folder) && find(folder, file, link).isThere);
}
