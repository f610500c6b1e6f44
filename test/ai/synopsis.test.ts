import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chapterOf as wordsOf } from "../../lab/bench/report.ts";
import { createDetector } from "../../src/ai/embedded/index.ts";
import { createSynopsis } from "../../src/ai/embedded/synopsis/synopsis.ts";
import type { ReadingFact } from "../../src/reading/reading.ts";
import { splitSentences } from "../../src/reading/sentences.ts";
import { bookOf, chapterOf } from "./book.ts";

const STORY = [
  "The Weir",
  "Nella Corrigan came down to the weir on the last day of October, with a crowbar under her coat and her brother’s key in her glove.",
  "“You’re late,” said Dr. Quill. “I had given you up. Where is the boy?”",
  "“Asleep,” said Nella. “Where he ought to be.”",
  "He had brought the lamp from the mill at Aldersey, and by its light they looked at the sluice gate, which nobody had raised since the drowning.",
  "The gate had rusted into its grooves. Nella set the crowbar under the iron lip of the sluice and leaned on it until the lamp shook.",
  "It moved an inch. Then the river took it out of her hands.",
  "All the water that had stood behind the sluice for eleven years went down the race at once, and the noise of it woke the whole of Aldersey.",
  "“Run!” cried Dr. Quill.",
  "They did not run. They stood on the wall above the weir and watched the mill pond empty, and when the mud came up they saw the cart, with its shafts in the air, and the harness still on it.",
  "Nella climbed down into the mud. She found the strongbox under the seat of the cart, and her brother’s key turned in the lock as if it had been oiled that morning.",
  "There was nothing in the strongbox but a child’s shoe. Dr. Quill took off his hat, and Nella sat down in the mud of the mill pond and held the shoe in her lap until the people of Aldersey came with their lanterns.",
];
const CAST: ReadingFact[] = [
  { id: "fa_1", name: "Nella Corrigan", kind: "character", aliases: ["Nella"], attributes: [], summary: "" },
  { id: "fa_2", name: "Dr. Quill", kind: "character", aliases: ["Quill"], attributes: [], summary: "" },
  { id: "fa_3", name: "Aldersey", kind: "place", aliases: [], attributes: [], summary: "" },
];

const weir = chapterOf("weir", STORY);
const draft = (paragraphs: readonly string[], cast: readonly ReadingFact[] = []) => {
  const chapter = chapterOf("c", paragraphs);
  return createSynopsis(createDetector().detect)(chapter, bookOf([chapter], { cast }));
};

describe("synopsis", () => {
  it("tells in 60 to 150 words of the writer's own, in order, then who and where", () => {
    const synopsis = draft(STORY, CAST);
    const [told = "", closing] = synopsis.split("\n");
    assert.equal(closing, "With: Nella Corrigan, Dr. Quill. At: Aldersey.");
    const words = synopsis.split(/\s+/).length;
    assert.ok(words >= 60 && words <= 150, `${words} words`);
    const places = splitSentences(chapterOf("told", [told])).map(({ text }) =>
      STORY.join("\n").indexOf(text),
    );
    assert.ok(places.length >= 3 && !places.includes(-1), told);
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
  });

  it("prefers what is told to what is said", () => {
    assert.doesNotMatch(draft(STORY, CAST), /“/);
  });

  it("names people and places of a book without a cast", () => {
    assert.match(draft(STORY), /\nWith: Nella Corrigan, Dr\. Quill\. At: Aldersey\.$/);
  });

  it("names only whom the writer has accepted, once there is anybody; places likewise", () => {
    assert.match(draft(STORY, CAST.slice(0, 1)), /\nWith: Nella Corrigan\. At: Aldersey\.$/);
    assert.match(draft(STORY, CAST.slice(2)), /\nWith: Nella Corrigan, Dr\. Quill\. At: Aldersey\.$/);
  });

  it("gives all there is of a short chapter, and nothing of an empty one", () => {
    assert.equal(draft([]), "");
    assert.equal(draft(["", "* * *"]), "");
    assert.equal(draft(["Nella ran. She did not look back."]), "Nella ran. She did not look back.");
    assert.equal(draft(["Chapter One"]), "Chapter One");
    assert.equal(draft(["“Run!” cried Dr. Quill."], CAST), "“Run!” cried Dr. Quill.\nWith: Dr. Quill.");
  });

  it("quotes a third of a short chapter at most", () => {
    const synopsis = draft(STORY.slice(0, 7));
    const [words, all] = [synopsis, STORY.slice(0, 7).join(" ")].map((text) => text.split(/\s+/).length);
    assert.ok(words! < all! / 2, `${words} of ${all} words`);
  });

  it("counts the characters of Chinese, and the words and pauses of Thai", () => {
    const chinese = Array.from(
      { length: 24 },
      (_, day) => `第${day}天，船长在港口等待那封从北方寄来的信，没有人说话。`,
    );
    const told = draft([chinese.join("")]);
    assert.ok(told.length > 20 && told.length <= 120, `${told.length} characters`);
    const thai = Array.from({ length: 60 }, () => "เรือออกจากฝั่งก่อนสว่าง คนแจวระฆังไม่มีใครตอบ").join(" ");
    assert.ok(draft([thai]).length < thai.length / 3);
  });

  it("leaves out who cannot be known, or brings the sentence that names them", () => {
    const names = ["Nella Corrigan said nothing.", "Nella Corrigan went in.", "“Wait,” said Nella Corrigan."];
    const lone =
      "He dragged the sluice gate, the crowbar and the lamp of the mill through the mud of the weir.";
    const filler = [
      "The mill at Aldersey stood by the weir.",
      "The lamp of the mill burned all night above the sluice gate.",
    ];
    assert.doesNotMatch(draft([...names, ...filler, lone, ...filler]), /He dragged/);
    const known = "Dr. Quill came down to the sluice gate of the weir with the lamp of the mill.";
    const both = draft([...names, `${known} ${lone}`, ...names]);
    assert.ok(!both.includes(lone) || both.includes(`${known} ${lone}`), both);
    for (const start of ["The officer dragged", "But the boy dragged", "Then it dragged"])
      assert.doesNotMatch(
        draft([...names, ...filler, lone.replace("He dragged", start), ...filler]),
        / dragged/,
      );
  });

  it("asks detection which names are places", () => {
    const chapter = chapterOf("c", [
      "Jack went to Merlinville. Jack came from Merlinville, and Jack was in Paris.",
    ]);
    const spans = (name: string) =>
      [...chapter.blocks[0]!.text.matchAll(new RegExp(name, "g"))].map(({ index }) => ({
        ...{ blockId: chapter.blocks[0]!.blockId, from: index, to: index + name.length, text: name },
      }));
    const asked = createSynopsis(() => [
      {
        type: "new_fact",
        name: "Jack Renauld",
        kind: "character",
        confidence: 0.9,
        occurrences: spans("Jack"),
      },
      {
        type: "new_fact",
        name: "Merlinville",
        kind: "place",
        confidence: 0.9,
        occurrences: spans("Merlinville"),
      },
    ]);
    assert.match(asked(chapter, bookOf([chapter])), /\nWith: Jack Renauld\. At: Merlinville\.$/);
  });

  it("is the same every time, whatever was asked before", () => {
    const book = bookOf([chapterOf("other", [...STORY].reverse()), weir], { cast: CAST });
    const first = createSynopsis(createDetector().detect);
    const second = createSynopsis(createDetector().detect);
    second(chapterOf("other", [...STORY].reverse()), book);
    assert.equal(first(weir, book), second(weir, book));
  });

  it("takes a chapter of 30,000 words in its stride", () => {
    const chapter = chapterOf("long", wordsOf(30_000).split("\n\n"));
    const book = bookOf([chapter]);
    const synopsis = createSynopsis(createDetector().detect);
    const start = process.cpuUsage();
    assert.notEqual(synopsis(chapter, book), "");
    const { user, system } = process.cpuUsage(start);
    assert.ok(user + system < 900_000, `${(user + system) / 1000} ms, three times what is promised`);
  });
});

describe("splitSentences", () => {
  const sentencesOf = (text: string) =>
    splitSentences(chapterOf("c", [text])).map((sentence) => sentence.text);

  it("does not stop at abbreviations, initials and small letters", () => {
    assert.deepEqual(
      sentencesOf("Mr. P. R. Sand met Dr. Quill at 6 p.m. by the weir. It rained… and then it stopped. No!"),
      ["Mr. P. R. Sand met Dr. Quill at 6 p.m. by the weir.", "It rained… and then it stopped.", "No!"],
    );
  });

  it("keeps what somebody says in one piece", () => {
    assert.deepEqual(
      sentencesOf("“No. Not today. Go,” she said. He went. ‘Why? Don’t you know?’ he asked."),
      ["“No. Not today. Go,” she said.", "He went.", "‘Why? Don’t you know?’ he asked."],
    );
  });

  it("cuts speech that goes on in the next paragraph", () => {
    assert.deepEqual(sentencesOf("“I walked. I fell. “I rose."), ["“I walked.", "I fell.", "“I rose."]);
  });

  it("gives spans that hold the sentences", () => {
    for (const { blockId, from, to, text } of splitSentences(weir)) {
      assert.equal(weir.blocks.find((block) => block.blockId === blockId)?.text.slice(from, to), text);
    }
  });

  it("knows the full stops of Chinese and Japanese", () => {
    assert.deepEqual(sentencesOf("彼女は走った。誰もいなかった。"), ["彼女は走った。", "誰もいなかった。"]);
  });
});
