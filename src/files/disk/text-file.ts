import { AsyncLocalStorage } from "node:async_hooks";
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { join, sep } from "node:path";
import { BadRequest, NotFound, PayloadTooLarge } from "../../refusals.ts";
import { MARKDOWN_BYTES } from "../../service/field-rules.ts";
import { decodeAs, decodeUtf8 } from "../../text/utf8.ts";
import { explainReading } from "./explain-error.ts";

/** The refusal of bytes that are no text. */
export class NotText extends BadRequest {}

const encodings = new AsyncLocalStorage<string>();

/** Reads files of which those that are not UTF-8 are in this encoding. */
export function inEncoding<Result>(encoding: string | undefined, read: () => Result): Result {
  return encoding === undefined ? read() : encodings.run(encoding, read);
}

/** The text of bytes, a byte order mark of UTF-8 included. Throws `NotText`, naming the file, if they are neither UTF-8 nor in the encoding asked for. */
export function decode(bytes: Uint8Array, name: string): string {
  const encoding = encodings.getStore();
  const text = decodeUtf8(bytes);
  if (text !== undefined && (encoding === undefined || !text.includes("\0"))) return text;
  const other = encoding === undefined ? undefined : decodeAs(bytes, encoding);
  if (other !== undefined && !other.includes("\0")) return other;
  const called = ["valid UTF-8", ...(encoding === undefined ? [] : [encoding])].join(" nor ");
  throw new NotText(`${name} is not ${called}; nothing was imported. Save it as UTF-8 and try again.`);
}

/** The text of a Markdown file of at most 4 MiB, or as many bytes as given; `name` is what messages call it. */
export function readTextFile(path: string, name: string, most: number = MARKDOWN_BYTES): string {
  return decode(readBytes(path, name, most), name);
}

/** The bytes of a Markdown file of at most 4 MiB, as UTF-8. */
export function readTextBytes(path: string, name: string): Buffer {
  const bytes = readBytes(path, name, MARKDOWN_BYTES);
  return isUtf8(bytes) && encodings.getStore() === undefined ? bytes : Buffer.from(decode(bytes, name));
}

function readBytes(path: string, name: string, most: number): Buffer {
  const { size } = statOf(path, name);
  if (size > most) {
    throw new PayloadTooLarge(
      most === MARKDOWN_BYTES
        ? `${name} has ${size} bytes; a chapter takes at most ${most} (4 MiB). Cut it at its headings with --split.`
        : `${name} has ${size} bytes; at most ${most} can be cut into chapters. Import it in several files.`,
    );
  }
  return readRegular(path, name);
}

/** The bytes of an ordinary file. Throws `BadRequest` for a pipe, a socket or a device: those might never end. */
export function readRegular(path: string, name: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // else opening a pipe waits for its writer
    if (!fstatSync(file).isFile())
      throw new BadRequest(`${name} is no ordinary file; give what it holds to "-", stdin.`);
    return readFileSync(file);
  } catch (error) {
    throw explainReading(error, name);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** What is at a path, links followed. Throws `NotFound`, and `Unavailable` if the way there is closed. */
export function statOf(path: string, name: string): Stats {
  const stat = statIfThere(statSync, path, name);
  if (stat === undefined) throw new NotFound(name);
  return stat;
}

/** What stands at a path, a link as such; undefined if nothing can be. */
export function statLink(path: string): Stats | undefined {
  return statIfThere(lstatSync, path, path);
}

/** Whether a folder holds a file, named relative to it: a link that leads out of the folder is none. */
export function isFileWithin(folder: string, file: string): boolean {
  const path = join(folder, file);
  if (statLink(path) === undefined) return false;
  const stat = statIfThere(statSync, path, path);
  return (stat?.isFile() ?? false) && realpathSync(path).startsWith(realpathSync(folder) + sep);
}

/**
 * Gives each path the name that the folder has for it: a system may form accents in another way than that on which the path
 * was written. A path that the folder has not stays as it is.
 */
export function fileNamesIn(folder: string): (path: string) => string {
  const same = (step: string) => (name: string) => name.normalize("NFC") === step.normalize("NFC");
  return (path) => {
    if (!/[^\0-\x7f]/.test(path) || statLink(join(folder, path)) !== undefined) return path;
    let there = "";
    for (const step of path.split("/")) {
      const found = namesOf(join(folder, there)).find(same(step));
      if (found === undefined) return path;
      there = there === "" ? found : `${there}/${found}`;
    }
    return there;
  };
}

function namesOf(folder: string): string[] {
  const isFolder = statIfThere(statSync, folder, folder)?.isDirectory() ?? false;
  return isFolder ? readdirSync(folder) : [];
}

// A step that is a file, a name that is too long, a link in a circle and a NUL all mean that nothing is there.
const NOTHING = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "ERR_INVALID_ARG_VALUE"]);

function statIfThere(
  stat: (path: string, options: { throwIfNoEntry: false }) => Stats | undefined,
  path: string,
  name: string,
): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && NOTHING.has(String(error.code))) return undefined;
    throw explainReading(error, name);
  }
}

/** SHA-256, in hexadecimal. */
export function hash(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
