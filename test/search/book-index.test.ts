import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { blocksOf, bookOf, chaptersOf, fact, highlighted, putProse } from "./book.ts";

const harbour = [
  ["The wind rose at dusk.", "Mara lit the lantern and walked to the harbour.", "Nobody came."],
  ["The harbour was empty.", "A lantern burned in one window.", "Rain fell on the quay all night."],
  ["She sailed at dawn with the harbour lantern lit behind her.", "The sea was calm."],
];

describe("find", () => {
  test("answers with the chapters that hold every word, wherever in them", () => {
    const result = bookOf(harbour).find("lantern quay", 20);
    assert.deepEqual(chaptersOf(result), ["c2"]);
    assert.equal(result.relaxed, false);
    assert.equal(result.total, 1);
  });

  test("answers with any word, relaxed, when nothing holds them all", () => {
    const result = bookOf(harbour).find("quay dawn", 20);
    assert.deepEqual(chaptersOf(result).sort(), ["c2", "c3"]);
    assert.equal(result.relaxed, true);
  });

  test("stays with what holds every word where nothing holds most of them nearer", () => {
    const far = ["The kettle sang.", ...Array.from({ length: 6 }, () => "They waited."), "A violin."];
    const result = bookOf([far, ["Kettle, kettle, kettle!"], ["Violins."]]).find("kettle violin", 20);
    assert.deepEqual([chaptersOf(result), result.relaxed, result.total], [["c1"], false, 1]);
  });

  test("finds the paragraph of which one word is remembered wrong, though a chapter holds them all", () => {
    const sentence = "I thought of my father’s grave.";
    const words = [
      "I saw it.",
      "They thought so.",
      "A day of rain.",
      "A fossil.",
      "His father.",
      "The grave.",
    ];
    const apart = words.flatMap((text) => [text, "One.", "Two.", "Three."]);
    const result = bookOf([apart, [sentence], ["No."]]).find("i thought of fossil father’s grave", 20);
    assert.deepEqual([chaptersOf(result), result.relaxed, result.total], [["c2", "c1"], true, 2]);
    const whole = bookOf([[sentence], ["I, a fossil, thought of a grave and of his father."]]);
    const strict = whole.find("i thought of fossil father’s grave", 20);
    assert.deepEqual([chaptersOf(strict), strict.relaxed], [["c2"], false]);
  });

  test("does not take the ends of a paragraph of many hundred words for near each other", () => {
    const long = ["I saw", "they thought", "a fossil", "his father", "the grave"].join(
      " and so on".repeat(60),
    );
    const result = bookOf([[long], ["I thought of my father’s grave."]]).find(
      "thought fossil father grave",
      20,
    );
    assert.deepEqual([chaptersOf(result), result.relaxed], [["c2", "c1"], true]);
  });

  test("puts the paragraph first in which the words stand close together", () => {
    assert.equal(blocksOf(bookOf(harbour).find("harbour lantern", 20))[0], "c3.1");
  });

  test("reads neighbouring paragraphs together", () => {
    const near = ["The kettle sang.", "“A violin,” said Tom.", "They waited.", "They waited on."];
    const far = [
      "The kettle sang.",
      "They waited.",
      "They waited on.",
      "They slept.",
      "“A violin,” said Tom.",
    ];
    assert.deepEqual(chaptersOf(bookOf([far, near]).find("kettle violin", 20)), ["c2", "c1"]);
  });

  test("puts neighbours that hold every word before a paragraph that lacks one", () => {
    const apart = ["kettle", "violin", "lantern"].map((word) => `They took the old ${word} away with them.`);
    const result = bookOf([["Kettle and violin."], apart]).find("kettle violin lantern", 20);
    assert.deepEqual(chaptersOf(result), ["c2", "c1"]);
  });

  test("finds an inflected word by its stem, behind the word itself", () => {
    const book = bookOf([["He walked on."], ["He was walking."]]);
    assert.deepEqual(chaptersOf(book.find("walking", 20)), ["c2", "c1"]);
  });

  test("puts the word itself first, however often a chapter holds its kin", () => {
    const kin = "Walk, walk, walk, walk.";
    const itself = `He ${"went on and on ".repeat(20)} walking.`;
    const book = bookOf([
      [kin, "Walk!"],
      [kin, itself],
    ]);
    assert.deepEqual(blocksOf(book.find("walking", 20)), ["c2.2", "c2.1", "c1.1", "c1.2"]);
    assert.deepEqual(blocksOf(book.find("walking zebra", 20)), ["c2.2", "c2.1", "c1.1", "c1.2"]);
  });

  test("takes no word for kin that only begins with the same two letters", () => {
    const book = bookOf(
      [["It was on us, in it."], ["Ines is one; she used a comb."], ["Uses of ones."]],
      null,
    );
    const pairs: [query: string, chapters: string[]][] = [
      ["ines", ["c2"]],
      ["ones", ["c3", "c2"]],
      ["used", ["c2", "c3"]],
    ];
    for (const [query, chapters] of pairs)
      assert.deepEqual(chaptersOf(book.find(query, 20)), chapters, query);
  });

  test("does not find a common word in the place of its kin", () => {
    const plain = Array.from({ length: 30 }, (_, index) =>
      Array.from({ length: 10 }, (_, at) => `The day and night ${index} of ${at}.`),
    );
    const book = bookOf([...plain, ["He crossed the Andes."]], null);
    assert.deepEqual(chaptersOf(book.find("andes", 20)), ["c31"]);
  });

  test("stems by the language that the book is in, whatever it was in before", () => {
    const german = Array.from({ length: 30 }, (_, at) => `Er sah die Hasing ${at} und ging weiter.`);
    const english = german.map((_, at) => `He saw the harbouring ${at} and went on.`);
    const book = bookOf([english, ["A harbour. Eine Has."]], null);
    assert.deepEqual(chaptersOf(book.find("harbours", 20)), ["c2", "c1"]);
    putProse(book, "c1", german);
    assert.deepEqual(chaptersOf(book.find("hasing", 20)), ["c1"]);
    assert.deepEqual(chaptersOf(book.find("has die", 20)), ["c2", "c1"]);
    assert.deepEqual(chaptersOf(book.find('"has"', 20)), ["c2"]);
  });

  test("corrects a word that the book does not have", () => {
    for (const typed of ["lantren", "lanterm", "lantrn", "lanntern", "alntern"]) {
      assert.deepEqual(chaptersOf(bookOf([["No light."], ["The lantern."]]).find(typed, 20)), ["c2"], typed);
    }
  });

  test("corrects two letters of a short word that were exchanged", () => {
    assert.deepEqual(chaptersOf(bookOf([["No light."], ["The night."]]).find("nigth fell", 20)), ["c2"]);
  });

  test("never corrects a word that the book has", () => {
    const book = bookOf([["The house burned."], ["The horse ran."]]);
    assert.deepEqual(chaptersOf(book.find("horse", 20)), ["c2"]);
  });

  test("completes a word that stands alone", () => {
    assert.deepEqual(chaptersOf(bookOf([["No light."], ["The lantern."]]).find("lant", 20)), ["c2"]);
  });

  test("completes the last word and no other", () => {
    const book = bookOf([["Lanterns burned."], ["Dusk fell on the lane."]]);
    assert.deepEqual(chaptersOf(book.find("dusk lan", 20)), ["c2"]);
    assert.equal(book.find("lan dusk", 20).relaxed, true);
  });

  test("takes a word with a star as a beginning", () => {
    const book = bookOf([["The harbourmaster slept."], ["Harboured grudges, all of them."], ["The sea."]]);
    assert.deepEqual(chaptersOf(book.find("harbour* slept", 20)), ["c1"]);
    assert.equal(book.find("harbour*", 20).total, 2);
  });

  test("verifies a phrase in the text before the limit", () => {
    const scattered = Array.from({ length: 60 }, () => ["The lantern was dark, the dark lantern-bearer."]);
    const book = bookOf([...scattered, ["In the end a dark lantern, and nothing else."]]);
    assert.deepEqual(blocksOf(book.find('"a dark lantern"', 1)), ["c61.1"]);
  });

  test("takes a phrase as it is written, neither stemmed nor corrected", () => {
    const book = bookOf([["Dark lanterns burned."]]);
    assert.equal(book.find('"dark lantern"', 20).total, 0);
    assert.equal(book.find('"dark lanterns"', 20).total, 1);
  });

  test("finds a phrase across punctuation, case and accents", () => {
    assert.equal(bookOf([["“Zoë,” she said; “Come!”"]]).find('"zoe she said come"', 20).total, 1);
  });

  test("drops the paragraphs of an unwanted word, not their chapter", () => {
    const result = bookOf(harbour).find("lantern -harbour", 20);
    assert.deepEqual(blocksOf(result), ["c2.2"]);
    assert.deepEqual(blocksOf(bookOf(harbour).find('lantern -"harbour lantern" -window', 20)), ["c1.2"]);
  });

  test("answers only punctuation or only unwanted words with nothing", () => {
    for (const query of ["…?!", "-harbour", '""', "*", "-"]) {
      const { total, relaxed, chapters, facts } = bookOf(harbour).find(query, 20);
      assert.deepEqual(
        { total, relaxed, chapters, facts },
        { total: 0, relaxed: false, chapters: [], facts: [] },
        query,
      );
    }
  });

  test("settles equal scores by the position of the chapter", () => {
    const book = bookOf([["Rain."], ["Rain."], ["Rain."]]);
    book.putChapter({ id: "c3", title: "", synopsis: "", position: -1 });
    assert.deepEqual(chaptersOf(book.find("rain", 20)), ["c3", "c1", "c2"]);
  });

  test("finds a title and a synopsis, quoted without a block", () => {
    const book = bookOf([["Rain."], ["Rain."]]);
    book.putChapter({
      id: "c2",
      position: 2,
      title: "The Drowned Bell",
      synopsis: "Mara hears it ring.",
    });
    assert.deepEqual(blocksOf(book.find("drowned", 20)), [null]);
    assert.deepEqual(highlighted(book.find("mara ring", 20)), ["Mara", "ring"]);
  });

  test("highlights the words that answer, the phrase as one stretch", () => {
    const book = bookOf([["Mara’s lanterns burned; the dark lantern did not."]]);
    assert.deepEqual(highlighted(book.find("mara lantern", 20)), ["Mara’s", "lanterns", "lantern"]);
    assert.deepEqual(highlighted(book.find('"dark lantern"', 20)), ["dark lantern"]);
  });

  test("highlights a word that folding makes shorter or longer", () => {
    const book = bookOf([["Bronte\u0308 in the Straße with a lantern."]]);
    assert.deepEqual(highlighted(book.find("bronte strasse lantern", 20)), [
      "Bronte\u0308",
      "Straße",
      "lantern",
    ]);
    assert.equal(book.find('"the strasse with"', 20).total, 1);
  });

  test("highlights no completion where the word itself stands", () => {
    const book = bookOf([["Many a man was there."], ["Many came."], ["One by one."]]);
    assert.deepEqual(highlighted(book.find("man", 1)), ["man"]);
  });

  test("counts the matching passages of a chapter and shows at most three", () => {
    const [hit] = bookOf([["Rain.", "More rain.", "Rain, rain.", "The rain again.", "Sun."]]).find(
      "rain",
      20,
    ).chapters;
    assert.equal(hit?.matchCount, 4);
    assert.equal(hit?.excerpts.length, 3);
  });

  test("still finds a common word alone and with rarer ones", () => {
    const plain = Array.from({ length: 30 }, (_, index) =>
      Array.from({ length: 10 }, (_, at) => `The day ${index} of ${at}.`),
    );
    const book = bookOf([...plain, ["The comet.", "Of the night."]]);
    assert.equal(book.find("the", 50).total, 31);
    assert.deepEqual(chaptersOf(book.find("the comet", 20)), ["c31"]);
    assert.deepEqual(chaptersOf(book.find("the of night", 20)), ["c31"]);
  });
});

describe("the limit", () => {
  const rainy = Array.from({ length: 12 }, () => ["Rain."]);
  const facts = Array.from({ length: 12 }, (_, index) => fact({ id: `f${index}`, name: `Rain ${index}` }));
  const sizes: [limit: number, chapters: number, facts: number, shown: [number, number]][] = [
    [8, 12, 12, [6, 2]],
    [4, 12, 12, [3, 1]],
    [2, 12, 12, [1, 1]],
    [1, 12, 12, [0, 1]],
    [1, 12, 0, [1, 0]],
    [8, 12, 1, [7, 1]],
    [8, 3, 12, [3, 5]],
    [8, 0, 12, [0, 8]],
    [50, 12, 12, [12, 12]],
  ];
  for (const [limit, chapterCount, factCount, shown] of sizes) {
    test(`of ${limit} shows ${shown[0]} of ${chapterCount} chapters and ${shown[1]} of ${factCount} facts`, () => {
      const book = bookOf(rainy.slice(0, chapterCount));
      for (const entry of facts.slice(0, factCount)) book.putFact(entry);
      const result = book.find("rain", limit);
      assert.deepEqual([result.chapters.length, result.facts.length], shown);
      assert.equal(result.total, chapterCount + factCount);
      assert.equal(result.limit, limit);
    });
  }

  test("cuts the same list shorter", () => {
    const book = bookOf(
      Array.from({ length: 30 }, (_, index) => [`Rain ${"and wind ".repeat(index % 7)}over rain.`]),
    );
    const all = chaptersOf(book.find("rain wind", 50));
    for (const limit of [1, 5, 20])
      assert.deepEqual(chaptersOf(book.find("rain wind", limit)), all.slice(0, limit));
  });
});

describe("facts", () => {
  const mara = fact({
    id: "f1",
    name: "Mara Lindqvist",
    aliases: ["the Keeper", "Mo"],
    summary: "Tends the lantern.",
    attributes: [{ key: "eyes", value: "grey" }],
  });
  const lantern = fact({ id: "f2", name: "The Lantern", kind: "object", summary: "Mara keeps it." });
  const book = bookOf([["Rain."]]);
  book.putFact(mara);
  book.putFact(lantern);

  test("name the fields that hold a word of the question", () => {
    assert.deepEqual(book.find("lindqvist", 20).facts[0]?.matchedOn, ["name"]);
    assert.deepEqual(book.find("keeper grey", 20).facts[0]?.matchedOn, ["aliases", "attributes"]);
    assert.deepEqual(book.find("character", 20).facts[0]?.matchedOn, ["kind"]);
  });

  test("rank a name above a summary", () => {
    assert.deepEqual(
      book.find("lantern", 20).facts.map(({ id }) => id),
      ["f2", "f1"],
    );
  });

  test("are dropped whole by an unwanted word", () => {
    assert.deepEqual(
      book.find("lantern -grey", 20).facts.map(({ id }) => id),
      ["f2"],
    );
  });

  test("are found by every word, across their fields", () => {
    assert.deepEqual(
      book.find("mara eyes", 20).facts.map(({ id }) => id),
      ["f1"],
    );
  });
});

describe("changes", () => {
  const none = new Set<string>();

  test("of a paragraph are found at once, and its old words no more", () => {
    const book = bookOf([["The lantern."]]);
    putProse(book, "c1", ["The candle."]);
    assert.equal(book.find("lantern", 20).total, 0);
    assert.deepEqual(blocksOf(book.find("candle", 20)), ["c1.1"]);
  });

  test("of order alone decide which paragraphs are neighbours", () => {
    const texts = ["The kettle sang.", "They waited.", "They slept.", "A violin."];
    const book = bookOf([texts, ["Kettle.", "No.", "Violin."]]);
    const score = () =>
      book.find("kettle violin", 20).chapters.find(({ chapterId }) => chapterId === "c1")?.score ?? 0;
    const before = score();
    const paragraphs = texts.map((text, at) => ({ blockId: `c1.${at + 1}`, text }));
    putProse(book, "c1", [paragraphs[0]!, paragraphs[3]!, ...paragraphs.slice(1, 3)]); // four
    assert.ok(score() > before);
  });

  test("leave equal scores to the order of the text", () => {
    const book = bookOf([]);
    const paragraphs = ["b", "c", "a"].map((blockId) => ({ blockId, text: "Rain." }));
    putProse(book, "c1", paragraphs);
    assert.deepEqual(blocksOf(book.find("rain", 20)), ["b", "c", "a"]);
  });

  for (const order of [
    ["c1", "c2"],
    ["c2", "c1"],
  ])
    test(`that move a paragraph to another chapter take it along, ${order[0]} first`, () => {
      const book = bookOf([["The lantern."], ["Rain."]]);
      const moved = { c1: [], c2: ["Rain.", { blockId: "c1.1", text: "The lantern." }] };
      for (const id of order as ("c1" | "c2")[]) putProse(book, id, moved[id]);
      assert.deepEqual(chaptersOf(book.find("lantern", 20)), ["c2"]);
      book.retain(new Set(["c2"]), none);
      assert.equal(book.find("lantern", 20).total, 1);
    });

  test("that remove a chapter remove its paragraphs and title", () => {
    const book = bookOf(harbour);
    book.putChapter({ id: "c2", position: 2, title: "The Bell", synopsis: "" });
    book.retain(new Set(["c1", "c3"]), none);
    assert.equal(book.find("quay", 20).total, 0);
    assert.equal(book.find("bell", 20).total, 0);
    assert.deepEqual(chaptersOf(book.find("lantern", 20)), ["c1", "c3"]);
  });

  test("show in the estimate of bytes and leave nothing behind", () => {
    const book = bookOf(harbour);
    book.putFact(fact({ id: "f1", name: "Mara" }));
    const full = book.bytes;
    book.retain(new Set(["c2", "c3"]), new Set(["f1"]));
    assert.ok(book.bytes < full);
    book.retain(none, none);
    assert.equal(book.bytes, bookOf([]).bytes);
    assert.equal(book.find("mara", 20).total, 0);
  });
});
