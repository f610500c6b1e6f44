import { closeSync, openSync, readSync } from "node:fs";
import { PayloadTooLarge } from "../../refusals.ts";
import { readRegular, statOf } from "../disk/text-file.ts";
import { type DocumentKind, HEAD_BYTES, kindOf, kindOfName } from "../pandoc.ts";

/** Returns the kind of a document by its first bytes, else by its name; undefined for text. */
export function kindOfFile(path: string, name: string): DocumentKind | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  let opened: number | undefined;
  try {
    opened = openSync(path, "r");
    return kindOf(head.subarray(0, readSync(opened, head, 0, HEAD_BYTES, 0)), name);
  } catch {
    return kindOfName(name); // who reads it will say why it cannot be
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

const MOST_BYTES = 64 * 1024 * 1024;

/** Reads a document; `name` is for messages. Throws `PayloadTooLarge` beyond 64 MiB. */
export function readDocumentFile(path: string, name: string): Buffer {
  const { size } = statOf(path, name);
  if (size > MOST_BYTES)
    throw new PayloadTooLarge(`${name} has ${size} bytes; at most ${MOST_BYTES} are read.`);
  return readRegular(path, name);
}
