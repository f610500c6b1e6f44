import { normalize } from "node:path/posix";
import type { StoredChapter } from "../book/book.ts";
import type { ChapterId } from "../ids.ts";
import type { DocNode } from "../prose/document/types.ts";
import { decodedPath, linkedPlace } from "../service/interchange/pictures.ts";
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

const TAG = /<img\b[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
const EMBED = /!\[\[([^\]|#\n]+)[^\]\n]*\]\]/g;
const INLINE = /!\[[^\]\n]*\]\(<?([^)\s>]+)/g;

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
export function isLocal(path: string): boolean {
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
export function findLinked(folder: string, file: string, { path, isAnywhere }: PictureLink): LinkedFile {
  const beside = linkedPlace(file, path);
  const places = isAnywhere ? [normalize(path), beside] : [beside];
  const has = (place: string) => faultOfName(place) === undefined && isFileWithin(folder, place);
  const found = places.find(has) ?? (isAnywhere ? search(folder, path) : undefined);
  return { file: found ?? places[0] ?? path, isThere: found !== undefined };
}

/** True if a picture may be written under this name in a folder. */
export function isPlaceForPicture(file: string): boolean {
  return PICTURE.test(file) && faultOfName(file) === undefined;
}

function search(folder: string, path: string): string | undefined {
  return walk(folder).files.find((file) => file === path || file.endsWith(`/${path}`));
}
