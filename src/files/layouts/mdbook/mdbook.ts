import { dirname } from "node:path";
import { isFileWithin } from "../../disk/text-file.ts";
import type { Layout, LayoutBook, Source } from "../layout.ts";
import { type ListedEntry, pathOf, readIndex, readListed } from "../listed.ts";
import { readSummary } from "./summary.ts";

const SUMMARY = "SUMMARY.md";
const CONFIG = "book.toml";

/** An mdBook or GitBook: chapters and parts come from `SUMMARY.md`. */
export const MDBOOK: Layout = {
  name: "mdbook",
  called: "mdBook",
  lacks: "there is no SUMMARY.md in it, nor in src/ or where book.toml says",
  detect: (source) => find(source)?.index,
  read: async (source) => {
    const { folder, index, title } = find(source)!; // it was detected
    const below = dirname(index) === "." ? "" : dirname(index);
    const outside: LayoutBook["skipped"][number][] = [];
    const entries = readSummary(readIndex(folder, index), index).flatMap((item): ListedEntry[] => {
      const reason = reasonToSkip(item.target, index);
      if (reason !== undefined) {
        outside.push({ file: item.title || item.target, reason, isKnown: true });
        return [];
      }
      return [{ file: pathOf(item.target, below, index), title: item.title, part: item.part }];
    });
    const book = readListed(folder, entries.map(withTitle), { index, title });
    return { ...book, skipped: [...outside, ...book.skipped], used: [index, CONFIG] };
  },
};

function reasonToSkip(target: string, index: string): string | undefined {
  if (target === "") return `${index} names no file for it`;
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith("//")) return "a link, not a file of the book";
  return undefined;
}

function withTitle({ title, ...entry }: ListedEntry): ListedEntry {
  return title ? { ...entry, title } : entry;
}

function find({ folder, file }: Source): { folder: string; index: string; title?: string } | undefined {
  if (file !== undefined) return file === SUMMARY ? { folder, index: SUMMARY } : undefined;
  const { src = "src", title } = isFileWithin(folder, CONFIG) ? readConfig(readIndex(folder, CONFIG)) : {};
  const steps = src.split("/").filter((step) => step !== "" && step !== ".");
  const isBelow = steps.every((step) => !step.startsWith("."));
  const places = [...(isBelow ? [[...steps, SUMMARY].join("/")] : []), SUMMARY];
  const index = places.find((place) => isFileWithin(folder, place));
  return index === undefined ? undefined : { folder, index, ...(title === undefined ? {} : { title }) };
}

/** Reads the two keys of `[book]` that matter. Not a TOML parser: anything unusual is ignored. */
function readConfig(text: string): { src?: string; title?: string } {
  const said: Record<string, string> = {};
  let table = "";
  for (const line of text.split(/\r?\n/)) {
    table = /^\s*\[([^[\]]*)\]/.exec(line)?.[1]?.trim() ?? table;
    const [, key, basic, literal] =
      /^\s*(src|title)\s*=\s*(?:("(?:\\.|[^"\\])*")|'([^']*)')/.exec(line) ?? [];
    if (table === "book" && key !== undefined) said[key] = literal ?? unquoted(basic ?? '""');
  }
  return said;
}

function unquoted(basic: string): string {
  try {
    return String(JSON.parse(basic));
  } catch {
    return basic.slice(1, -1);
  }
}
