import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChecker } from "../../src/ai/embedded/check/check.ts";
import { slipOf } from "../../src/ai/embedded/check/spelling.ts";
import type { Finding } from "../../src/ai/reader.ts";
import type { ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";
import { createStatistics } from "../../src/reading/statistics.ts";
import { bookOf, chapterOf } from "./book.ts";

const fact = (id: string, name: string, aliases: readonly string[] = []): ReadingFact => ({
  id,
  name,
  kind: "character",
  aliases,
  attributes: [],
  summary: "",
});
const CAST = [fact("fa_q", "Ephraim Quillory", ["Mr. Quillory"]), fact("fa_n", "Nella Corrigan")];

/** Two chapters in which the names come often enough, with these paragraphs behind the second. */
function novel(...paragraphs: readonly string[]): ReadingChapter[] {
  const often = Array.from({ length: 8 }, (_, day) => `On day ${day} Mr. Quillory met Nella Corrigan.`);
  return [chapterOf("one", often), chapterOf("two", [...often, ...paragraphs])];
}

function check(
  chapters: readonly ReadingChapter[],
  cast: readonly ReadingFact[] = CAST,
): Record<string, Finding[]> {
  const checker = createChecker(createStatistics());
  const book = bookOf(chapters, { cast });
  return Object.fromEntries(chapters.map((chapter) => [chapter.chapterId, checker(chapter, book)]));
}

describe("name drift", () => {
  it("quotes the slip and the name, with the spelling that the book has", () => {
    const chapters = novel("Then old Mr. Quilory went home.");
    const { one, two } = check(chapters);
    assert.deepEqual(one, []);
    const [finding] = two ?? [];
    assert.equal(two?.length, 1);
    assert.deepEqual(
      [finding?.type, finding?.factId, finding?.suggestion],
      ["name_drift", "fa_q", "Quillory"],
    );
    assert.deepEqual(
      finding?.evidence.map(({ text }) => text),
      ["Quillory", "Quilory"],
    );
    for (const { chapterId, blockId, from, to, text } of finding?.evidence ?? []) {
      const chapter = chapters.find((one) => one.chapterId === chapterId);
      assert.equal(chapter?.blocks.find((block) => block.blockId === blockId)?.text.slice(from, to), text);
    }
  });

  for (const slip of [
    "Corigan",
    "Corrrigan",
    "Corirgan",
    "Korrigan",
    "Corrigen",
    "Corrgan",
    "Corrifan",
    "Vorrigan",
  ]) {
    it(`finds ${slip}`, () => {
      assert.equal(check(novel(`There stood Nella ${slip}.`)).two?.length, 1);
    });
  }

  it("is silent about an alias, a plural, a common word, another of the cast and a name that comes often", () => {
    const quiet = (paragraph: string, cast = CAST) =>
      assert.deepEqual(check(novel(paragraph), cast).two, [], paragraph);
    quiet("There stood Nella Corigan.", [...CAST.slice(0, 1), fact("fa_n", "Nella Corrigan", ["Corigan"])]);
    quiet("The Corrigans stood there.");
    quiet("“C'orrigan!” There stood Nella Corrigan'd.");
    quiet("There stood Laura.", [...CAST.slice(1), fact("fa_l", "Laure Quillory")]);
    quiet("There stood Hugh Korrigan.", [...CAST, fact("fa_k", "Hugh Korrigan")]);
    quiet("Della! The della is a flower.");
    quiet("Nell-a! “Cor-ri-gan!” they called. There stood Nella Corri- gan.");
    quiet("It was in June, on a Friday.", [...CAST, fact("fa_j", "June Friday")]);
    quiet(Array.from({ length: 6 }, () => "There stood Mr. Quillary.").join(" "));
  });

  it("is given by the later chapter alone, however the chapters are asked for", () => {
    const [one, two] = novel("He met Nella Corigan.") as [ReadingChapter, ReadingChapter];
    const slipFirst = check([two, one]);
    assert.equal(slipFirst.two?.length, 1, "the name stands in the same chapter");
    const early = chapterOf("early", ["He met Nella Corigan."]);
    const findings = check([early, one]);
    assert.deepEqual(findings.early, []);
    assert.deepEqual(
      findings.one?.[0]?.evidence.map(({ chapterId }) => chapterId),
      ["one", "early"],
    );
  });

  it("keeps a finding's id while the paragraphs around it change", () => {
    const before = check(novel("There stood Nella Corigan.")).two?.[0]?.id;
    const after = check(novel("It had rained.", "In the yard, then, there stood Nella Corigan. Good."))
      .two?.[0]?.id;
    assert.match(before ?? "", /^fi_[0-9a-f]{16}$/);
    assert.equal(after, before);
  });

  it("reads accents and other letters as their writers do", () => {
    const cast = [fact("fa_z", "Zoë Łukasiewicz")];
    const often = Array.from({ length: 8 }, () => "He asked Zoë Łukasiewicz again.");
    const slip = "He asked Zoë Łukasiewcz again.";
    assert.equal(check([chapterOf("one", [...often, slip])], cast).one?.length, 1);
  });
});

describe("slipOf", () => {
  const cases: [string, string, ReturnType<typeof slipOf>][] = [
    ["darcy", "dacry", "swapped"],
    ["darcy", "darrcy", "doubled"],
    ["darcy", "darsy", "sounds"],
    ["philip", "filip", "sounds"],
    ["darcy", "darc", "dropped"],
    ["bingley", "bimgley", "similar"],
    ["bingley", "bindley", "other"],
    ["bingley", "bringley", "inserted"],
    ["bingley", "bimgley", "similar"],
    ["darcy", "dqrcy", "similar"],
    ["bingley", "binglet", "similar"],
    ["lizzy", "lizzt", "similar"],
    ["threlfall", "trhelfll", "two"],
    ["mina", "mon", undefined],
    ["bennet", "collins", undefined],
  ];
  for (const [name, variant, slip] of cases) {
    it(`${name} → ${variant}: ${slip ?? "none"}`, () => assert.equal(slipOf(name, variant), slip));
  }
});
