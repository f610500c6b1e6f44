import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createStatistics, tallyChapter } from "../../src/reading/text/statistics.ts";
import { addTally, emptyTally } from "../../src/reading/text/tally.ts";
import { bookOf, chapterOf } from "./book.ts";

describe("the statistics of a book", () => {
  it("count what a capital stands beside", () => {
    const { tally } = tallyChapter(
      chapterOf("c1", [
        "Orr said no. At dusk Captain Orr rowed in Marrow to Orr’s lamp. The lamp, Orr, is out.",
      ]),
    );
    const { lower, capital } = tally;
    const orr = capital.get("orr");
    assert.deepEqual(
      [orr?.start, orr?.middle, orr?.afterHonorific, orr?.besideSpeech, orr?.possessive, orr?.vocative],
      [1, 3, 1, 1, 1, 1],
    );
    assert.equal(capital.get("marrow")?.inPlace, 1);
    assert.equal(lower.get("lamp"), 2);
  });

  it("are the same sums in any order, and nothing is left of what is taken away", () => {
    const first = tallyChapter(chapterOf("a", ["Mara saw Tam in Marrow. MARA ran."])).tally;
    const second = tallyChapter(chapterOf("b", ["Tam said so to Mara."])).tally;
    const [forth, back] = [emptyTally(), emptyTally()];
    for (const part of [first, second]) addTally(forth, part, 1);
    for (const part of [second, first]) addTally(back, part, 1);
    assert.deepEqual(forth, back);
    for (const part of [first, second]) addTally(forth, part, -1);
    assert.deepEqual(forth, emptyTally());
  });

  it("read a chapter again only when its revision is new, and forget one that is gone", () => {
    const statisticsOf = createStatistics();
    const reads: string[] = [];
    const count = (...chapters: ReturnType<typeof chapterOf>[]) =>
      statisticsOf(bookOf(chapters, { onRead: (id) => reads.push(id) })).total.capital.get("mara")?.middle ??
      0;
    const one = chapterOf("one", ["So Mara sang."]);
    const two = chapterOf("two", ["And Mara slept."]);
    assert.equal(count(one, two), 2);
    assert.equal(count(one, two), 2);
    assert.deepEqual(reads, ["one", "two"]);
    assert.equal(count(one, { ...chapterOf("two", ["Then Mara and Mara."]), revision: 2 }), 3);
    assert.equal(count(one), 1);
    assert.deepEqual(reads, ["one", "two", "two"]);
  });
});
