import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { diagnose } from "../../src/service/health/doctor.ts";
import { rescue } from "../../src/service/health/rescue.ts";
import { reportOf } from "../../src/service/health/rescue-report.ts";
import { randomFrom } from "../support/random.ts";
import { folder } from "../support/sandbox.ts";
import { DAMAGES, judge, lay, makeWreckable } from "../support/wreck.ts";

describe("rescue", () => {
  it("brings back every paragraph whose pages are intact, none that was not written, and tells of all others", (t) => {
    const place = folder(t);
    const random = randomFrom(7);
    const size = { chapters: 2, paragraphs: 8, edits: 12 };
    const books = [false, true].map((hasLog) => {
      return makeWreckable(join(place, `made ${hasLog}`), random, { ...size, hasLog });
    });
    for (const [at, damage] of [...new Set(DAMAGES), ...DAMAGES.slice(-1)].entries()) {
      const book = books[damage === DAMAGES.at(-1) ? 1 : 0]!; // made above: the last tears a log
      const wreck = damage(book, random);
      const path = lay(join(place, `laid ${at}`), wreck, at % 2 === 0 ? book.copies : []);
      const before = readFileSync(path);
      const to = join(place, `out ${at}`, "book.manuscript");
      const rescued = rescue(path, to, () => mkdirSync(join(to, "..")));
      const { chapters, text } = reportOf(rescued, { name: "book.manuscript", folders: [] });
      rescued.manuscript.close();
      const told = { path: to, told: chapters, isTold: text.includes("pages of the file") };
      assert.deepEqual(judge(book, wreck, told), [], wreck.what);
      assert.deepEqual(
        diagnose(to).checks.filter(({ status }) => status === "fail"),
        [],
        wreck.what,
      );
      assert.deepEqual(readFileSync(path), before);
    }
  });
});
