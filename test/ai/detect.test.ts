import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDetector } from "../../src/ai/embedded/index.ts";
import type { Proposal } from "../../src/ai/reader.ts";
import type { ReadingFact } from "../../src/reading/reading.ts";
import { bookOf, chapterOf, factOf } from "./book.ts";

const EVENING = chapterOf("evening", [
  "Captain Hale came down to the harbour before light, and Mara was waiting. “You are late,” said Mara.",
  "He looked at Mara. Then Hale said that the boats were in Marrow, and that nobody in Marrow would row.",
  "“Perhaps Tobias Orr will,” Mara answered. The lamp was out. Orr had gone to Baker Street in London.",
]);
const MORNING = chapterOf("morning", [
  "Mara’s boat lay in Marrow. Mr. Orr whispered to Captain Hale, and Hale laughed.",
  "Tobias Orr walked through Marrow. Perhaps Sunday would be better. “Good night, Mara,” said Tobias.",
]);

function detect(cast: readonly ReadingFact[] = [], chapter = EVENING): Proposal[] {
  return createDetector().detect(chapter, bookOf([EVENING, MORNING], { cast }));
}

function shown(proposals: readonly Proposal[], type: Proposal["type"]): string[] {
  return proposals
    .filter((proposal) => proposal.type === type)
    .map(({ kind, name, aliases = [], occurrences }) =>
      [kind, name, ...aliases, occurrences.length].join(", "),
    )
    .sort();
}

describe("detect", () => {
  it("proposes people with their other forms, and places, each with all its occurrences", () => {
    assert.deepEqual(shown(detect(), "new_fact"), [
      "character, Captain Hale, Hale, 2",
      "character, Mara, 4",
      "character, Tobias Orr, Mr. Orr, Orr, Tobias, 2",
      "place, Baker Street, 1",
      "place, London, 1",
      "place, Marrow, 2",
    ]);
    for (const { occurrences } of detect()) {
      for (const { blockId, from, to, text } of occurrences) {
        const block = EVENING.blocks.find((each) => each.blockId === blockId);
        assert.equal(block?.text.slice(from, to), text);
      }
    }
  });

  it("proposes mentions of known names, and other forms of them as aliases", () => {
    const proposals = detect([factOf("f1", "Mara"), factOf("f2", "Tobias Orr", ["Orr"])], MORNING);
    assert.deepEqual(shown(proposals, "mention"), ["character, Mara, 2", "character, Tobias Orr, 2"]);
    assert.deepEqual(shown(proposals, "new_alias"), ["character, Mr. Orr, 1", "character, Tobias, 1"]);
    assert.deepEqual(
      proposals.filter(({ type }) => type === "new_alias").map(({ factId }) => factId),
      ["f2", "f2"],
    );
  });

  it("does not propose what is anchored, and proposes it again once it is dropped", () => {
    const cast = [factOf("f1", "Mara")];
    const [mention] = detect(cast).filter(({ type }) => type === "mention");
    const anchored = (mention?.occurrences ?? []).map((span) => ({ ...span, factId: "f1" }));
    assert.equal(anchored.length, 4);
    const book = bookOf([EVENING, MORNING], { cast });
    const left = createDetector().detect(EVENING, { ...book, mentions: anchored.slice(1) });
    assert.deepEqual(
      left.filter(({ name }) => name === "Mara").map(({ occurrences }) => occurrences),
      [anchored.slice(0, 1).map(({ factId: _, ...span }) => span)],
    );
  });

  it("takes the longest known name, and lists the candidates of an ambiguous one", () => {
    const cast = [factOf("f1", "Anna Hale", ["Hale"]), factOf("f2", "Peter Hale", ["Hale"])];
    const chapter = chapterOf("c", [
      "So Peter Hale slept. Later Hale woke, and saw that Anna Hale was gone.",
    ]);
    const mentions = createDetector().detect(chapter, bookOf([chapter], { cast }));
    assert.deepEqual(
      mentions.map(({ factId, occurrences, candidates }) => [
        factId,
        occurrences.map(({ text }) => text),
        candidates,
      ]),
      [
        ["f2", ["Peter Hale"], undefined],
        ["f2", ["Hale"], ["f2", "f1"]],
        ["f1", ["Anna Hale"], undefined],
      ],
    );
  });

  it("takes no lone plural at a sentence's start, no make of a thing and no label for a person", () => {
    const chapter = chapterOf("c", [
      "Courtiers whispered along the gallery. Scars ran down his arm. Behind her a Prius sat. Gulls screamed.",
      "Orr put the Toughbook down, and Mara shut her Toughbook. The box said MARA MISC. He drank a Red Bull.",
      "“The Prius is back,” said Mara. Orr laughed. Soldiers laughed. Orr looked at Mara.",
    ]);
    const found = createDetector().detect(chapter, bookOf([chapter]));
    assert.deepEqual(found.map(({ name }) => name).sort(), ["Mara", "Orr"]);
  });

  it("never puts Mr. and Mrs. together, and parts a man from a woman", () => {
    const chapter = chapterOf("c", [
      "Then Mr. Moss said that Mrs. Moss was ill. “Is she?” said Miss Moss, and Anna Moss smiled at Mr. Moss.",
    ]);
    const names = createDetector()
      .detect(chapter, bookOf([chapter]))
      .map(({ name, aliases }) => [name, aliases]);
    assert.deepEqual(names, [
      ["Mr. Moss", []],
      ["Mrs. Moss", []],
      ["Anna Moss", ["Miss Moss"]],
    ]);
  });

  it("is the same for a fresh engine and one that has seen other revisions, whatever was asked before", () => {
    const book = bookOf([EVENING, MORNING]);
    const fresh = JSON.stringify(createDetector().detect(EVENING, book));
    const used = createDetector();
    used.detect(
      { ...MORNING, revision: 2 },
      bookOf([EVENING, { ...MORNING, revision: 2 }, chapterOf("x", ["So Una ran."])]),
    );
    used.detect(MORNING, book);
    assert.equal(JSON.stringify(used.detect(EVENING, book)), fresh);
    assert.equal(JSON.stringify(used.detect(EVENING, book)), fresh);
  });

  it("says what it cannot do where there are no capitals or every noun has one, and stays with what it knows", () => {
    const chinese = chapterOf("c", ["李明走进了房间。王芳看着李明。"]);
    const known = createDetector();
    const book = bookOf([chinese], { cast: [factOf("f1", "李明")] });
    assert.deepEqual(
      known.detect(chinese, book).map(({ type, occurrences }) => [type, occurrences.map(({ from }) => from)]),
      [["mention", [0, 12]]],
    );
    assert.match(known.limits(book) ?? "", /no capitals/);
    const sentence =
      "Am Abend ging Anna mit dem Hund durch den Wald, und der Mond stand über dem Haus am See.";
    const german = chapterOf(
      "g",
      Array.from({ length: 15 }, () => sentence),
    );
    assert.match(known.limits(bookOf([german])) ?? "", /nouns have capitals/);
    assert.deepEqual(
      known.detect(german, bookOf([german])).map(({ name }) => name),
      ["Anna"],
    );
    assert.equal(known.limits(bookOf([EVENING])), null);
  });

  it("costs no more in one long paragraph than in many", () => {
    const text = `${MORNING.blocks.map((block) => block.text).join(" ")} `.repeat(200);
    const cast = [factOf("f1", "Mara"), factOf("f2", "Hale")];
    const time = (paragraphs: readonly string[]) => {
      const chapter = chapterOf("long", paragraphs);
      const start = process.cpuUsage();
      const proposals = createDetector().detect(chapter, bookOf([chapter], { cast }));
      const { user } = process.cpuUsage(start);
      return { user, found: proposals.reduce((sum, { occurrences }) => sum + occurrences.length, 0) };
    };
    const many = time(
      Array.from({ length: 200 }, (_, at) =>
        text.slice((at * text.length) / 200, ((at + 1) * text.length) / 200),
      ),
    );
    const one = time([text]);
    assert.equal(one.found, many.found);
    assert.ok(one.user < 8 * many.user + 100_000, `${one.user} µs in one paragraph, ${many.user} in 200`);
  });
});
