import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { undoAct } from "../../src/service/history/undo.ts";
import { listPassages, writePassages } from "../../src/service/prose/map-paragraphs.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { dump } from "../support/dump.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";
import { type Kept, movingBook } from "./moving-book.ts";

const p = (key: number) => `Mara came down to the ferry, q${key}, before it was light.`;
const text = (...blocks: (number | string)[]) =>
  `${blocks.map((block) => (typeof block === "number" ? p(block) : block)).join("\n\n")}\n`;

const ONE = text("# One", 1, 2, "“Yes.”", 3, "* * *", 4);
const TWO = text("# Two", 5, 6, "* * *", "“Yes.”", 7);
const THREE = text("# Three", 8, 9);

/** Each paragraph without its chapter: what a move must not change. */
const lasting = (kept: Map<string, Kept>) =>
  new Map([...kept].map(([key, { chapterId: _, ...beside }]) => [key, beside]));

async function moved(
  t: TestContext,
  options: { plain?: boolean; blockIds?: boolean },
  edit: (book: Awaited<ReturnType<typeof movingBook>>, files: string[]) => void,
  how: "sync" | "import",
) {
  const own = manuscript(t);
  const book = await movingBook(own, folder(t), [ONE, TWO, THREE], options);
  const before = book.kept();
  edit(book, book.files());
  const file = dump(own.store);
  const dry = await book[how]({ dryRun: true, yes: true });
  assert.deepEqual(dump(own.store), file);
  const done = await book[how]({ yes: true });
  const tell = ({ moved: all }: typeof done) =>
    all.map(({ from, to, paragraphs }) => `${from.title} ${to.title} ${paragraphs}`);
  assert.deepEqual(tell(done), tell(dry));
  assertSound(own.store);
  const now = book.kept();
  undoAct(own, String(done.act), OWNER);
  assert.deepEqual(dump(own.store), file);
  assertSound(own.store);
  const costs = done.chapters.flatMap(({ mentionsDropped, snippetsDetached }) => [
    ...mentionsDropped,
    ...snippetsDetached,
  ]);
  return { before, now, told: tell(done), costs };
}

const WAYS = [
  ["sync", {}],
  ["sync", { blockIds: true }],
  ["import", {}],
  ["import", { plain: true }],
] as const;

describe("paragraphs that files show gone here and new there", () => {
  type Edit = Parameters<typeof moved>[2];
  const take = (from: string, keys: number[]) => {
    const blocks = from.split("\n\n").filter((block) => keys.some((key) => block.includes(`q${key},`)));
    return [
      from
        .split("\n\n")
        .filter((block) => !blocks.includes(block))
        .join("\n\n"),
      blocks,
    ] as const;
  };
  const CASES: readonly [what: string, edit: Edit, told: string[]][] = [
    [
      "cut from one and pasted into another",
      ({ read, write }, [one = "", two = ""]) => {
        const [rest, blocks] = take(read(one), [2]);
        write(one, rest);
        write(two, `${read(two).trimEnd()}\n\n${blocks.join("\n\n")}\n`);
      },
      ["One Two 1"],
    ],
    [
      "exchanged between two",
      ({ read, write }, [one = "", two = ""]) => {
        const [rest, [block = ""]] = take(read(one), [2]);
        const [other, [back = ""]] = take(read(two), [6]);
        write(one, `${rest.trimEnd()}\n\n${back}\n`);
        write(two, `${other.trimEnd()}\n\n${block}\n`);
      },
      ["Two One 1", "One Two 1"],
    ],
    [
      "in a file that was cut in two, its scene breaks and short lines with it",
      ({ read, write }, [one = ""]) => {
        const at = read(one).indexOf("“Yes.”");
        write("01b.md", `# More\n\n${read(one).slice(at)}`);
        write(one, `${read(one).slice(0, at).trimEnd()}\n`);
      },
      ["One More 4"],
    ],
    [
      "in a file that was put behind another and deleted",
      ({ read, write, remove }, [, two = "", three = ""]) => {
        const body = read(three).slice(read(three).indexOf("# Three"));
        write(two, `${read(two).trimEnd()}\n\n${body}`);
        remove(three);
      },
      ["Three Two 3"],
    ],
  ];
  for (const [what, edit, told] of CASES) {
    for (const [how, options] of WAYS) {
      it(`keep ids, notes and mentions: ${what} (${how} ${JSON.stringify(options)})`, async (t) => {
        const done = await moved(t, options, edit, how);
        assert.deepEqual(lasting(done.now), lasting(done.before));
        assert.deepEqual(done.told.sort(), told.toSorted());
        assert.deepEqual(done.costs, []);
      });
    }
  }

  it("keep them in a map of whole chapters, as one act", async (t) => {
    const own = manuscript(t);
    const book = await movingBook(own, folder(t), [ONE, TWO]);
    const [before, file] = [book.kept(), dump(own.store)];
    const [one, two] = book.ids.map((id) => listPassages(own, id, "chapter"));
    if (one?.passages[0] === undefined || two?.passages[0] === undefined)
      throw new Error("two chapters are there");
    const [rest, blocks] = take(one.passages[0].markdown, [1, 3]);
    one.passages[0].markdown = rest;
    two.passages[0].markdown += `\n${blocks.join("\n\n")}\n`;
    const done = writePassages(own, [one, two], OWNER);
    assert.deepEqual(lasting(book.kept()), lasting(before));
    assert.equal(book.kept().get("q3")?.chapterId, book.ids[1]);
    assert.deepEqual(
      done.chapters.flatMap((one) => [...one.mentionsDropped, ...one.snippetsDetached]),
      [],
    );
    assertSound(own.store);
    undoAct(own, String(done.act), OWNER);
    assert.deepEqual(dump(own.store), file);
  });

  it("never take a short line, or one that is there twice, for one that moved", async (t) => {
    const own = manuscript(t);
    const twice = "The bell rang over the water, and then it rang once more.";
    const chapters = [text(1, "“Yes.”", 2, twice, 3, twice), text(4)];
    const book = await movingBook(own, folder(t), chapters);
    const [one = "", two = ""] = book.files();
    book.write(one, book.read(one).replace("“Yes.”\n\n", "").replaceAll(`${twice}\n\n`, ""));
    book.write(two, `${book.read(two)}\n“Yes.”\n\n${twice}\n`);
    const { moved: told } = await book.sync({ yes: true });
    assert.deepEqual(told, []);
    assertSound(own.store);
  });

  it("take the manuscript's edit along, and come to neither chapter while one waits for a conflict's end", async (t) => {
    const own = manuscript(t);
    const book = await movingBook(own, folder(t), [ONE, TWO]);
    const [one = "", two = ""] = book.files();
    const [rest, [block = ""]] = take(book.read(one), [2]);
    const before = book.kept();
    const at = (key: string) => {
      const { chapterId = "", blockId } = book.kept().get(key) ?? {};
      return { chapterId, blockId: blockId ?? "" };
    };
    replaceParagraph(own, at("q2"), { markdown: `${p(2)} She was late.` }, OWNER);
    book.write(one, rest);
    book.write(two, `${book.read(two)}\n${block}\n`);
    const dry = await book.sync({ yes: true, dryRun: true });
    assert.deepEqual(
      dry.moved.map(({ paragraphs }) => paragraphs),
      [1],
    );
    await book.sync({ yes: true });
    assert.match(book.read(two), /q2, before it was light\. She was late\./);
    assert.equal(book.kept().get("q2")?.blockId, before.get("q2")?.blockId);
    assert.deepEqual(book.kept().get("q2")?.notes, before.get("q2")?.notes);

    const [less, [other = ""]] = take(book.read(one), [4]);
    replaceParagraph(own, at("q1"), { markdown: `${p(1)} Or earlier.` }, OWNER);
    book.write(one, less.replace("q1, before", "q1, long before"));
    book.write(two, `${book.read(two)}\n${other}\n`);
    const held = await book.sync({ yes: true });
    assert.deepEqual(
      held.chapters.map(({ status }) => status),
      ["conflict", "conflict"],
    );
    assert.equal(book.kept().get("q4")?.chapterId, before.get("q4")?.chapterId);
    await book.sync({ yes: true, force: "incoming" });
    const { chapterId, ...beside } = book.kept().get("q4") ?? {};
    assert.equal(chapterId, book.ids[1]);
    assert.deepEqual(beside, lasting(before).get("q4"));
  });
});
