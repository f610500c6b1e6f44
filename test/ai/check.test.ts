import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { castOfNovel, readNovel, bookOf as shelve } from "../../lab/eval/novels.ts";
import { createChecker, RULES } from "../../src/ai/embedded/check/check.ts";
import type { Rule } from "../../src/ai/embedded/check/passages.ts";
import { createRelevantPassages } from "../../src/ai/embedded/check/passages.ts";
import type { Finding } from "../../src/ai/reader.ts";
import type { ReadingChapter, ReadingFact } from "../../src/reading/reading.ts";
import { createStatistics } from "../../src/reading/statistics.ts";
import { files, read } from "../support/source.ts";
import { bookOf, chapterOf } from "./book.ts";

const NELLA: ReadingFact = {
  id: "fa_n",
  name: "Nella Corrigan",
  kind: "character",
  aliases: ["Nella", "Miss Corrigan"],
  attributes: [
    { key: "eye colour", value: "grey" },
    { key: "hair", value: "fair, cropped" },
    { key: "age", value: "31, turning 32" },
  ],
  summary: "She keeps the weir.",
};
const QUILL: ReadingFact = {
  id: "fa_q",
  name: "Ephraim Quill",
  kind: "character",
  aliases: ["Dr. Quill"],
  attributes: [],
  summary: "He mends what she breaks.",
};
const CAST = [NELLA, QUILL];
const FILLER = "It rained, and the mill stood still.";

/** The findings of a book, chapter by chapter; a string is a chapter of one paragraph. */
function check(
  chapters: readonly (string | readonly string[])[],
  cast: readonly ReadingFact[] = CAST,
): Finding[][] {
  const readings = chapters.map((text, index) =>
    chapterOf(`ch${index}`, typeof text === "string" ? [text] : text),
  );
  return findingsOf(readings, cast);
}

function findingsOf(readings: readonly ReadingChapter[], cast: readonly ReadingFact[]): Finding[][] {
  const checker = createChecker(createStatistics());
  const book = bookOf(readings, { cast });
  const findings = readings.map((chapter) => checker(chapter, book));
  for (const { evidence, message } of findings.flat()) {
    const sides = message.includes("the cast says") ? 1 : 2;
    assert.ok(evidence.length >= sides, "both sides are quoted, or the one that the cast does not say");
    for (const { chapterId, blockId, from, to, text } of evidence) {
      const chapter = readings.find((one) => one.chapterId === chapterId);
      const block = chapter?.blocks.find((one) => one.blockId === blockId);
      assert.equal(block?.text.slice(from, to), text);
      assert.notEqual(text.trim(), "", "a quotation shows something");
    }
  }
  return findings;
}

const messages = (findings: readonly Finding[] | undefined) => findings?.map(({ message }) => message);

describe("attributes", () => {
  const againstCast: [string, string][] = [
    ["Nella’s brown eyes were shut.", "brown eyes"],
    ["Nella looked up, and the lamp caught her brown eyes.", "brown eyes"],
    ["Nella turned. Her eyes were a very clear green.", "eyes were a very clear green"],
    ["It was Nella, blue-eyed and wet.", "blue-eyed"],
    ["Nella looked at me with eyes as blue as gas.", "eyes as blue"],
    ["I saw the green of Nella’s eyes.", "green of Nella’s eyes"],
    ["Nella had long black hair.", "black hair"],
    ["Nella, whose hair was red, sat at the end.", "hair was red"],
    ["Nella was forty-five that spring.", "Nella was forty-five"],
    ["At sixty, Nella could still swim it.", "At sixty, Nella"],
    ["The eyes of Nella were brown.", "eyes of Nella were brown"],
    ["Nella had eyes the colour of wet moss.", "eyes the colour of wet moss"],
    ["Nella opened her eyes. They were brown.", "eyes. They were brown"],
    ["Nella’s eyes, small and brown, were shut.", "eyes, small and brown"],
    ["Nella had her mother’s green eyes.", "green eyes"],
    ["Nella had the bluest eyes on the river.", "bluest eyes"],
    ["Nella turned those hard black eyes on me.", "black eyes"],
    ["Nella bent her dark head.", "dark head"],
    ["Nella was a redhead.", "a redhead"],
    ["Nella, a tall dark-haired girl, sat down.", "dark-haired"],
    ["Nella, fifty-one, was at the weir.", "Nella, fifty-one,"],
    ["Nella was a woman in her fifties.", "Nella was a woman in her fifties"],
    ["Nella was in her late forties.", "Nella was in her late forties"],
    ["Nella, a sixty-year-old widow, sat down.", "Nella, a sixty-year-old"],
    ["Nella had celebrated her fiftieth birthday.", "fiftieth birthday"],
  ];
  for (const [text, quoted] of againstCast) {
    it(`finds “${quoted}” against the cast`, () => {
      const [findings] = check([[FILLER, text]]);
      assert.equal(findings?.length, 1, text);
      assert.deepEqual([findings?.[0]?.type, findings?.[0]?.factId], ["contradiction", "fa_n"]);
      assert.ok(
        findings?.[0]?.evidence.some((one) => one.text.includes(quoted)),
        JSON.stringify(findings),
      );
    });
  }

  it("reads the cast's own sentences", () => {
    const [told] = check(
      ["Dr. Quill had blue eyes."],
      [{ ...QUILL, summary: "A tall man with brown eyes." }],
    );
    assert.deepEqual(messages(told), [
      "Ephraim Quill’s eyes: the cast says “A tall man with brown eyes.”, here it is “blue eyes”.",
    ]);
  });

  it("holds chapter against chapter, and tells the later one alone", () => {
    const [first, second, third] = check([
      "Dr. Quill had blue eyes and a bad leg.",
      "Dr. Quill’s blue eyes were shut.",
      "Dr. Quill wept, and his brown eyes were dreadful.",
    ]);
    assert.deepEqual([first, second], [[], []]);
    assert.deepEqual(messages(third), [
      "Ephraim Quill’s eyes: “blue eyes” in one place, “brown eyes” in another.",
    ]);
    assert.deepEqual(
      third?.[0]?.evidence.map(({ chapterId }) => chapterId),
      ["ch1", "ch2"],
    );
  });

  for (const text of [
    "Nella’s grey eyes were shut, and her fair hair was wet.",
    "Nella’s mother had brown eyes.",
    "The girl behind Nella had brown eyes.",
    "“Her eyes are brown,” said Nella.",
    "Nella’s eyes were black with rage.",
    "Nella was not a brown-eyed woman.",
    "Nella was four years old when the weir broke, in 1953.",
    "Nella was one of five.",
    "Nella was sixty feet away.",
    "When Nella was nine she fell in.",
    "Nella met Zita. Her brown eyes were shut.",
    "Nella looked into her brown eyes.",
    "Nella patted the mare. Her brown eyes rolled.",
    "Nella dreamed that her eyes were brown.",
    "Nella looked as if her hair were black.",
    "Nella had never had red hair.",
    "Nella saw a girl with green eyes.",
    "Nella kissed her dark head.",
    "Nella was in her early thirties.",
    "Nella was not yet thirty-five.",
    "Nella kept her mother’s sixtieth birthday.",
    "“I’m forty-seven,” said Dr. Quill to Nella.",
  ]) {
    it(`is silent about “${text}”`, () => {
      assert.deepEqual(
        check([text], [...CAST, { ...NELLA, id: "fa_z", name: "Zita", aliases: [], attributes: [] }]),
        [[]],
      );
    });
  }

  for (const text of [
    "Nella had dyed it at last. Her hair was black.",
    "Nella put on the wig. Nella’s black hair hung to her belt.",
    "In the photograph Nella’s hair was black.",
    "Nella’s wet hair was black.",
    "Nella came in with the flour. Nella’s hair was white.",
    "By candlelight Nella’s eyes were black.",
    "Nella wore the lenses for the play. Nella’s eyes were brown.",
    "Nella’s eyes were black and swollen: he had used his fists.",
    "Twenty years before, Nella’s hair was black.",
    "Nella was nineteen when the war ended.",
    "Nella lied. Nella was fifty, for the company’s purposes.",
    "“Nella is fifty,” said Dr. Quill.",
    "“I’m forty-seven,” said Nella.",
    "Nella would be forty in May.",
    "If Nella had had brown eyes, she would have gone far.",
    "He mistook her for somebody else. Nella’s brown eyes were on the door.",
    "“That is another girl of the same name.” Nella’s brown eyes were on the door.",
  ]) {
    it(`takes the reason that the prose gives: “${text}”`, () => {
      assert.deepEqual(check([["Nella came in.", text], FILLER]), [[], []]);
    });
  }

  it("takes a reason that stands a paragraph or two away, or chapters before", () => {
    const other = "Dr. Quill’s hair was red.";
    assert.deepEqual(check([other, ["Quill had dyed it.", "Nobody spoke.", "Dr. Quill’s hair was black."]]), [
      [],
      [],
    ]);
    assert.deepEqual(
      check([other, "Dr. Quill dyed his hair.", FILLER, "Dr. Quill’s hair was black."]).flat(),
      [],
    );
    assert.equal(check([other, FILLER, "Dr. Quill’s hair was black."]).flat().length, 1);
  });

  it("compares what holds from a chapter on with that chapter and those behind it alone", () => {
    const [grey, black] = ["grey", "black"].map((colour) => `Nella's eyes were ${colour}.`);
    const attributes = [
      { key: "eyes", value: "grey" },
      { key: "eyes", value: "black", fromChapterId: "ch2" },
    ];
    const counts = (...chapters: string[]) =>
      check(chapters, [{ ...NELLA, attributes }]).map((found) => found.length);
    assert.deepEqual(counts(grey!, grey!, black!, black!), [0, 0, 0, 0]);
    assert.deepEqual(counts(black!, grey!, black!, black!), [1, 0, 0, 0]);
    assert.deepEqual(counts(grey!, grey!, black!, grey!), [0, 0, 0, 1]);
    const later = [{ key: "eyes", value: "black", fromChapterId: "ch1" }];
    assert.deepEqual(
      check([grey!, black!], [{ ...NELLA, attributes: later }]).map((found) => found.length),
      [0, 0],
    );
  });

  for (const [one, other, message] of [
    [
      "Dr. Quill was left-handed.",
      "Dr. Quill was right-handed, like all of us.",
      "Ephraim Quill’s handedness: “was left-handed” in one place, “was right-handed” in another.",
    ],
    [
      "Dr. Quill was an only child.",
      "“My brother kept the keys,” said Dr. Quill.",
      "Ephraim Quill’s brothers: “was an only child” in one place, “brother” in another.",
    ],
    [
      "Dr. Quill had three sisters.",
      "Dr. Quill’s two sisters came in.",
      "Ephraim Quill’s sisters: “had three sisters” in one place, “two sisters” in another.",
    ],
  ] as const)
    it(`compares “${one}” with “${other}”`, () => {
      assert.deepEqual(messages(check([one, other]).flat()), [message]);
      assert.deepEqual(check([one, one]).flat(), []);
    });

  it("reads the hand, and brothers and sisters, that the cast has", () => {
    const attributes = [
      { key: "handedness", value: "left" },
      { key: "siblings", value: "two sisters" },
    ];
    const told = check(
      ["Nella was right-handed.", "Nella’s three sisters came in.", "Nella’s elder sister sat down."],
      [{ ...NELLA, attributes }],
    );
    assert.deepEqual(messages(told.flat()), [
      "Nella Corrigan’s handedness: the cast says “left”, here it is “was right-handed”.",
      "Nella Corrigan’s sisters: the cast says “two sisters”, here it is “three sisters”.",
    ]);
  });

  it("takes brothers that are born or buried for a reason, and one of several for one of them", () => {
    assert.deepEqual(check(["Dr. Quill had two brothers.", "Dr. Quill’s elder brother came in."]).flat(), []);
    assert.deepEqual(
      check(["Dr. Quill had two brothers.", "They buried Tom. Dr. Quill had no brothers now."]).flat(),
      [],
    );
  });

  it("lets people grow older once years have gone by, and never younger", () => {
    const [young, old] = ["Dr. Quill was forty.", "Dr. Quill was forty-six."];
    assert.equal(check([young, old]).flat().length, 1);
    assert.deepEqual(check([young, "Six years passed.", old]).flat(), []);
    assert.equal(check([old, "Six years passed.", young]).flat().length, 1);
  });
});

describe("dates", () => {
  for (const [text, real] of [
    ["It was Tuesday, 1 February 1953.", "Sunday"],
    ["It was Tues. 1 Feb. 1953.", "Sun"],
    ["Saturday the first of February, 1953, was wet.", "Sunday"],
    ["On the twenty-third of May, 1951, a Friday, it rained.", "Wednesday"],
    ["It was Monday, March 14, 2006.", "Tuesday"],
    ["“14 March 2006 was a Monday,” she said.", "Tuesday"],
    ["It was a Monday—14 March 2006—and wet.", "Tuesday"],
    ["The entry for 14 March 2006 was headed Monday.", "Tuesday"],
  ] as const) {
    it(`knows that “${text}” cannot be`, () => {
      const [findings] = check([text]);
      assert.deepEqual(
        findings?.map(({ suggestion }) => suggestion),
        [real],
      );
    });
  }

  it("is silent where they agree, without a year, and before the calendar's reform", () => {
    const right = [
      "It was Sunday, 1 February 1953.",
      "Sun. 1 Feb.",
      "It was Friday, 3 May 1600.",
      "Monday, 31 February 1953.",
    ];
    assert.deepEqual(check(right), [[], [], [], []]);
  });
});

describe("the dead", () => {
  const speaks = "“Sit down,” said Dr. Quill.";

  for (const death of [
    "Ephraim Quill died in the spring.",
    "In March they buried Dr. Quill beside the weir.",
    "Dr. Quill’s funeral was on the Monday.",
    "By then Dr. Quill had been drowned.",
    "Dr. Quill had a stroke on the Monday and was dead by the evening.",
    "Dr. Quill passed away in his sleep.",
    "Dr. Quill had been dead four years.",
    "Dr. Quill did not live to see the spring.",
    "Dr. Quill lost his life in the flood.",
    "Dr. Quill fell from the tower and broke his neck.",
    "Dr. Quill was found dead in the mill.",
    "Dr. Quill was beheaded.",
    "Dr. Quill was executed in the spring.",
    "Dr. Quill was lost at sea.",
    "Dr. Quill lay in his coffin.",
    "Dr. Quill hanged himself in the loft.",
    "The late Ephraim Quill had left it to the cats.",
  ]) {
    it(`may not speak after “${death}”`, () => {
      const [, , third] = check([death, FILLER, ["Nella came in.", speaks]]);
      assert.deepEqual(
        third?.map(({ factId }) => factId),
        ["fa_q"],
      );
      assert.deepEqual(
        third?.[0]?.evidence.map(({ chapterId }) => chapterId),
        ["ch0", "ch2"],
      );
    });
  }

  it("may not speak in the chapter that buries them, unless it looks back", () => {
    assert.equal(check([["Dr. Quill died in the spring.", FILLER, speaks]])[0]?.length, 1);
    assert.deepEqual(check([["Dr. Quill had died in the spring.", FILLER, speaks]]), [[]]);
    assert.deepEqual(check([[speaks, "Dr. Quill died in the spring."]]), [[]]);
  });

  for (const act of [
    "Dr. Quill poured the tea.",
    "Dr. Quill turned the page.",
    "Dr. Quill was waiting at the gate.",
    "Dr. Quill came down to breakfast.",
  ]) {
    it(`may not act in a later chapter: “${act}”`, () => {
      assert.equal(check(["Dr. Quill died in the spring.", act])[1]?.length, 1);
      assert.deepEqual(check([["Dr. Quill died in the spring.", act]]), [[]]);
    });
  }

  for (const [first, then] of [
    ["Dr. Quill died in the spring.", "She dreamed of it. Dr. Quill poured the tea."],
    ["Dr. Quill died in the spring.", "Dr. Quill always poured the tea."],
    ["Dr. Quill died in the spring.", "Dr. Quill had poured the tea."],
    ["Dr. Quill died in the spring.", "Dr. Quill lit the lamp when she was nine."],
    ["The late Mr. Quill was a miller.", speaks],
    ["Dr. Quill’s dog was killed by a lorry.", speaks],
    ["Dr. Quill died laughing at that.", speaks],
    ["Dr. Quill nearly died.", speaks],
    ["She thought that Dr. Quill was dead.", speaks],
    ["“Dr. Quill died in the spring,” said Nella.", speaks],
    ["“Dr. Quill is dead,” said Nella.", speaks],
    ["Dr. Quill’s father died in the spring.", speaks],
    ["Dr. Quill was dead tired.", speaks],
    ["Had Dr. Quill died then, nobody would have known.", speaks],
    ["Dr. Quill died in the spring.", "She remembered it all. “Sit down,” Dr. Quill had said."],
    ["Dr. Quill died in the spring.", "“Sit down,” said Nella, as Dr. Quill had."],
    ["Dr. Quill died in the spring.", `It was the summer she was nine. ${speaks}`],
    ["Dr. Quill died in the spring.", `“They told me you were dead,” said Nella. ${speaks}`],
    ["Dr. Quill died in the spring.", `She played the tape. ${speaks}`],
    ["In the dream Dr. Quill died.", speaks],
  ] as const) {
    it(`is silent about “${first}” and “${then}”`, () => assert.deepEqual(check([first, then]), [[], []]));
  }
});

describe("titles and pronouns", () => {
  it("finds a title that the cast does not have, once", () => {
    const [, second] = check(["Miss Corrigan came. Miss Corrigan went.", "Mrs. Corrigan came back."]);
    assert.deepEqual(messages(second), [
      "Nella Corrigan’s title: the cast says “Miss”, here it is “Mrs. Corrigan”.",
    ]);
  });

  it("knows the title that an attribute gives", () => {
    const captain = { ...QUILL, aliases: [], attributes: [{ key: "rank", value: "Captain" }] };
    const [, second] = check(["Captain Quill came.", "Lieutenant Quill went."], [captain]);
    assert.deepEqual(messages(second), [
      "Ephraim Quill’s title: the cast says “Captain”, here it is “Lieutenant Quill”.",
    ]);
  });

  for (const text of [
    "They were married on the Monday. Mrs. Corrigan came back.",
    "“Mrs. Corrigan,” he called her, for a joke.",
    "Years later, as Mrs. Corrigan, she came back.",
  ])
    it(`is silent where the prose says why: “${text}”`, () =>
      assert.deepEqual(check(["Miss Corrigan came. Miss Corrigan went.", text]), [[], []]));

  it("leaves a relative's title alone", () => {
    const mother = { ...QUILL, id: "fa_m", name: "Ada Corrigan" };
    assert.deepEqual(check(["Miss Corrigan came. Mrs. Corrigan went."], [...CAST, mother]), [[]]);
  });
});

describe("days", () => {
  it("finds a span that does not lead to the day that is told, with both days", () => {
    const [, findings = []] = check([
      "It was Friday, 12 May 1893.",
      "Three days later, on a Tuesday, the weir broke.",
    ]);
    const [finding] = findings;
    assert.equal(finding?.message, "“Tuesday” does not fit the day told before: 1893-05-15 is a Monday.");
    assert.deepEqual(
      finding.evidence.map(({ text }) => text),
      ["Three days later", "Tuesday"],
    );
  });

  it("says nothing of a span that fits, is said by somebody, or is a guess", () => {
    for (const text of [
      "Three days later, on a Monday, the weir broke.",
      "“Three days later, on a Tuesday,” said Nella.",
      "About three days later, on a Tuesday, the weir broke.",
    ])
      assert.deepEqual(check(["It was Friday, 12 May 1893.", text]), [[], []], text);
  });
});

describe("the words of a rule", () => {
  /** A passage for each rule that reads passages: no other rule has a word in it. */
  const only: Readonly<Record<string, readonly string[]>> = {
    attributes: ["Nella’s blue eyes.", "Nella’s braids.", "Nella turned forty."],
    weekdays: ["A Friday."],
    dead: ["Quill drowned.", "Quill’s burial."],
  };
  const relevantOf = (rules: readonly Rule[], text: string) =>
    createRelevantPassages(rules)(bookOf([chapterOf("ch0", [text])])).map((passage) => passage.text);
  const readers = Object.entries<Rule>(RULES).filter(([, { reads }]) => reads !== undefined);

  for (const [name, rule] of readers) {
    it(`“${name}” alone bring a passage to it`, () => {
      assert.equal(rule.reads?.flags, "", "the words of all rules are read as one expression, without flags");
      assert.ok(only[name] !== undefined && only[name].length > 0, `give “${name}” a passage in this table`);
      const others = Object.values<Rule>(RULES).filter((one) => one !== rule);
      for (const text of only[name]) {
        assert.deepEqual(relevantOf(Object.values(RULES), text), [text]);
        assert.deepEqual(relevantOf(others, text), [], "another rule reads it too");
      }
    });
  }

  it("are asked of every rule that is written", () => {
    const folder = "ai/embedded/check/";
    const written = files
      .filter((file) => file.startsWith(folder))
      .flatMap((file) => [...read(file).matchAll(/^export const (\w+): Rule\b/gm)].map((match) => match[1]));
    assert.deepEqual(written.sort(), Object.keys(RULES).sort(), "give it a line in RULES");
  });

  it("are all that a passage needs: a new rule is heard without a word said elsewhere", () => {
    const text = "It was Thule.";
    assert.deepEqual(relevantOf(Object.values(RULES), text), []);
    const places: Rule = { reads: /\bThule\b/, find: () => [] };
    assert.deepEqual(relevantOf([...Object.values(RULES), places], text), [text]);
  });
});

describe("check", () => {
  const novel = () => readNovel(join(import.meta.dirname, "../../fixtures/novel"));

  it("finds the sample novel's two deliberate slips, in their chapters, and nothing else", () => {
    const chapters = novel();
    const found = findingsOf(chapters, castOfNovel()).map((findings) => messages(findings)?.[0]);
    const told = chapters.flatMap(({ chapterId }, index) =>
      found[index] === undefined ? [] : [[chapterId, found[index]]],
    );
    assert.deepEqual(
      told.map(([chapterId]) => chapterId),
      ["12-slack-water", "13-the-inquiry"],
    );
    assert.match(String(told[0]?.[1]), /“Garroway” stands twice where the book otherwise has “Garraway”/);
    assert.match(String(told[1]?.[1]), /Achterberg’s eyes: the cast says “grey”, here it is “brown eyes”/);
  });

  it("gives the same in any order, reads a chapter once, and again when it has changed", () => {
    const chapters = novel();
    const read: string[] = [];
    const book = bookOf(chapters, { cast: castOfNovel(), onRead: (chapterId) => read.push(chapterId) });
    const one = createChecker(createStatistics());
    const forward = chapters.map((chapter) => one(chapter, book));
    const reads = read.length;
    for (const chapter of chapters) one(chapter, book);
    assert.equal(read.length, reads);
    const other = createChecker(createStatistics());
    const backward = chapters.toReversed().map((chapter) => other(chapter, book));
    assert.deepEqual(backward.toReversed(), forward);
    const mended = chapters.map((chapter) => ({
      ...chapter,
      revision: 2,
      blocks: chapter.blocks.map(({ blockId, text }) => ({
        blockId,
        text: text.replaceAll("Garroway", "Garraway"),
      })),
    }));
    const findings = mended.map((chapter) => one(chapter, shelve("book", mended, castOfNovel())));
    assert.deepEqual(
      findings.flat().map(({ type }) => type),
      ["contradiction"],
    );
  });

  it("of a book without a cast, or of no words, is empty", () => {
    assert.deepEqual(check([FILLER, []], []), [[], []]);
  });
});
