import { AsyncLocalStorage } from "node:async_hooks";
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
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

/** Refusal of bytes that are no text, with the way to read them if they are text in another encoding. */
export class NotText extends BadRequest {
  readonly file: string;
  readonly bytes: Uint8Array;

  constructor(file: string, bytes: Uint8Array, encoding: string | undefined) {
    const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex");
    const utf16 = mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : undefined;
    const called = encoding === undefined ? "not UTF-8" : `neither UTF-8 nor ${encoding}`;
    const remedy =
      utf16 === undefined
        ? "If an old program for Windows wrote it, add --encoding windows-1252; else save it as UTF-8."
        : `Add --encoding ${utf16}.`;
    super(`${file} is ${utf16 === undefined ? called : "UTF-16"}; nothing was imported. ${remedy}`);
    this.file = file;
    this.bytes = bytes;
  }
}

const encodings = new AsyncLocalStorage<string>();

/** Runs `read`, which decodes files that are not UTF-8 in this encoding. */
export function inEncoding<Result>(encoding: string | undefined, read: () => Result): Result {
  return encoding === undefined ? read() : encodings.run(encoding, read);
}

/**
 * Decodes bytes as text, keeping a byte order mark of UTF-8. Throws `NotText` with the file's name if they are
 * neither UTF-8 nor in the requested encoding.
 */
export function decode(bytes: Uint8Array, name: string): string {
  const encoding = encodings.getStore();
  const text = decodeUtf8(bytes);
  if (text !== undefined && (encoding === undefined || !text.includes("\0"))) return text;
  const other = encoding === undefined ? undefined : decodeAs(bytes, encoding);
  if (other !== undefined && !other.includes("\0")) return other;
  if (text !== undefined) return text; // its control characters are refused later, or dropped by --clean
  throw new NotText(name, bytes, encoding);
}

/** Reads a Markdown file of at most 4 MiB, or `most` bytes; `name` is for messages. */
export function readTextFile(path: string, name: string, most: number = MARKDOWN_BYTES): string {
  return decode(readBytes(path, name, most), name);
}

/** Reads a Markdown file of at most 4 MiB as UTF-8 bytes. */
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

/** Size limit of a whole novel in one file. Each of its chapters has the usual limit. */
export const WHOLE_BYTES = 64 * 1024 * 1024;

/** Reads an ordinary file. Throws `BadRequest` for a pipe, a socket or a device, which might never end. */
export function readRegular(path: string, name: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)); // else opening a pipe waits for its writer
    if (!fstatSync(file).isFile())
      throw new BadRequest(`${name} is not an ordinary file; pipe its content to "-" (stdin).`);
    return readFileSync(file);
  } catch (error) {
    throw explainReading(error, name);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Returns the status of a path, following links. Throws `NotFound`, and `Unavailable` if the path cannot be reached.
 */
export function statOf(path: string, name: string): Stats {
  const stat = statIfThere(statSync, path, name);
  if (stat === undefined) throw new NotFound(name);
  return stat;
}

/** Folders that every system has, and none of which is a book. A book may be in one of them. */
const OF_SYSTEM =
  /^(?:\/(?:(?:Applications|Library|System|boot|dev|etc|lib\w*|private|private\/etc|proc|run|s?bin|sys|usr|usr\/(?:include|lib\w*|local|s?bin|share|src)|var)?|(?:proc|sys)\/.*)|[A-Z]:\\(?:Windows|Program Files.*)?)$/;

/** Throws `BadRequest` if a path is a folder of the system itself. Looks into none: that takes long, and may fail. */
export function assertNotOfSystem(path: string): void {
  if (!existsSync(path) || !OF_SYSTEM.test(realpathSync(path))) return;
  throw new BadRequest(`${path} is a folder of the system, not a book; name the book's own folder.`);
}

/** Returns the status of a path without following links; undefined if nothing is there. */
export function statLink(path: string): Stats | undefined {
  return statIfThere(lstatSync, path, path);
}

/** True if a folder holds a file of this relative name. A link that leads out of the folder does not count. */
export function isFileWithin(folder: string, file: string): boolean {
  const path = join(folder, file);
  if (statLink(path) === undefined) return false;
  const stat = statIfThere(statSync, path, path);
  return (stat?.isFile() ?? false) && realpathSync(path).startsWith(realpathSync(folder) + sep);
}

/**
 * Returns a function that gives each path the name that the folder has for it, because systems form accents
 * differently. A path that is not there stays as it is.
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

// Error codes that mean that nothing is there: a file as a folder, a name too long, a circle of links, a NUL.
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
