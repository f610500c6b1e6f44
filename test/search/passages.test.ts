import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import MiniSearch from "minisearch";
import { type IndexedPassage, Passages } from "../../src/search/index/passages.ts";
import { termsOf } from "../../src/search/terms/words.ts";
import { randomly } from "../prose/rewrite.ts";
import { bookOf, fact } from "./book.ts";

const WORDS = "the lantern lamp of rope harbour tide a sea night".split(" ");
const word = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...WORDS) },
  fc.constantFrom("東京に行く。", "don’t", "to-day"),
);
const textOf = (maxLength: number) => fc.array(word, { minLength: 1, maxLength }).map((all) => all.join(" "));

const passageOf = (text: string, key: string): IndexedPassage => ({
  owner: "c",
  key,
  field: "prose",
  text,
  weight: 1,
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

/** Scores by the keys of the passages. */
function scoresOf(passages: Passages, terms: readonly string[]): Map<string, number> {
  return new Map(passages.find(terms).map(({ passage, score }) => [passage.key, score]));
}

describe("Passages", () => {
  test("score as BM25 has it, whatever they were before", () => {
    const texts = fc.array(textOf(40), { minLength: 1, maxLength: 5 });
    const edits = fc.array(fc.record({ at: fc.nat(4), text: textOf(400) }), { maxLength: 6 });
    fc.assert(
      fc.property(texts, edits, (before, changes) => {
        const passages = new Passages((term) => term);
        const held = [...before];
        for (const [at, text] of held.entries()) passages.add(passageOf(text, `p${at}`));
        for (const { at, text } of changes) {
          if (at >= held.length) continue;
          held[at] = text;
          passages.remove(`p${at}`);
          passages.add(passageOf(text, `p${at}`));
        }
        for (const term of [...WORDS, "东京", "dont"]) {
          const scores = scoresOf(passages, [term]);
          const due = bm25(term, held);
          assert.equal(passages.frequency(term), due.filter((score) => score > 0).length);
          for (const [at, score] of due.entries())
            assert.ok(Math.abs((scores.get(`p${at}`) ?? 0) - score) < 1e-9, `${term} in p${at}`);
        }
        for (const at of held.keys()) passages.remove(`p${at}`);
        assert.deepEqual([passages.count, passages.termCount, passages.occurrences], [0, 0, 0]);
      }),
      { ...randomly(60), seed: 9 },
    );
  });

  test("that hold several terms score as the terms together, times their weight", () => {
    const passages = new Passages((term) => term);
    passages.add(passageOf("the lamp and the rope", "p0"));
    passages.add({ ...passageOf("the rope and the lamp", "p1"), weight: 3 });
    passages.add(passageOf("a lamp", "p2"));
    const [lamp, rope] = [scoresOf(passages, ["lamp"]), scoresOf(passages, ["rope"])];
    const both = scoresOf(passages, ["lamp", "rope", "lamp"]);
    assert.deepEqual([...both.keys()].sort(), ["p0", "p1"]);
    for (const [key, score] of both) assert.ok(Math.abs(score - lamp.get(key)! - rope.get(key)!) < 1e-9, key); // both hold both
    assert.ok(Math.abs(both.get("p1")! - 3 * both.get("p0")!) < 1e-9); // as above
    assert.deepEqual(
      passages.find(["lamp"], ({ key }) => key === "p2").map(({ passage }) => passage.key),
      ["p2"],
    );
  });

  test("are expanded by prefix and by misspelling, to terms that they hold", () => {
    const passages = new Passages((term) => term);
    passages.add(passageOf("lamp lamps lampoon lam", "p0"));
    passages.add(passageOf("lampshade", "p1"));
    passages.remove("p1");
    assert.deepEqual(passages.expand("lamp", { prefix: true }).sort(), ["lamp", "lampoon", "lamps"]);
    assert.deepEqual(passages.expand("lemp", { fuzzy: 1 }), ["lamp"]);
    assert.deepEqual(passages.expand("lemp", { fuzzy: 2 }).sort(), ["lam", "lamp", "lamps"]);
  });

  test("are told when a text was changed behind the index", () => {
    const passages = new Passages((term) => term);
    const passage = { ...passageOf("the lamp", "p0") };
    passages.add(passage);
    passage.text = "the rope";
    assert.throws(() => passages.remove("p0"), /has changed before removal/);
  });
});

test("BookIndex › finds nothing without the search of MiniSearch", (t) => {
  const book = bookOf([["Mara lit the lantern."], ["The lanterns of the harbour."]]);
  book.putFact(fact({ id: "f1", name: "The Lantern" }));
  const queries = ["lantern", "lanterns harbour", '"the lantern"', "lant*", "lantren", "the"];
  for (const query of queries) assert.ok(book.find(query, 20).total > 0, query);
  t.mock.method(MiniSearch.prototype, "search", () => []);
  for (const query of queries) assert.equal(book.find(query, 20).total, 0, query);
});
