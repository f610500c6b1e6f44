import { BadRequest, Unavailable } from "../../refusals.ts";

/** Explains a system's error at a path, with a remedy. */
type Meaning = (path: string) => Error;

const FULL: Meaning = (path) =>
  new Unavailable(
    `${path} was not written: its disk, or your share of it, is full. The old content is unharmed; make room and run this again.`,
  );
/** On Windows one code means both. */
const OR_OPEN = process.platform === "win32" ? ", or another program has it open" : "";
const CLOSED: Meaning = (path) =>
  new Unavailable(
    `${path} may not be written: it, its folder or its disk is read-only${OR_OPEN}. The old content is unharmed; change that, or name another place with -o.`,
  );
const OPEN: Meaning = (path) =>
  new Unavailable(
    `${path} was not written: another program has it open, as Word has a document. The old content is unharmed; close it there and run this again.`,
  );
const MISNAMED = (fault: string): Meaning => {
  return (path) => new BadRequest(`${path} cannot be a place to write to: ${fault}. Name another with -o.`);
};

const WRITING: Readonly<Record<string, Meaning>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  EACCES: CLOSED,
  EPERM: CLOSED,
  EROFS: CLOSED,
  EBUSY: OPEN,
  ENOTDIR: MISNAMED("a step of it is a file, no folder"),
  EISDIR: MISNAMED("it is a folder"),
  EEXIST: MISNAMED("a file stands there, or a link that leads nowhere"),
  ENAMETOOLONG: MISNAMED("its name is too long"),
  ELOOP: MISNAMED("it is a link that leads to itself"),
  ENOENT: MISNAMED("its folder does not exist and cannot be made"),
};

const READING: Readonly<Record<string, Meaning>> = {
  EACCES: (path) =>
    new Unavailable(`${path} cannot be read: permission denied. Change its permissions and run this again.`),
  EPERM: (path) =>
    new Unavailable(`${path} cannot be read: permission denied. Change its permissions and run this again.`),
  EBUSY: (path) =>
    new Unavailable(
      `${path} cannot be read: another program has it open. Close it there and run this again.`,
    ),
  EISDIR: (path) => new BadRequest(`${path} is a folder; name a file.`),
};

/** Returns the refusal for an error of writing a file, or the error itself. */
export function explainWriting(error: unknown, path: string): unknown {
  return meaningOf(WRITING, error)?.(path) ?? error;
}

/** Returns the refusal for an error of reading a file, or the error itself. */
export function explainReading(error: unknown, path: string): unknown {
  return meaningOf(READING, error)?.(path) ?? error;
}

function meaningOf(meanings: Readonly<Record<string, Meaning>>, error: unknown): Meaning | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}
