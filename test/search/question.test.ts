import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type QueryTerm, readQuestion } from "../../src/search/reading/question.ts";

function spelt(asked: readonly QueryTerm[]): string[] {
  return asked.map((term) => {
    if (term.kind === "phrase") return `"${term.terms.join(" ")}"`;
    return term.term + (term.prefix ? "*" : "") + (term.last ? "…" : "");
  });
}

function read(query: string): { wanted: string[]; unwanted: string[]; ignored: readonly string[] } {
  const { wanted, unwanted, ignored } = readQuestion(query);
  return { wanted: spelt(wanted), unwanted: spelt(unwanted), ignored };
}

describe("readQuestion", () => {
  const cases: [promise: string, query: string, wanted: string[], unwanted: string[]][] = [
    ["takes the last word as perhaps half typed", "dark lant", ["dark", "lant…"], []],
    ["takes a last word before a full stop as whole", "dark lantern.", ["dark", "lantern"], []],
    ["reads quoted words as a phrase", 'the "dark lantern"', ["the", '"dark lantern"'], []],
    ["reads curly quotes as straight ones", "“dark lantern”", ['"dark lantern"'], []],
    ["ends an unclosed phrase with the query", 'see "dark lantern', ["see", '"dark lantern"'], []],
    ["reads a quote alone as nothing", '"', [], []],
    ["reads a minus as unwanted", 'wind -sea -"dark lantern"', ["wind"], ["sea", '"dark lantern"']],
    ["leaves a hyphen inside a word alone", "well-known", ["wellknown…"], []],
    ["reads a minus alone as nothing", "wind - sea", ["wind", "sea…"], []],
    ["reads a star as a beginning", "lant* dark", ["lant*", "dark…"], []],
    ["needs two letters before a star", "l* dark", ["l", "dark…"], []],
    ["asks for a word once", "sea Sea SEA wind", ["sea", "wind…"], []],
    ["reads a run of Han as a phrase of pairs", "林黛玉", ['"林黛 黛玉"'], []],
    ["reads one Han character as a beginning", "猫", ["猫*"], []],
    ["splits a run where the script changes", "東京tower", ['"东京"', "tower…"], []],
    ["takes no unwanted word as half typed", "wind -sea", ["wind"], ["sea"]],
    ["keeps the end of a run inside a phrase", '"東京 tower"', ['"东京 京 tower"'], []],
    ["reads only punctuation as nothing", "?! … —", [], []],
    ["reads AND and OR as words", "sea AND wind", ["sea", "and", "wind…"], []],
  ];
  for (const [promise, query, wanted, unwanted] of cases) {
    test(promise, () => assert.deepEqual(read(query), { wanted, unwanted, ignored: [] }));
  }

  const many = Array.from({ length: 20 }, (_, index) => `word${index}`);

  test("ignores distinct words beyond the sixteenth and names them as typed", () => {
    const { wanted, ignored } = read(`${many.slice(0, 17).join(" ")} Word17 word18 word19 Word17`);
    assert.equal(wanted.length, 16);
    assert.deepEqual(ignored, ["word16", "Word17", "word18", "word19"]);
  });

  test("asks for at most sixteen phrases of them", () => {
    const pairs = many.slice(0, 5).flatMap((one) => many.slice(0, 5).map((other) => `"${one} ${other}"`));
    const { wanted, ignored } = read(pairs.join(" "));
    assert.equal(wanted.length, 16);
    assert.equal(ignored.length, 9);
  });

  test("counts the words of phrases and unwanted words among the sixteen", () => {
    const { wanted, unwanted, ignored } = read(`"${many.slice(0, 15).join(" ")}" -word15 word16`);
    assert.equal(wanted.length, 1);
    assert.deepEqual(unwanted, ["word15"]);
    assert.deepEqual(ignored, ["word16"]);
  });
});
