import { join } from "node:path";
import { Unavailable } from "../../refusals.ts";
import { CONTROL_CHARACTER } from "../../text/clean-text.ts";
import type { BookFiles, ChapterSource } from "../book-files.ts";
import { hash, readTextBytes } from "../disk/text-file.ts";

/** Quick facts about a text, without decoding it: decoding a whole book takes longer than all of this. */
export interface Glance {
  hash: string;
  hasControl: boolean;
  /** True if it may begin with front matter. */
  mayOpenBlock: boolean;
  /** True if it may be XML or JSON. */
  mayBeCode: boolean;
  /** True if it may refer to a picture. Hardly any chapter does. */
  mayNamePictures: boolean;
}

const glances = new WeakMap<ChapterSource, Glance>();

/** Looks at a chapter's text, once. */
export function glanceAt(source: ChapterSource): Glance {
  return glances.get(source) ?? remember(source, glanceOf(Buffer.from(source.text)));
}

function remember(source: ChapterSource, glance: Glance): Glance {
  glances.set(source, glance);
  return glance;
}

// Looks for single bytes only, which are never part of other characters in UTF-8.
function glanceOf(bytes: Buffer): Glance {
  const units = bytes.toString("latin1");
  return {
    hash: hash(bytes),
    hasControl: CONTROL_CHARACTER.test(units),
    mayOpenBlock: /^(?:\u00ef\u00bb\u00bf)?(?:---|\+\+\+|\{)/.test(units),
    mayBeCode: /^(?:\u00ef\u00bb\u00bf)?\s*[<{[]/.test(units),
    mayNamePictures: mayNamePictures(bytes),
  };
}

/** True if files bring pictures, or a text of a folder may refer to one. */
export function mayKeepPictures({
  folder,
  chapters,
  pictures,
}: Pick<BookFiles, "folder" | "chapters" | "pictures">): boolean {
  if (pictures !== undefined) return pictures.size > 0;
  return folder !== undefined && chapters.some((source) => glanceAt(source).mayNamePictures);
}

/** Signs before the name of a picture, in any case. A text without them names none. */
export const PICTURE_SIGNS = ["![", "<img"] as const;

/** True if a text may refer to a picture. Decodes nothing. */
export function mayNamePictures(bytes: Buffer): boolean {
  const [sign, tag] = PICTURE_SIGNS;
  if (bytes.includes(sign)) return true;
  for (let at = bytes.indexOf("<"); at >= 0; at = bytes.indexOf("<", at + 1))
    if (bytes.toString("latin1", at, at + tag.length).toLowerCase() === tag) return true;
  return false;
}

/** Bytes of a folder's chapters that are kept in memory. Others are read again on demand. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Texts of a folder's chapters, kept as bytes, which take half the memory of strings. */
export class ChapterTexts {
  readonly #folder: string;
  readonly #keptBytes: number;
  #bytes = 0;

  constructor(folder: string, keptBytes: number = KEPT_BYTES) {
    this.#folder = folder;
    this.#keptBytes = keptBytes;
  }

  /**
   * Returns a file of the folder as a source. Its text is read on demand, and `Unavailable` is thrown if the file has
   * changed. Throws `BadRequest`, `PayloadTooLarge`.
   */
  read(file: string, source: Omit<ChapterSource, "text">): ChapterSource {
    const read = () => readTextBytes(join(this.#folder, file), file);
    const bytes = read();
    const glance = glanceOf(bytes);
    this.#bytes += bytes.length;
    const again = () => {
      const found = read();
      if (hash(found) === glance.hash) return found;
      throw new Unavailable(`${file} was changed while it was read. Nothing was written; run this again.`);
    };
    const kept = this.#bytes <= this.#keptBytes ? bytes : undefined;
    const chapter = {
      ...source,
      bytes: kept,
      get text() {
        return (kept ?? again()).toString();
      },
    };
    remember(chapter, glance);
    return chapter;
  }
}
