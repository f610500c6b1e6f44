import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ParagraphText } from "../../src/prose/reconcile/pairs.ts";
import { reconcile } from "../../src/prose/reconcile/reconcile.ts";
import { inventTwins } from "./twins.ts";
import { tallyTwins } from "./twins-measure.ts";

const p = (text: string): ParagraphText => ({ type: "paragraph", text });
const h = (text: string): ParagraphText => ({ type: "heading", text });
const from = (old: ParagraphText[], next: ParagraphText[]): number[] => [...reconcile(old, next).from];
const fromLines = (old: string[], next: string[]): number[] => from(old.map(p), next.map(p));

const [storm, letter, supper, lamp] = [
  p("The storm came over the harbour before anyone had thought to bring the boats in."),
  p("Anna read the letter twice, folded it, and put it where nobody would look for it."),
  p("At supper they spoke of the price of salt and of nothing else that mattered."),
  p("The lamp went out at midnight, and the old house began to talk to itself."),
];

describe("reconcile › twins", () => {
  it("crosses no ids of neighbours that differ only in what was changed", () => {
    const tally = tallyTwins(inventTwins(200, 1));
    assert.deepEqual(tally.crossedIn, []);
    assert.ok(tally.kept >= 0.99 * tally.due, `${tally.kept} of ${tally.due} ids were kept`);
  });

  it("leaves renamed lines in their order", () => {
    assert.deepEqual(
      fromLines(["Anne laughed.", "Jane laughed."], ["Elizabeth laughed.", "Meg laughed."]),
      [0, 1],
    );
    assert.deepEqual(
      fromLines(
        ["Harold said yes to Harold.", "Ronald said yes to Ronald."],
        ["Zephyrine said yes to Zephyrine.", "Bo said yes to Bo."],
      ),
      [0, 1],
    );
    assert.deepEqual(fromLines(["安娜笑了。", "简宁笑了。"], ["简爱笑了。", "安德烈笑了。"]), [0, 1]);
  });

  it("leaves them in their order beside a stranger that came in", () => {
    const old = [storm, p("Anne laughed."), p("Jane laughed."), lamp];
    const next = [storm, letter, p("Elizabeth laughed."), p("Meg laughed."), lamp];
    assert.deepEqual(from(old, next), [0, -1, 1, 2, 3]);
  });

  it("leaves a ledger in its order when every price became that of the next item", () => {
    const numbers = Array.from({ length: 40 }, (_, at) => at);
    const priced = (rise: number): string[] =>
      numbers.map((n) => `Item ${n + 1}: ${10 + n + rise} crowns, ${n + rise} pence`);
    assert.deepEqual(fromLines(priced(0), priced(1)), numbers);
    const paid = (rise: number): string[] => numbers.map((n) => `Paid ${10 + n + rise} crowns for the mill.`);
    assert.deepEqual(fromLines(paid(0), paid(1)), numbers);
  });

  it("follows a line of a ledger that moved, and one whose neighbour was struck out", () => {
    const old = ["Paid 12 crowns.", "Paid 7 crowns.", "Paid 31 crowns."];
    assert.deepEqual(fromLines(old, ["Paid 31 crowns.", "Paid 12 crowns.", "Paid 7 crowns."]), [2, 0, 1]);
    assert.deepEqual(
      fromLines(old, ["Paid 12 crowns.", "Paid 31 crowns.", "Paid 9 crowns."]).slice(0, 2),
      [0, 2],
    );
  });

  it("follows a name that moved, though every line was edited", () => {
    assert.deepEqual(
      fromLines(
        ["Saint Anne, pray for us.", "Saint Jude, pray for us.", "Saint Paul, pray for us."],
        ["Saint Paul, ora pro nobis.", "Saint Anne, ora pro nobis.", "Saint Jude, ora pro nobis."],
      ),
      [2, 0, 1],
    );
  });

  it("follows a paragraph that moved past others and was edited", () => {
    const edit = ({ text }: ParagraphText): ParagraphText => p(`${text} So it was said.`);
    assert.deepEqual(from([storm, letter, supper], [supper, storm, letter].map(edit)), [2, 0, 1]);
  });
});

describe("reconcile › labels", () => {
  for (const labels of [
    ["I", "II", "III", "IV"],
    ["Chapter One", "Chapter Two", "Chapter Three", "Chapter Four"],
    ["第一章", "第二章", "第三章", "第四章"],
  ]) {
    const [one, two, three, four] = labels.map(h) as [
      ParagraphText,
      ParagraphText,
      ParagraphText,
      ParagraphText,
    ];

    it(`go with their sections when one comes in or goes: ${one.text}`, () => {
      const old = [one, storm, two, letter, three, lamp];
      assert.deepEqual(
        from(old, [one, storm, two, supper, three, letter, four, lamp]),
        [0, 1, -1, -1, 2, 3, 4, 5],
      );
      assert.deepEqual(from(old, [one, storm, two, lamp]), [0, 1, 4, 5]);
    });
  }

  it("stay with their number when what stands below is another text", () => {
    const old = [h("I"), storm, h("II"), letter, h("III"), lamp];
    assert.deepEqual(from(old, [h("I"), storm, h("II"), supper, h("III"), lamp]), [0, 1, 2, -1, 4, 5]);
  });

  it("stay with the upper half of a section that was cut in two", () => {
    const old = [h("I"), storm, letter, h("II"), lamp];
    assert.deepEqual(from(old, [h("I"), storm, h("II"), letter, h("III"), lamp]), [0, 1, -1, 2, 3, 4]);
  });

  it("stay what they were where one moved alone", () => {
    const old = [p("May 5th."), storm, letter, p("May 12th."), supper, lamp];
    assert.deepEqual(
      from(old, [storm, p("May 12th."), letter, supper, p("May 5th."), lamp]),
      [1, 3, 2, 4, 0, 5],
    );
  });
});
