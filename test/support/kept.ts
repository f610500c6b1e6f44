import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** When and where something was measured. */
export interface Measuring {
  /** `YYYY-MM-DD`. */
  on: string;
  /** "Node 24.1.0, linux-x64". */
  machine: string;
}

/** Today, on this machine. */
export function hereAndNow(): Measuring {
  return {
    on: new Date().toISOString().slice(0, 10),
    machine: `Node ${process.versions.node}, ${process.platform}-${process.arch}`,
  };
}

/** What was measured and kept at this path; nothing if there is no such file. */
export function readKept<Kept>(path: string): Record<string, Kept> {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** Keeps these measurements at this path, in place of those of the same names; returns all that are kept there now. */
export function keepAlso<Kept>(path: string, measured: Readonly<Record<string, Kept>>): Record<string, Kept> {
  const all = { ...readKept<Kept>(path), ...measured };
  writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
  return all;
}
