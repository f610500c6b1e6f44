import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pairing, ParagraphText } from "../../src/prose/reconcile/pairs.ts";
import { reconcile } from "../../src/prose/reconcile/reconcile.ts";
import { type Edited, edits } from "./edits.ts";

/** Counts over any number of edits; the bars are shares of them. */
export interface Tally {
  /** Ids that a new paragraph was given, those that are truly its own, and those that it should have been given. */
  kept: number;
  right: number;
  due: number;
  /** The same of absorbed paragraphs: a survivor was named, the right one, and should have been. */
  intoNamed: number;
  intoRight: number;
  intoDue: number;
}

/** The least that a kind of edit must reach, in per cent of ids kept and of ids due. */
export interface Bar {
  precision: number;
  recall: number;
}

/** What each kind of edit must keep, in per cent. Source: docs/decisions/015-paragraph-identity.md. */
export const bars: Readonly<Record<keyof typeof edits, Bar>> = {
  "typos @.3": { precision: 99.9, recall: 98.7 },
  "a sentence @.3": { precision: 99.9, recall: 98.7 },
  "half the words @.3": { precision: 99.9, recall: 98.7 },
  "rewrites @.3": { precision: 99.8, recall: 100 },
  "inserts @.3": { precision: 99.95, recall: 99.95 },
  "deletes @.3": { precision: 99.95, recall: 99.95 },
  "moves @.3": { precision: 99.9, recall: 99.9 },
  "a block moved": { precision: 99.9, recall: 99.9 },
  "neighbours swapped": { precision: 99.3, recall: 99.3 },
  "inserts beside edits": { precision: 99.8, recall: 98.9 },
  "one-line strangers @.3": { precision: 97.3, recall: 99.9 },
  "moves + 10 % of words @.3": { precision: 99.95, recall: 99 },
  "splits @.3": { precision: 99.8, recall: 99.8 },
  "merges @.3": { precision: 99.8, recall: 99.8 },
  "two renames": { precision: 99.95, recall: 99.9 },
  "quotes straightened": { precision: 99.95, recall: 99.9 },
  "lines re-wrapped": { precision: 99.95, recall: 99.9 },
  "duplicate short lines @.3": { precision: 99, recall: 99.8 },
  "mixed @.1": { precision: 99.95, recall: 99.8 },
  "mixed @.6": { precision: 99.8, recall: 99.3 },
};

/** How `reconcile` fares at one kind of edit, over every chapter of 15 paragraphs or more. */
export function tallyEdit(edit: string, chapters: readonly ParagraphText[][], seed: number): Tally {
  const tally = { kept: 0, right: 0, due: 0, intoNamed: 0, intoRight: 0, intoDue: 0 };
  for (const [at, old] of chapters.entries()) {
    if (old.length < 15) continue;
    const others = [1, 2].flatMap((after) => chapters[(at + after) % chapters.length]!); // in range by the modulo
    const edited = edits[edit]!({ old, others, seed: seed * 1000 + at }); // an unknown name is a broken test
    count(tally, edited, reconcile(edited.old, edited.next));
  }
  return tally;
}

/** Per cent; 100 when there was nothing to count. */
export function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : (100 * part) / whole;
}

/** The two tallies together. */
export function addTally(one: Tally, other: Tally): Tally {
  const sum = { ...one };
  for (const key of Object.keys(sum) as (keyof Tally)[]) sum[key] += other[key];
  return sum;
}

/** The folders of a corpus: one Markdown file a chapter in each. */
export function listNovels(corpus: string): string[] {
  const folders = existsSync(corpus) ? readdirSync(corpus, { withFileTypes: true }) : [];
  return folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** The novel's chapters as paragraphs, in order of their file names. */
export function readChapters(corpus: string, novel: string): ParagraphText[][] {
  const names = readdirSync(join(corpus, novel)).filter((name) => name.endsWith(".md"));
  return names.sort().map((name) => splitBlocks(readFileSync(join(corpus, novel, name), "utf8")));
}

function splitBlocks(markdown: string): ParagraphText[] {
  const blocks = markdown.replace(/^(> ?)+/gm, "").split(/\n{2,}/); // a quoted letter's paragraphs are paragraphs
  return blocks.flatMap((block) => {
    const text = block.trim();
    if (text === "") return [];
    if (/^(\* ?){3}$/.test(text)) return { type: "scene_break", text: "" };
    return text.startsWith("#")
      ? { type: "heading", text: text.replace(/^#+ /, "") }
      : { type: "paragraph", text };
  });
}

function count(tally: Tally, edited: Edited, pairing: Pairing): void {
  for (const [at, from] of pairing.from.entries()) {
    const truth = edited.from[at]!; // one for each new paragraph
    tally.kept += Number(from >= 0);
    tally.due += Number(truth >= 0);
    tally.right += Number(from >= 0 && from === truth);
  }
  for (const [at, into] of pairing.into.entries()) {
    const truth = edited.into[at]!; // one for each old paragraph
    tally.intoNamed += Number(into >= 0);
    tally.intoDue += Number(truth >= 0);
    tally.intoRight += Number(into >= 0 && into === truth);
  }
}
