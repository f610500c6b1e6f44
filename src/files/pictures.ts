import { dirname, join, normalize } from "node:path/posix";
import type { StoredChapter } from "../book/book.ts";
import type { ChapterId } from "../ids.ts";
import type { DocNode } from "../prose/document/types.ts";
import { isFileWithin } from "./disk/text-file.ts";
import { mayNamePictures, PICTURE_SIGNS } from "./folder/chapter-texts.ts";
import { faultOfName } from "./folder/safe-name.ts";
import { walk } from "./layouts/folder.ts";

/** Names of files that are copied beside a book: nothing else that a text calls a picture is. */
const PICTURE = /\.(?:png|jpe?g|jfif|gif|svg|webp|avif|apng|bmp|tiff?|heic|ico|pdf|eps)$/i;

/** A picture as a chapter's text names it. */
export interface PictureLink {
  /** Decoded: relative to the chapter's file, or with a leading slash to the folder. */
  path: string;
  /** Obsidian's `![[name]]`: anywhere in the folder. */
  isAnywhere: boolean;
}

/** Where a folder has what a link leads to. */
export interface LinkedFile {
  /** Relative to the folder; as the text has it if it leads out of that. */
  file: string;
  /** Whether the folder has it. */
  isThere: boolean;
}

/** Returns the pictures on this machine that a chapter's text refers to, each once, in order. */
export function picturesIn({ markdown, blocksWith }: StoredChapter): PictureLink[] {
  if (!mayNamePictures(markdown())) return [];
  const found = new Map<string, PictureLink>();
  for (const { node } of blocksWith(PICTURE_SIGNS))
    for (const link of linksIn(node))
      if (isLocal(link.path)) found.set(link.path, { ...link, path: decoded(link.path) });
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

/** Whether an address is a path: neither of the web, nor the picture itself. */
function isLocal(path: string): boolean {
  return path !== "" && !/^(?:[a-z][a-z0-9+.-]+:|\/\/|#)/i.test(path);
}

function decoded(path: string): string {
  const bare = path.replace(/[?#].*$/s, "").replaceAll("\\", "/");
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare; // a per cent sign of its own
  }
}

/** The pictures that each of a book's chapters refers to, read within the transaction that the book was read in. */
export function picturesOf(chapters: readonly StoredChapter[]): ReadonlyMap<ChapterId, PictureLink[]> {
  return new Map(chapters.map((chapter) => [chapter.id, picturesIn(chapter)]));
}

/** The paths of pictures as the text has them, each once. */
export function pathsOf(pictures: ReturnType<typeof picturesOf>): string[] {
  return [...new Set([...pictures.values()].flat().map(({ path }) => path))];
}

/** Finds what a link in a file of a folder leads to. */
export function findLinked(folder: string, file: string, { path, isAnywhere }: PictureLink): LinkedFile {
  const beside = linkedPlace(file, path);
  const places = isAnywhere ? [normalize(path), beside] : [beside];
  const has = (place: string) => faultOfName(place) === undefined && isFileWithin(folder, place);
  const found = places.find(has) ?? (isAnywhere ? search(folder, path) : undefined);
  return { file: found ?? places[0] ?? path, isThere: found !== undefined };
}

/** The place of a path in the folder of the file that names it; with `..` in front where it leads out of that. */
export function linkedPlace(file: string, path: string): string {
  return normalize(path.startsWith("/") ? path.slice(1) : join(dirname(file), path));
}

/** Whether a picture may be written under this name in a folder. */
export function isPlaceForPicture(file: string): boolean {
  return PICTURE.test(file) && faultOfName(file) === undefined;
}

function search(folder: string, path: string): string | undefined {
  return walk(folder).files.find((file) => file === path || file.endsWith(`/${path}`));
}
