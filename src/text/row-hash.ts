import { createHash, type Hash, hash } from "node:crypto";

/** Values of a row's cells, as SQLite gives them. */
export type Hashed = string | number | bigint | null | Uint8Array;

const DIGITS = 12;

/**
 * Returns a digest of these values: the first 48 bits of their SHA-256, never 0. A damaged value keeps it with a
 * chance of 1 in 281 million million. About 1 µs, and 2 for each kilobyte.
 */
export function rowHash(...values: readonly Hashed[]): number {
  let text = "";
  for (const value of values) text += written(value);
  return numberOf(hash("sha256", text, "hex"));
}

/** Hashes one value of many rows, for an aggregate of SQL: memory does not grow with them. */
export const ROWS_HASH = {
  start: (): Hash => createHash("sha256"),
  step: (sum: Hash, value: unknown): Hash => sum.update(written(value as Hashed)),
  result: (sum: Hash): number => numberOf(sum.digest("hex")),
};

// The length comes first, so that no two lists are written alike.
function written(value: Hashed): string {
  if (typeof value === "string") return `${value.length}:${value}`;
  if (value === null) return "~";
  return typeof value === "object" ? `b${Buffer.from(value).toString("hex")};` : `#${value};`;
}

function numberOf(hex: string): number {
  return Number.parseInt(hex.slice(0, DIGITS), 16) || 1;
}
