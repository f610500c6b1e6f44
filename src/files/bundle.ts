import { createHash } from "node:crypto";
import { basename } from "node:path";
import { PayloadTooLarge } from "../refusals.ts";
import type { Bundle, BundleShape } from "../service/interchange/bundle.ts";
import { checksumLine, MARK, readBundleText } from "./bundle/bundle-shape.ts";
import { decode, readRegular, statOf } from "./disk/text-file.ts";
import { writeSingle } from "./write-folder.ts";

/** Limit of the length of a string in V8. */
const LONGEST_BYTES = 500 * 1024 * 1024;
/** Mode for owner access only, as for the manuscript itself. */
const OWNER_ONLY = 0o600;

/**
 * Yields a bundle as JSON, one row a line, pictures in base64. Equal manuscripts give equal bytes, and `diff` shows the rows that differ.
 * The last line is a checksum of all before it.
 */
export function* bundleText(bundle: Bundle, shape: BundleShape): Generator<string> {
  const sum = createHash("sha256");
  for (const piece of content(bundle, shape)) {
    sum.update(piece);
    yield piece;
  }
  yield checksumLine(sum.digest("hex"));
}

function* content({ version, settings, tables, pictures }: Bundle, shape: BundleShape): Generator<string> {
  yield `{"manuscript":"${MARK}",\n"version":${version},\n"settings":${JSON.stringify(settings)},\n"tables":{`;
  let separator = "\n";
  for (const { name, columns } of shape.tables) {
    yield `${separator}"${name}":{"columns":${JSON.stringify(columns.map((column) => column.name))},"rows":[`;
    yield* lines(tables[name] ?? []);
    yield "]}";
    separator = ",\n";
  }
  yield "\n}";
  for (const [at, { hash, type, bytes }] of pictures.entries()) {
    yield at === 0 ? ',\n"pictures":[\n' : ",\n";
    yield JSON.stringify([hash, type, bytes.toString("base64")]);
  }
  if (pictures.length > 0) yield "]";
}

const LINES = 1000;

function* lines(rows: readonly unknown[]): Generator<string> {
  for (let from = 0; from < rows.length; from += LINES) {
    const some = rows.slice(from, from + LINES).map((row) => JSON.stringify(row));
    yield `${from === 0 ? "\n" : ",\n"}${some.join(",\n")}`;
  }
}

/**
 * Writes a bundle in one step, readable by its owner alone. Returns its size in bytes. Throws `WouldLose` if anything
 * is there.
 */
export async function writeBundle(
  path: string,
  pieces: Iterable<string>,
  { force }: { force: boolean },
): Promise<number> {
  const bytes = Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)));
  await writeSingle(path, bytes, { force, mode: OWNER_ONLY });
  return bytes.length;
}

/** Reads a bundle from a file. Throws `NotFound`, `BadRequest`, and `PayloadTooLarge` above 500 MiB. */
export function readBundleFile(path: string, shape: BundleShape): Bundle {
  const { size } = statOf(path, `file ${path}`);
  if (size > LONGEST_BYTES) {
    throw new PayloadTooLarge(
      `${path} has ${size} bytes; a bundle is read up to ${LONGEST_BYTES} (500 MiB). Copy the manuscript's file instead.`,
    );
  }
  return readBundleText(decode(readRegular(path, path), basename(path)), shape, basename(path));
}
