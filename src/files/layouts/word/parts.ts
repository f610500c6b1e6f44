import { Inflate } from "fflate";
import { BadRequest, PayloadTooLarge } from "../../../refusals.ts";

/** Parts of a Word document by name, each unpacked when it is asked for. */
export interface WordParts {
  names: ReadonlySet<string>;
  /** Returns a part's bytes; undefined if there is none of this name. */
  read(part: string): Uint8Array | undefined;
  /** Returns how many bytes a part has, as the archive says; undefined if there is none of this name. */
  sizeOf(part: string): number | undefined;
  /** Returns a part's bytes, which do not count for what a document unpacks to: the caller has a limit of its own. */
  readAlone(part: string): Uint8Array | undefined;
}

/** A part as the archive's directory describes it. */
interface Entry {
  name: string;
  flags: number;
  method: number;
  packedBytes: number;
  sizeBytes: number;
  /** Where its own header begins. */
  at: number;
}

// A novel has some twenty parts and 10 MB of XML.
const MOST_PARTS = 10_000;
const MOST_BYTES = 128 * 1024 * 1024;
const STEP_BYTES = 64 * 1024;

/**
 * Opens the archive of a Word document. `name` is for messages. Throws `BadRequest` for an archive that is damaged or
 * encrypted or has paths that lead out of it, and `PayloadTooLarge` for one that unpacks to more than 128 MiB.
 */
export function openParts(bytes: Buffer, name: string): WordParts {
  const entries = new Map(readDirectory(bytes, name).map((entry) => [entry.name, entry]));
  let left = MOST_BYTES;
  const read = (part: string) => {
    const entry = entries.get(part);
    if (entry === undefined) return undefined;
    left -= entry.sizeBytes;
    if (left < 0)
      throw new PayloadTooLarge(
        `${name} unpacks to more than ${MOST_BYTES / 1024 / 1024} MiB of text; nothing was imported.`,
      );
    return unpack(bytes, entry, name);
  };
  const readAlone = (part: string) => {
    const entry = entries.get(part);
    return entry && unpack(bytes, entry, name);
  };
  return { names: new Set(entries.keys()), read, sizeOf: (part) => entries.get(part)?.sizeBytes, readAlone };
}

// As PKWARE's APPNOTE has it, 4.3.
const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const HEADER = 0x04034b50;
const HEADER_BYTES = 30;
const LONGEST_COMMENT = 65_535;

function readDirectory(bytes: Buffer, name: string): Entry[] {
  const least = Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT);
  let end = bytes.length - END_BYTES;
  while (end >= least && bytes.readUInt32LE(end) !== END) end--;
  if (end < least) throw damaged(name);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MOST_PARTS)
    throw new PayloadTooLarge(`${name} has more than ${MOST_PARTS} parts; nothing was imported.`);
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  while (entries.length < count) {
    if (at + ENTRY_BYTES > end || bytes.readUInt32LE(at) !== ENTRY) throw damaged(name);
    const [named, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const entry = {
      name: bytes.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + named),
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      sizeBytes: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    };
    if ((entry.flags & 1) === 1) throw locked(name);
    assertWithin(entry.name, name);
    entries.push(entry);
    at += ENTRY_BYTES + named + extra + comment;
  }
  return entries;
}

function assertWithin(part: string, name: string): void {
  if (!/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/i.test(part)) return;
  throw new BadRequest(`${name} holds a part whose path leads out of it; nothing was imported.`);
}

/** Returns a part's bytes. The directory may lie about their number, so that is held to what comes out. */
function unpack(bytes: Buffer, { at, method, packedBytes, sizeBytes }: Entry, name: string): Uint8Array {
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== HEADER) throw damaged(name);
  const from = at + HEADER_BYTES + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  const packed = bytes.subarray(from, from + packedBytes);
  if (packed.length !== packedBytes || (method !== 0 && method !== 8)) throw damaged(name);
  const whole = method === 0 ? packed : inflate(packed, sizeBytes, name);
  if (whole.length !== sizeBytes) throw damaged(name);
  return whole;
}

function inflate(packed: Buffer, sizeBytes: number, name: string): Uint8Array {
  const whole = new Uint8Array(sizeBytes);
  let size = 0;
  const inflater = new Inflate((chunk) => {
    if (size + chunk.length > sizeBytes) throw damaged(name);
    whole.set(chunk, size);
    size += chunk.length;
  });
  try {
    for (let from = 0; from < packed.length; from += STEP_BYTES) {
      const to = Math.min(packed.length, from + STEP_BYTES);
      inflater.push(packed.subarray(from, to), to === packed.length);
    }
  } catch (error) {
    throw error instanceof BadRequest ? error : damaged(name);
  }
  return whole.subarray(0, size);
}

/** Returns the refusal of a document that needs a password. */
function locked(name: string): BadRequest {
  return new BadRequest(
    `${name} is encrypted; nothing was imported. Open it in Word or LibreOffice, save it without a password, and import that.`,
  );
}

/** Returns the refusal of a document that cannot be read to its end. */
export function damaged(name: string): BadRequest {
  return new BadRequest(
    `${name} is a Word document that is damaged or was not saved to its end; nothing was imported. Open it in Word or LibreOffice and save it again.`,
  );
}
