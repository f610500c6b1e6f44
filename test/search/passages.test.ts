import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type IndexedPassage, NO_SLOT, Passages } from "../../src/search/index/passages.ts";
import { cutPieces } from "../../src/search/index/pieces.ts";
import { termsOf } from "../../src/search/terms/words.ts";
import { randomly } from "../prose/rewrite.ts";

const WORDS = "the lantern lamp of rope harbour tide a sea night".split(" ");
const word = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...WORDS) },
  fc.constantFrom("東京に行く。", "don’t", "to-day"),
);
const short = fc.array(word, { minLength: 1, maxLength: 12 }).map((all) => all.join(" "));
const long = fc.array(word, { minLength: 250, maxLength: 800 }).map((all) => all.join(" "));

const passageOf = (text: string, key: string): IndexedPassage => ({
  owner: "c",
  key,
  field: "prose",
  text,
  weight: 1,
  slot: NO_SLOT,
});

/** BM25+ of a term in each text that holds it, from the formula alone. */
function bm25(term: string, texts: readonly string[]): number[] {
  const all = texts.map(termsOf);
  const average = all.reduce((sum, terms) => sum + new Set(terms).size, 0) / all.length;
  const df = all.filter((terms) => terms.includes(term)).length;
  const idf = Math.log(1 + (all.length - df + 0.5) / (df + 0.5));
  return all.map((terms) => {
    const times = terms.filter((one) => one === term).length;
    const norm = 1.2 * (0.3 + (0.7 * new Set(terms).size) / average);
    return times === 0 ? 0 : idf * (0.5 + (times * 2.2) / (times + norm));
  });
}

describe("Passages", () => {
  test("score as BM25 has it, however long they are and whatever they were before", () => {
    const texts = fc.array(fc.oneof(short, long), { minLength: 1, maxLength: 5 });
    const edits = fc.array(fc.record({ at: fc.nat(4), from: fc.nat(2500), text: fc.oneof(short, long) }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(texts, edits, (before, changes) => {
        const passages = new Passages((term) => term);
        const held = before.map((text, at) => passageOf(text, `p${at}`));
        for (const passage of held) passages.add(passage);
        for (const { at, from, text } of changes) {
          const old = held[at];
          if (old === undefined) continue;
          const next = passageOf(`${old.text.slice(0, from)} ${text} ${old.text.slice(from + 40)}`, old.key);
          passages.replace(old, next);
          held[at] = next;
        }
        for (const term of [...WORDS, "東京", "dont"]) {
          const found = new Map<IndexedPassage, number>();
          passages.find(term, (passage, score) => found.set(passage, score));
          const visited = new Set<IndexedPassage>();
          passages.visit(term, { slots: new Int32Array(passages.slotCount).fill(1) }, (passage) =>
            visited.add(passage),
          );
          const due = bm25(
            term,
            held.map(({ text }) => text),
          );
          assert.deepEqual(new Set(found.keys()), visited);
          for (const [at, passage] of held.entries()) {
            assert.ok(Math.abs((found.get(passage) ?? 0) - due[at]!) < 1e-9, `${term} in ${passage.key}`); // one score each
          }
        }
        for (const passage of held) passages.remove(passage);
        assert.deepEqual(
          [passages.count, passages.pieceCount, passages.termCount, passages.vocabulary.size],
          [0, 0, 0, 0],
        );
      }),
      { ...randomly(60), seed: 9 },
    );
  });

  test("are visited by their slots, or by their owners' numbers, also where numbers were free again", () => {
    const passages = new Passages((term) => term);
    const [gone, ...held] = ["a", "b", "c", "b"].map((owner, at) => ({
      ...passageOf("the lamp", `p${at}`),
      owner,
    }));
    for (const passage of [gone!, ...held]) passages.add(passage); // four
    passages.remove(gone!); // as above
    const long = { ...passageOf("a lamp stood there and nobody knew. ".repeat(90), "p4"), owner: "d" };
    passages.add(long);
    const visited = (slots: readonly IndexedPassage[], owners: readonly IndexedPassage[]) => {
      const wanted = {
        slots: new Int32Array(passages.slotCount),
        owners: new Uint8Array(passages.ownerCount),
      };
      for (const { slot } of slots) wanted.slots[slot] = 1;
      for (const passage of owners) wanted.owners[passages.ownerOf(passage)] = 1;
      const keys = new Set<string>();
      passages.visit("lamp", wanted, ({ key }) => keys.add(key));
      return [...keys].sort();
    };
    const [first, second] = held;
    assert.deepEqual(visited([second!], []), ["p2"]);
    assert.deepEqual(visited([long], [first!]), ["p1", "p3", "p4"]);
    assert.deepEqual(visited([], [long]), ["p4"]);
    assert.deepEqual([gone!.slot, passages.ownerCount], [NO_SLOT, 3]);
  });
});

describe("cutPieces", () => {
  test("cuts what repeats itself between words, and what has no blanks between characters", () => {
    for (const text of ["the ".repeat(20_000), "a".repeat(50_000), "\u{20000}".repeat(30_000)]) {
      const pieces = cutPieces(text);
      assert.equal(pieces.join(""), text);
      assert.ok(pieces.length > 2 && pieces.every((piece) => piece.length <= 17_000 && piece.isWellFormed()));
    }
    assert.ok(cutPieces("the ".repeat(20_000)).every((piece) => piece.endsWith("the ")));
  });

  test("cuts long texts between words, so that the pieces hold the terms of the whole", () => {
    fc.assert(
      fc.property(long, (text) => {
        const pieces = cutPieces(text);
        assert.equal(pieces.join(""), text);
        assert.deepEqual(pieces.flatMap(termsOf), termsOf(text));
      }),
      { ...randomly(60), seed: 4 },
    );
  });

  test("leaves what is far from an edit as it was", () => {
    const text = Array.from({ length: 3000 }, (_, at) => `word${(at * at * 7919) % 3613}`).join(" ");
    const before = cutPieces(text);
    const kept = Array.from({ length: 50 }, (_, at) => {
      const place = text.indexOf(" ", at * 450);
      const after = cutPieces(`${text.slice(0, place)} another${text.slice(place)}`);
      return after.filter((piece) => before.includes(piece)).length / before.length;
    });
    assert.ok(before.length > 25, `${before.length} pieces`);
    assert.ok(kept.reduce((sum, share) => sum + share, 0) / kept.length > 0.9, String(kept));
  });
});
