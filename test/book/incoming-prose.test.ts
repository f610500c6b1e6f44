import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { IncomingChapter, StoredChapter } from "../../src/book/book.ts";
import { keepIds, readProse, withOwnIds } from "../../src/book/incoming-prose.ts";
import { leafIds } from "../../src/prose/document/leaves.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { BadRequest, PayloadTooLarge } from "../../src/refusals.ts";

/** An id of our shape, as a leaf has it and as a file has it: `a` stands for sixteen of them. */
const idOf = (letter: string) => `b_${letter.repeat(16)}`;
const markOf = (letter: string) => `^b-${letter.repeat(16)}`;

function read(markdown: string, bom = false) {
  return { name: "a.md", bom, markdown, ...readProse({ name: "a.md", bom, markdown }) };
}

/** The letters of the ids that leaves have, "-" for none, and the text. */
const told = ({ prose }: Pick<IncomingChapter, "prose">) =>
  `${leafIds(prose.blocks)
    .map((id) => id?.at(-1) ?? "-")
    .join("")} ${joinMarkdown(prose)}`;

describe("readProse", () => {
  it("takes block ids off the text and gives them to their leaves", () => {
    const found = read(`One ${markOf("0")}\n\nTwo\n`);
    assert.equal(told(found), "0- One\n\nTwo\n");
    assert.deepEqual([found.isMarked, found.mayHaveMore], [true, false]);
  });

  it("says that there is none, and that one may be left within a paragraph", () => {
    const none = read("One\n");
    assert.deepEqual([told(none), none.isMarked, none.mayHaveMore], ["- One\n", false, false]);
    const within = read(`One ${markOf("0")} and on\n`);
    assert.deepEqual([within.isMarked, within.mayHaveMore], [false, true]);
  });

  it("takes those within a paragraph, too, that it is told are its own", () => {
    const markdown = `One ${markOf("0")} and on\n\nTwo ${markOf("1")} and on\n`;
    const isOwn = (blockId: string) => blockId === idOf("0");
    const found = readProse({ name: "a.md", bom: false, markdown }, { isOwn });
    assert.equal(told(found), `0- One and on\n\nTwo ${markOf("1")} and on\n`);
  });

  it("keeps a byte order mark", () => assert.equal(read("One\n", true).prose.bom, true));

  it("refuses with the file's name what is too much, and throws what is no refusal as it is", () => {
    const said = { name: "a.md", bom: false, markdown: "One\n" };
    const refused = (error: unknown) =>
      (error instanceof BadRequest || error instanceof PayloadTooLarge) && error.message.startsWith("a.md: ");
    assert.throws(() => readProse({ ...said, markdown: "a".repeat(5_000_000) }), PayloadTooLarge);
    assert.throws(() => readProse({ ...said, markdown: "a".repeat(5_000_000) }), refused);
    const broken = new Error("broken");
    const isOwn = () => {
      throw broken;
    };
    assert.throws(() => readProse({ ...said, markdown: `One ${markOf("0")} on\n` }, { isOwn }), broken);
  });
});

describe("withOwnIds", () => {
  const owner = (...letters: string[]) => {
    const own = new Set(letters.map(idOf));
    return { owns: (ids: string[]) => new Set(ids.filter((id) => own.has(id))) } as unknown as StoredChapter;
  };
  const marked = `One ${markOf("0")}\n\nTwo ${markOf("1")}\n`;
  const within = `One ${markOf("0")} on\n\nTwo ${markOf("1")} on\n`;
  const cases: [
    promise: string,
    markdown: string,
    owner: StoredChapter | undefined,
    arrived: string[],
    string,
  ][] = [
    ["leaves an id that the chapter has or had", marked, owner("0"), [], "0- One\n\nTwo\n"],
    ["… that comes from another chapter", marked, undefined, ["1"], "-1 One\n\nTwo\n"],
    ["… of both kinds", marked, owner("0"), ["1"], "01 One\n\nTwo\n"],
    ["takes every id for a new chapter off", marked, undefined, [], "-- One\n\nTwo\n"],
    [
      "takes its own off the middle of a paragraph",
      within,
      owner("1"),
      [],
      `-1 One ${markOf("0")} on\n\nTwo on\n`,
    ],
    ["… not that of nobody", within, owner(), [], `-- ${within}`],
    ["changes nothing without ids", "One\n", owner("0"), ["1"], "- One\n"],
  ];
  for (const [promise, markdown, stored, arrived, expected] of cases)
    it(promise, () => {
      const incoming = read(markdown) as unknown as IncomingChapter;
      assert.equal(told(withOwnIds(incoming, stored, arrived.map(idOf) as never)), expected);
    });
});

describe("keepIds", () => {
  it("keeps those that may stay, and asks of none that is not there", () => {
    const { prose } = read(`One ${markOf("0")}\n\nTwo\n\nThree ${markOf("1")}\n`);
    const asked: string[] = [];
    const kept = keepIds(prose, (id) => asked.push(id) === 2);
    assert.deepEqual([told({ prose: kept }), asked], ["--1 One\n\nTwo\n\nThree\n", [idOf("0"), idOf("1")]]);
  });
});
