import { unzipSync } from "fflate";
import { BadRequest, PayloadTooLarge } from "../../refusals.ts";

/** Parts of a zipped document by name, each unpacked when it is asked for. */
export interface Parts {
  names: ReadonlySet<string>;
  /** Returns a part's bytes; undefined if there is none of this name. */
  read(part: string): Uint8Array | undefined;
  /** Returns how many bytes a part has, as the archive says; undefined if there is none of this name. */
  sizeOf(part: string): number | undefined;
  /** Like `read`, without counting towards the limit of a document: the caller has a limit of its own. */
  readAlone(part: string): Uint8Array | undefined;
}

// A novel has some twenty parts and 10 MB of XML.
const MOST_PARTS = 10_000;
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * Opens the archive of a Word document or an EPUB. `name` is for messages. Throws `BadRequest` for one that is damaged
 * or encrypted or has paths that lead out of it, and `PayloadTooLarge` for one that unpacks to more than 128 MiB.
 */
export function openParts(bytes: Buffer, name: string): Parts {
  const sizes = new Map<string, number>();
  unzip(bytes, name, (part, size) => {
    if (/^[/\\]|^[a-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/i.test(part))
      throw new BadRequest(`${name} holds a part whose path leads out of it; nothing was imported.`);
    if (sizes.size === MOST_PARTS)
      throw new PayloadTooLarge(`${name} has more than ${MOST_PARTS} parts; nothing was imported.`);
    sizes.set(part, size);
    return false;
  });
  if ((bytes.readUInt16LE(6) & 1) === 1)
    throw new BadRequest(
      `${name} is encrypted; nothing was imported. Save it without a password in the program that wrote it, and import that.`,
    );
  const readAlone = (part: string) => unzip(bytes, name, (other) => other === part)[part];
  let left = MOST_BYTES;
  const read = (part: string) => {
    left -= sizes.get(part) ?? 0;
    if (left < 0)
      throw new PayloadTooLarge(
        `${name} unpacks to more than ${MOST_BYTES / 2 ** 20} MiB of text; nothing was imported.`,
      );
    return readAlone(part);
  };
  return { names: new Set(sizes.keys()), read, sizeOf: (part) => sizes.get(part), readAlone };
}

/** Unpacks the parts that `isWanted`. A part that is longer than the archive says is cut there. */
function unzip(
  bytes: Buffer,
  name: string,
  isWanted: (part: string, sizeBytes: number) => boolean,
): Record<string, Uint8Array> {
  try {
    return unzipSync(bytes, { filter: (part) => isWanted(part.name, part.originalSize) });
  } catch (error) {
    throw error instanceof BadRequest || error instanceof PayloadTooLarge ? error : damaged(name);
  }
}

/** Returns the refusal of a document that cannot be read to its end. */
export function damaged(name: string): BadRequest {
  return new BadRequest(
    `${name} is damaged or was not saved to its end; nothing was imported. Open it in the program that wrote it and save it again.`,
  );
}
