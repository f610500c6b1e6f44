import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { learnTimes } from "../../src/reading/learn-times.ts";
import { finish } from "../../src/reading/reading.ts";
import { type TimeTold, timelineOf } from "../../src/reading/timeline.ts";

const BOUNDS = { times: 100, sentence: 120 };

function learn(texts: readonly string[], chapterId = "c") {
  const blocks = texts.map((text, index) => ({ blockId: `b${index}`, text }));
  return finish(learnTimes({ chapterId, revision: 1, title: "", blocks }, BOUNDS));
}

const told = (...texts: string[]): TimeTold[] => timelineOf([learn(texts)]).flat();

/** "Mon 1893-05-15 morning +3" or why there is none. */
function brief({ mark, value, weekday, time, days, years, differs, unplaced }: TimeTold): string {
  const day = days === null ? undefined : `${days < 0 ? "" : "+"}${days}`;
  const parts = [weekday?.slice(0, 3), value, time, years, day, differs && "differs", unplaced && "unplaced"];
  return `${mark.words}: ${parts.filter((part) => part !== undefined && part !== null).join(" ")}`;
}

describe("timelineOf", () => {
  it("counts days from a date, and holds weekdays and dates against the count", () => {
    assert.deepEqual(
      told(
        "It was Friday 12 May 1893. Three days later the ferry sank. The next morning was a Wednesday.",
        "On Friday they went to church. A fortnight later, on Tuesday 6 June, it rained.",
      ).map(brief),
      [
        "Friday 12 May 1893: Fri 1893-05-12 +0",
        "Three days later: Mon 1893-05-15 +3",
        "The next morning: Tue 1893-05-16 morning +4",
        "Wednesday: Tue 1893-05-16 +4 differs",
        "Friday: Fri 1893-05-19 +7",
        "A fortnight later: Fri 1893-06-02 +21",
        "Tuesday 6 June: Tue 1893-06-06 +0 differs",
      ],
    );
  });

  it("takes what heads a letter or an entry for its day, in quotation marks too, and no bare word for today", () => {
    assert.deepEqual(
      told(
        "28 May 1893.—Tonight I shall go. I had it today.",
        "31 May.—This morning I had a letter; it would do.",
        "“Whitby, 3 June.—I had hoped to see you.”",
        "The next day she came. “It was on 1 May,” he said.",
      ).map(brief),
      [
        "28 May 1893: Sun 1893-05-28 +0",
        "31 May: Wed 1893-05-31 +0",
        "This morning: Wed 1893-05-31 morning +0",
        "3 June: Sat 1893-06-03 +0",
        "The next day: Sun 1893-06-04 +1",
        "1 May: Mon 1893-05-01",
      ],
    );
  });

  it("counts without a year, over the ends of months, and gives the year that is nearest", () => {
    assert.deepEqual(
      told(
        "It was Monday, the thirtieth of January. Three days later they met.",
        "On 28 December 1899 he wrote. On 2 January she answered. Two months later he came.",
      ).map(brief),
      [
        "Monday, the thirtieth of January: Mon --01-30 +0",
        "Three days later: Thu --02-02 +3",
        "28 December 1899: Thu 1899-12-28 +0",
        "2 January: Tue 1900-01-02 +0",
        "Two months later: 1900-03 +0",
      ],
    );
  });

  it("is moved by no speech, by nothing that is looked back or ahead to, and by no time of day", () => {
    assert.deepEqual(
      told(
        "On Monday 1 May 1893 she came. “Three days later he was dead. I leave tomorrow,” she said.",
        "A week before, he was well. She had left on Thursday. He stayed until Saturday, and at half past nine in the evening he slept.",
        "The next day it rained.",
      ).map(brief),
      [
        "Monday 1 May 1893: Mon 1893-05-01 +0",
        "Three days later: unplaced",
        "tomorrow: Tue 1893-05-02 +1",
        "A week before: Mon 1893-04-24 -7",
        "Thursday: Thu 1893-05-04 +3",
        "Saturday: Sat 1893-05-06 +5",
        "half past nine in the evening: Mon 1893-05-01 21:30 +0",
        "The next day: Tue 1893-05-02 +1",
      ],
    );
  });

  it("is not moved by a day that something is meant for, nor by one of many", () => {
    assert.deepEqual(
      told(
        "It was Friday, 12 May 1893. She wrote her speech for the next day.",
        "One Sunday after another went by. The snow troubles them in winter.",
      ).map(brief),
      ["Friday, 12 May 1893: Fri 1893-05-12 +0", "the next day: Sat 1893-05-13 +1", "Sunday: unplaced"],
    );
    assert.equal(
      brief(told("It was 12 May 1893. A speech for the next day.", "Three days later.").at(-1)!),
      "Three days later: Mon 1893-05-15 +3",
    );
  });

  it("says what cannot be placed, and counts anew from there", () => {
    assert.deepEqual(
      told(
        "On Friday they left. Some weeks later they were back. Two days later he died.",
        "Every Sunday he prayed. Three weeks after the wedding she wept. That summer was hot.",
      ).map(({ mark, days, anchor, unplaced }) => [mark.words, days, anchor, unplaced]),
      [
        ["Friday", 0, 0, "no weekday is told before it to count from"],
        ["Some weeks later", 0, 1, "how long is not said"],
        ["Two days later", 2, 1, null],
        ["Sunday", null, 1, "a habit, and no one day"],
        ["Three weeks after", null, 1, "it is counted from something that the sentence names"],
        ["summer", 0, 5, "no year is told with it"],
      ],
    );
  });

  it("knows feasts, the movable ones by the year", () => {
    assert.deepEqual(
      told(
        "In 1999 she was born. At Easter 1999 it snowed. On Christmas Eve he came. At Thanksgiving, 2023, he left.",
        "She had a Christmas tree. “Merry Christmas!”",
      ).map(brief),
      [
        "1999: 1999 +0",
        "Easter 1999: Sun 1999-04-04 +0",
        "Christmas Eve: Fri 1999-12-24 +0",
        "Thanksgiving, 2023: Thu 2023-11-23 +0",
      ],
    );
  });

  it("tells ages of people", () => {
    assert.deepEqual(
      told("She was thirty-four. Mara, aged nine, had a nine-year-old dog. It was his fortieth birthday.")
        .filter(({ mark }) => mark.said.kind === "age")
        .map(({ years }) => years),
      [34, 9, 9, 40],
    );
  });

  it("takes no name, order or number for a time", () => {
    assert.deepEqual(
      told(
        "There were 1,200 men and 1200 men; he built 1200 houses and read page 1812.",
        "He was the second. May said so. April laughed, and March was tired. They may second it.",
        "Sunday nodded. Friday’s face was grave. She was one of nine. The spring of the clock broke; he had a fall.",
        "The eighth. In June’s room stood a bed. The soldiers march in May’s honour.",
      ).map(brief),
      [],
    );
  });

  it("is bounded: long sentences are cut around their time, and a chapter keeps so many", () => {
    const { marks, leftOut } = learn([
      `${"on and ".repeat(100)}three days later ${"and on ".repeat(100)}.`,
      "Three days later. ".repeat(150),
    ]);
    assert.deepEqual([marks.length, leftOut], [100, 51]);
    const [first] = marks;
    assert.ok(first !== undefined && first.sentence.text.length <= BOUNDS.sentence);
    assert.ok(first.sentence.text.includes("three days later"));
  });

  it("is linear in one letter, in one word, in marks, and silent in other scripts", () => {
    const size = 400_000;
    for (const piece of ["a", "a ", ".", "1", "“", "她三天后来了。", "เขามาในวันศุกร์ ", "nineteen-"]) {
      assert.equal(told(`${piece.repeat(size / piece.length)}x`).length, 0, piece);
    }
  });
});
