import type { Sent } from "../../api/operations.ts";
import type { Dropped } from "../../drops.ts";

/** A file as it is sent. */
export type GivenFile = Sent<"importSent">["body"]["files"][number];
/** A file with its path below what was chosen or dropped. */
export interface Chosen {
  path: string;
  file: File;
}

/** The most that is sent, in bytes: JSON makes more of it. */
const MOST_BYTES = 20 * 1024 * 1024;
const MOST_FILES = 2000;

/** Folders and files of programs, not of a book. */
const FOREIGN =
  /(?:^|\/)(?:\.git|\.svn|\.trash|\.obsidian|node_modules|__MACOSX|\.DS_Store|Thumbs\.db)(?:\/|$)/i;
/** Pictures of kinds that a manuscript keeps. */
const PICTURE = /\.(?:a?png|jpe?g|jfif|gif|webp|avif|bmp|tiff?|svg)$/i;
/** Sounds and other files that are neither text nor kept. */
const NO_TEXT = /\.(?:heic|pdf|psd|mp3|m4a|wav|mp4|mov|ttf|otf|woff2?|zip)$/i;

/**
 * The files that a book may be in, as they are sent; its pictures where there is room for all. Throws `Error` in the writer's
 * words where there is no text, or too much.
 */
export async function readChosen(chosen: readonly Chosen[]): Promise<GivenFile[]> {
  const files = chosen.filter(({ path }) => !FOREIGN.test(path) && !NO_TEXT.test(path));
  const texts = files.filter(({ path }) => !PICTURE.test(path));
  if (texts.length === 0)
    throw new Error(
      "There is no text in what was chosen: a Markdown, text, Word, EPUB or project file is needed.",
    );
  const sent = isSendable(files) ? files : texts;
  if (!isSendable(sent))
    throw new Error(
      "That is more than a page can send at once. Choose the folder of the text alone, or use “manuscript import”.",
    );
  return Promise.all(sent.map(readOne));
}

function isSendable(files: readonly Chosen[]): boolean {
  return files.length <= MOST_FILES && files.reduce((sum, { file }) => sum + file.size, 0) <= MOST_BYTES;
}

async function readOne({ path, file }: Chosen): Promise<GivenFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return { path, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { path, base64: base64Of(bytes) };
  }
}

function base64Of(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768)
    binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(binary);
}

/** The files of a field, with their paths in the folder that was chosen. */
export function chosenIn(field: HTMLInputElement): Chosen[] {
  return [...(field.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files of what was dropped, folders with all that is in them. */
export async function filesIn(dropped: readonly Dropped[]): Promise<Chosen[]> {
  const files = dropped.map(([entry, file]) =>
    entry !== null ? filesOf(entry) : file === null ? [] : [{ path: file.name, file }],
  );
  return (await Promise.all(files)).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<Chosen[]> {
  const path = entry.fullPath.replace(/^\//, "");
  if (FOREIGN.test(path)) return [];
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const within: FileSystemEntry[] = [];
  for (;;) {
    // A reader gives at most a hundred at a time, and none at its end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) break;
    within.push(...some);
  }
  return (await Promise.all(within.map(filesOf))).flat();
}
