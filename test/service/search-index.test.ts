import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBook, deleteBook } from "../../src/service/books/books.ts";
import { createChapter, deleteChapter, updateChapter } from "../../src/service/books/chapters.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { searchBook } from "../../src/service/search/search.ts";
import { queryIndex, warmIndex } from "../../src/service/search/search-index.ts";
import { warmSearch } from "../../src/service/search/warm-up.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript, seeded } from "../support/sandbox.ts";

const WORDS = "lantern harbour rope tide bell ferry night letter window salt".split(" ");
const QUESTIONS = [
  "lantern",
  "ferry bell",
  '"rope tide"',
  "salt -night",
  "harb",
  "lantren letter",
  "chapter",
];

/** A book of so many chapters, each of eight paragraphs of random words. */
function writeBook(own: Manuscript, chapters: number, seed: number) {
  const pick = picker(seed);
  const { id: bookId } = createBook(own, { title: "Book" }, OWNER);
  const ids = Array.from({ length: chapters }, (_, at) => {
    const asked = { title: `Chapter ${at}`, markdown: proseOf(pick) };
    return createChapter(own, bookId, asked, OWNER).id;
  });
  return { bookId, ids, pick };
}

type Pick = (limit: number) => number;

function picker(seed: number): Pick {
  const random = seeded(seed);
  return (limit) => (random(1)[0] ?? 0) % limit;
}

function proseOf(pick: Pick): string {
  const sentence = () => Array.from({ length: 5 + pick(9) }, () => WORDS[pick(WORDS.length)]).join(" ");
  return `${Array.from({ length: 8 }, () => `The ${sentence()}.`).join("\n\n")}\n`;
}

function answers(own: Manuscript, bookId: string): unknown[] {
  return QUESTIONS.map((q) => rounded(searchBook(own, bookId as Parameters<typeof searchBook>[1], { q })));
}

/** Scores may differ by 1e-9. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part) => (key === "score" ? Number(part.toFixed(7)) : part)));
}

/** Answers of an index made afresh, in another opening of the file. */
function freshAnswers(own: Manuscript, bookId: string): unknown[] {
  const other = openManuscript(own.store.path);
  try {
    return answers(other, bookId);
  } finally {
    other.close();
  }
}

describe("the index of a book", () => {
  it("answers after any writes as one made afresh", (t) => {
    const own = manuscript(t);
    const { bookId, ids, pick } = writeBook(own, 5, 3);
    const other = openManuscript(own.store.path);
    t.after(() => other.close());
    answers(own, bookId);
    const chapterOf = () => ids[pick(ids.length)]!; // the index is below the length
    const split = (id: string, by: Manuscript) =>
      replaceProse(by, id as never, { markdown: proseOf(pick) }, OWNER).act;
    for (let round = 0; round < 6; round++) {
      const acts = [split(chapterOf(), own), split(chapterOf(), other)];
      if (round % 3 === 0)
        updateChapter(own, chapterOf() as never, { position: 1 + pick(5), title: WORDS[pick(9)]! }, OWNER);
      if (round % 4 === 1) acts.push(deleteChapter(own, ids.pop() as never, OWNER).act);
      if (round % 2 === 1) undoAct(own, acts.at(-1) as never, OWNER);
      assert.deepEqual(answers(own, bookId), freshAnswers(own, bookId), `round ${round}`);
    }
  });

  it("has the prose of a chapter that was gone and comes back", (t) => {
    const own = manuscript(t);
    const { bookId, ids } = writeBook(own, 3, 7);
    const before = answers(own, bookId);
    const { act } = deleteChapter(own, ids[1] as never, OWNER);
    assert.deepEqual(answers(own, bookId), freshAnswers(own, bookId));
    undoAct(own, act as never, OWNER);
    assert.deepEqual(answers(own, bookId), before);
  });

  it("is made again when it fails", (t) => {
    const own = manuscript(t);
    const { bookId } = writeSample(own);
    const before = answers(own, bookId);
    let failures = 0;
    const asked = queryIndex(own.store, bookId as never, () => {
      failures++;
      if (failures === 1) throw new Error("the index says something else than the file");
      return "made again";
    });
    assert.equal(asked, "made again");
    assert.deepEqual(answers(own, bookId), before);
  });

  it("passes on a fault that stays", (t) => {
    const own = manuscript(t);
    const { bookId } = writeSample(own);
    const ask = () => {
      throw new Error("always");
    };
    assert.throws(() => queryIndex(own.store, bookId as never, ask), /always/);
    assert.equal(answers(own, bookId).length, QUESTIONS.length);
  });
});

describe("warming", () => {
  /** Runs the slices by hand: `turn` runs one, and says whether there is another. */
  function byHand(own: Manuscript) {
    let time = 0;
    let waiting: (() => void) | undefined;
    const now = () => time++;
    const later = (slice: () => void) => {
      waiting = slice;
    };
    const stop = warmSearch([own], { sliceMs: 6, now, later });
    const turn = () => {
      const slice = waiting;
      waiting = undefined;
      slice?.();
      return waiting !== undefined;
    };
    return { turn, stop, time: () => time };
  }

  it("builds every book in slices that end in time", (t) => {
    const own = manuscript(t);
    const books = [writeBook(own, 3, 1), writeBook(own, 2, 2)];
    const { turn, time } = byHand(own);
    let slices = 0;
    for (let before = time(), more = true; more; before = time(), slices++) {
      more = turn();
      assert.ok(time() - before <= 8, `slice ${slices} took ${time() - before} ms`);
    }
    assert.ok(slices >= 40 / 6, "all was done at once");
    for (const { bookId } of books) {
      assert.equal(warmIndex(own.store, bookId).next().done, true, "it is built already");
      assert.deepEqual(answers(own, bookId), freshAnswers(own, bookId));
    }
  });

  it("is overtaken by questions and writes without harm", (t) => {
    const own = manuscript(t);
    const { bookId, ids, pick } = writeBook(own, 4, 5);
    const { turn } = byHand(own);
    turn();
    for (const id of [ids[0], ids[3], ids[0]]) {
      replaceProse(own, id as never, { markdown: proseOf(pick) }, OWNER);
      turn();
    }
    deleteChapter(own, ids[1] as never, OWNER);
    turn();
    assert.deepEqual(answers(own, bookId), freshAnswers(own, bookId));
    for (let more = true; more; ) more = turn();
    assert.deepEqual(answers(own, bookId), freshAnswers(own, bookId));
  });

  it("stops when told, and where a book goes meanwhile or the file is closed", (t) => {
    const own = manuscript(t);
    const { bookId } = writeBook(own, 3, 1);
    const stopped = byHand(own);
    assert.equal(stopped.turn(), true);
    stopped.stop();
    assert.equal(stopped.turn(), false);
    const gone = byHand(own);
    gone.turn();
    deleteBook(own, bookId, OWNER);
    for (let more = true; more; ) more = gone.turn();
    const closed = byHand(own);
    own.close();
    assert.equal(closed.turn(), false);
  });
});
