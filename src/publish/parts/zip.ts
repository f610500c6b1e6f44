import { strToU8, type Zippable, zipSync } from "fflate";

/** A file of an archive. */
export interface ArchiveFile {
  name: string;
  /** Text is written as UTF-8. */
  content: string | Uint8Array;
}

/** Formats whose bytes no longer shrink, and what has to come first unpacked. */
const STORED = /\.(?:png|jpg|gif|webp)$|^mimetype$/;
/** The first moment that an archive can say, in this machine's time as the format has it. */
const MTIME = new Date(1980, 0, 1);

/** Returns an archive of these files in this order. The same files give the same bytes. */
export function archive(files: readonly ArchiveFile[]): Uint8Array {
  const tree: Zippable = {};
  for (const { name, content } of files) {
    const bytes = typeof content === "string" ? strToU8(content) : content;
    tree[name] = [bytes, { level: STORED.test(name) ? 0 : 6 }];
  }
  return zipSync(tree, { mtime: MTIME });
}
