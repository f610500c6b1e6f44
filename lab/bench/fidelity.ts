/**
 * Counts the bytes that an edit of one leaf changes elsewhere, in every way to edit one: a table, then the same as one
 * line of JSON. The Markdown texts are edited at every leaf, the novels in `MANUSCRIPT_CORPUS` at every tenth, or one in
 * `MANUSCRIPT_STRIDE`; `MANUSCRIPT_SHOW=1` prints what an edit changed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listNovels } from "../../test/prose/edits-measure.ts";
import { type Edited, editEach, replaceWords } from "../../test/prose/fidelity-measure.ts";
import { FIDELITY_TEXTS } from "../../test/prose/fidelity-texts.ts";

/** Leaves of a novel's chapter that are edited: one in so many. */
const STRIDE = Number(process.env.MANUSCRIPT_STRIDE ?? 10);

/** What came of the edits of one way; `letters` counts those of which only the word that was put in should be new. */
interface Row {
  texts: string;
  way: string;
  edits: number;
  refused: number;
  changedOutside: number;
  letters: number;
  changedLetters: number;
}

const corpus = process.env.MANUSCRIPT_CORPUS;
const rows: Row[] = [];
measure("Markdown texts", Object.values(FIDELITY_TEXTS), 1);
for (const novel of corpus === undefined ? [] : listNovels(corpus)) {
  const folder = join(corpus!, novel); // listed
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const chapters = names.sort().map((name) => readFileSync(join(folder, name), "utf8"));
  measure(novel, chapters, STRIDE);
}
console.table(rows);
console.log(JSON.stringify({ suite: "fidelity", rows }));

function measure(texts: string, all: readonly string[], stride: number): void {
  const byWay = new Map<string, Row>();
  for (const text of all) {
    for (const edited of editEach(text, { leaf: (ordinal) => ordinal % stride === 0 }))
      count(texts, byWay, edited);
    for (const every of [1, 2, 3, 5])
      for (const edited of replaceWords(text, every)) count(texts, byWay, edited);
  }
  rows.push(...byWay.values());
}

function count(
  texts: string,
  byWay: Map<string, Row>,
  { way, after, refused, outside, letters }: Edited,
): void {
  const none = { texts, way, edits: 0, refused: 0, changedOutside: 0, letters: 0, changedLetters: 0 };
  const row = byWay.get(way) ?? none;
  byWay.set(way, row);
  row.edits++;
  if (refused) row.refused++;
  else if (!outside) row.changedOutside++;
  if (letters !== undefined) row.letters++;
  if (letters === false && !refused) row.changedLetters++;
  if (process.env.MANUSCRIPT_SHOW !== undefined && (refused || !outside || letters === false))
    console.error(texts, way, JSON.stringify(after).slice(0, 2000));
}
