import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ParagraphText } from "../../src/prose/reconcile/pairs.ts";
import { reconcile } from "../../src/prose/reconcile/reconcile.ts";
import { edits } from "./edits.ts";
import { addTally, bars, listNovels, percent, readChapters, type Tally, tallyEdit } from "./edits-measure.ts";
import { inventChapters, scriptNames } from "./edits-texts.ts";
import { ALL_CASES } from "./rewrite.ts";

const seed = 1;
const corpus = process.env.MANUSCRIPT_CORPUS;
const wholeNovels = corpus === undefined ? "MANUSCRIPT_CORPUS names no folder of novels" : false;

/** Points below the bar that invented chapters may stay: they are few, and one paragraph of 600 weighs 0.2. */
const ALLOWANCE = 1;

function assertBar(tally: Tally, edit: string, allowance: number): void {
  const bar = bars[edit]!; // every edit has one: the first test
  const precision = percent(tally.right, tally.kept);
  const recall = percent(tally.right, tally.due);
  const found = `${edit}: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}, seed ${seed}`;
  assert.ok(precision >= bar.precision - allowance, `${found}; wanted ${bar.precision}`);
  assert.ok(recall >= bar.recall - allowance, `${found}; wanted ${bar.recall}`);
  assert.ok(percent(tally.intoRight, tally.intoNamed) >= 98, `${edit}: a survivor was named that is none`);
  assert.ok(percent(tally.intoRight, tally.intoDue) >= 98, `${edit}: a survivor was not named`);
}

describe("reconcile › edits of known outcome", () => {
  it("has a bar for every kind of edit", () => {
    assert.deepEqual(Object.keys(bars).sort(), Object.keys(edits).sort());
  });

  for (const script of scriptNames) {
    const chapters = inventChapters({ script, seed, chapters: ALL_CASES ? 4 : 2, paragraphs: 150 });
    it(`meets the bar on invented ${script} chapters, kind by kind`, () => {
      for (const edit of Object.keys(edits)) assertBar(tallyEdit(edit, chapters, seed), edit, ALLOWANCE);
    });
  }

  it("gives each old id at most once, and a survivor only to an old paragraph that lost its own", () => {
    const chapters = inventChapters({ script: "latin", seed: seed + 1, chapters: 3, paragraphs: 60 });
    for (const [name, edit] of Object.entries(edits)) {
      const { old, next } = edit({ old: chapters[0]!, others: chapters[1]!, seed }); // three chapters, see above
      const { from, into } = reconcile(old, next);
      const given = [...from].filter((at) => at >= 0);
      assert.equal(from.length, next.length, name);
      assert.equal(into.length, old.length, name);
      assert.equal(new Set(given).size, given.length, name);
      for (const [at, survivor] of into.entries()) {
        if (survivor === -1) continue;
        assert.ok(
          !given.includes(at) && (from[survivor] ?? -1) >= 0,
          `${name}: old ${at} into new ${survivor}`,
        );
      }
      assert.deepEqual(reconcile(old, next), { from, into }, `${name}: twice the same`);
    }
  });
});

describe("reconcile › edits of real chapters", { skip: wholeNovels }, () => {
  const novels = corpus === undefined ? [] : listNovels(corpus).map((novel) => readChapters(corpus, novel));

  it("has novels to read", () => assert.ok(novels.length > 0, `no novels in ${corpus}`));

  for (const edit of Object.keys(edits)) {
    it(`meets the bar: ${edit}`, () => {
      assertBar(
        novels.map((chapters: ParagraphText[][]) => tallyEdit(edit, chapters, seed)).reduce(addTally),
        edit,
        0,
      );
    });
  }
});
