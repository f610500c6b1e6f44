import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { sep } from "node:path";
import { BadRequest, NotFound, PayloadTooLarge } from "../refusals.ts";
import { MARKDOWN_BYTES } from "../service/text.ts";

/** The text of bytes, a byte order mark included. Throws `BadRequest`, naming the file, where they are not UTF-8. */
export function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadRequest(`${name} is not valid UTF-8; nothing was imported. Save it as UTF-8 and try again.`);
  }
}

/** The text of a Markdown file of at most 4 MiB, or as many bytes as given; `name` is what messages call it. */
export function readTextFile(path: string, name: string, most: number = MARKDOWN_BYTES): string {
  const { size } = statOf(path, name);
  if (size > most) {
    throw new PayloadTooLarge(
      most === MARKDOWN_BYTES
        ? `${name} has ${size} bytes; a chapter takes at most ${most} (4 MiB). Cut it at its headings with --split.`
        : `${name} has ${size} bytes; at most ${most} can be cut into chapters. Import it in several files.`,
    );
  }
  return decode(readFileSync(path), name);
}

/** What is at a path, links followed. Throws `NotFound`. */
export function statOf(path: string, name: string): Stats {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new NotFound(name);
  return stat;
}

/** Whether a path is a file that lies within the folder: a link that leads out of it is not. */
export function isFileWithin(folder: string, path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry === undefined) return false;
  const stat = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
  return (stat?.isFile() ?? false) && realpathSync(path).startsWith(realpathSync(folder) + sep);
}
