import { closeSync, openSync, readSync } from "node:fs";
import { type DocumentKind, HEAD_BYTES, kindOf } from "./kinds.ts";

/** The kind of document that a file is, by its beginning and its name; undefined for text. */
export function kindOfFile(path: string, name: string): DocumentKind | undefined {
  const opened = openSync(path, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return kindOf(head.subarray(0, readSync(opened, head, 0, HEAD_BYTES, 0)), name);
  } finally {
    closeSync(opened);
  }
}
