import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { markdownOf } from "../../lab/faults/two-sided/exchange.ts";
import { moveParagraphs } from "../../src/service/books/move-paragraphs.ts";
import { joinChapters, splitChapter } from "../../src/service/books/split-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { listChapters } from "../../src/store/rows/chapters.ts";
import { dump } from "../support/dump.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";
import { type Kept, movingBook } from "./moving-book.ts";

const p = (key: number) => `Mara came down to the ferry, q${key}, before it was light.`;
const text = (...blocks: (number | string)[]) =>
  `${blocks.map((block) => (typeof block === "number" ? p(block) : block)).join("\n\n")}\n`;
const CHAPTERS = [text("# One", 1, 2, 3), text("# Two", 4, 5, 6), text("# Three", 7, 8)];

/** Each paragraph's place, id and notes: what an edit of its words must not change. */
const besides = (kept: Map<string, Kept>) =>
  new Map([...kept].map(([key, { text: _, mentions: __, ...beside }]) => [key, beside]));

const MODES = [{}, { blockIds: true }] as const;

async function started(t: TestContext, options: (typeof MODES)[number]) {
  const own = manuscript(t);
  const book = await movingBook(own, folder(t), CHAPTERS, options);
  const [one = "", two = "", three = ""] = book.ids;
  const id = (key: string) => book.kept().get(key)?.blockId ?? "";
  const edit = (name: string, from: string, to: string) =>
    book.write(name, book.read(name).replace(from, to));
  /** The keys of every chapter's paragraphs and of every file's, so often as they stand. */
  const shown = () => ({
    book: listChapters(own.store, book.bookId).map(({ id: chapterId, title }) => {
      const texts = own.store.list<string>(
        `SELECT text FROM blocks WHERE chapter_id = '${chapterId}' ORDER BY rank`,
      );
      return `${title}: ${
        texts
          .join("\n")
          .match(/\bq\d+(?=,)|fog|rain/g)
          ?.join(" ") ?? ""
      }`;
    }),
    files: book.files().map(
      (name) =>
        `${name}: ${
          book
            .read(name)
            .match(/\bq\d+(?=,)|fog|rain/g)
            ?.join(" ") ?? ""
        }`,
    ),
  });
  return { own, ...book, one, two, three, id, edit, shown };
}
type Started = Awaited<ReturnType<typeof started>>;

const join = ({ own, one, two }: Started) => joinChapters(own, one, { chapterId: two }, OWNER);
const split = ({ own, two, id }: Started) => splitChapter(own, two, { blockId: id("q5") }, OWNER);
const move = ({ own, two, three, id }: Started) =>
  moveParagraphs(own, two, { blockIds: [id("q5")], toChapterId: three, after: id("q7") }, OWNER);

describe("a paragraph edited in its file that the manuscript has put into another chapter", () => {
  for (const [what, act] of Object.entries({ join, split, move }))
    for (const options of MODES)
      it(`gets the edit where it stands: ${what} ${JSON.stringify(options)}`, async (t) => {
        const book = await started(t, options);
        act(book);
        book.edit(book.files()[1] ?? "", "q5, before it was light", "q5, before the fog was light");
        const before = book.kept();
        const file = dump(book.own.store);
        const done = await book.sync({ yes: true });
        assertSound(book.own.store);
        assert.deepEqual(besides(book.kept()), besides(before));
        undoAct(book.own, String(done.act), OWNER);
        assert.deepEqual(dump(book.own.store), file);
      });

  for (const link of ["the [fog](/fog)", "the ![](fog.png) fog", "a [sic] fog"])
    it(`gets it with what it holds: ${link}`, async (t) => {
      const book = await started(t, {});
      move(book);
      book.edit(book.files()[1] ?? "", "q5, before it was", `q5, before ${link} was`);
      const before = besides(book.kept());
      const { chapters } = await book.sync({ yes: true });
      assert.deepEqual(
        chapters.filter(({ status }) => status === "conflict"),
        [],
      );
      assert.deepEqual(besides(book.kept()), before);
      assert.ok(book.read(book.files()[2] ?? "").includes(`q5, before ${link} was`));
    });

  it("waits where the edit holds a link that is defined in the file alone", async (t) => {
    const book = await started(t, {});
    move(book);
    const [, file = ""] = book.files();
    book.edit(file, "q5, before it was", "q5, before the [fog] was");
    book.write(file, `${book.read(file)}\n[fog]: /fog\n`);
    const { chapters } = await book.sync({ yes: true });
    assert.deepEqual(
      chapters.map(({ status }) => status).filter((status) => status === "conflict"),
      ["conflict"],
    );
    assert.match(book.kept().get("q5")?.text ?? "", /before it was/);
  });

  for (const [what, act] of Object.entries({ join, split, move }))
    for (const force of ["incoming", "stored"] as const)
      it(`waits where both have edited it, until ${force} wins: ${what}`, async (t) => {
        const book = await started(t, {});
        act(book);
        const [, file = ""] = book.files();
        book.edit(file, "q5, before it was light", "q5, before the fog was light");
        book.edit(file, "q4, before it was light", "q4, before the dusk was light");
        const { chapterId = "", blockId = "" } = book.kept().get("q5") ?? {};
        const at = { chapterId, blockId: blockId ?? "" };
        replaceParagraph(book.own, at, { markdown: p(5).replace("it was", "the rain was") }, OWNER);
        const [kept, said] = [book.kept(), book.read(file)];
        const before = besides(kept);
        const held = await book.sync({ yes: true });
        const told = held.chapters.filter(({ status }) => status === "conflict");
        assert.deepEqual(
          told.map(({ file, conflict }) => [file, conflict?.paragraphs]),
          [
            [
              file,
              [
                {
                  mine: p(5).replace("it was", "the fog was"),
                  theirs: p(5).replace("it was", "the rain was"),
                },
              ],
            ],
          ],
        );
        assert.equal(book.read(file), said);
        assert.deepEqual(book.kept(), kept);
        await book.sync({ yes: true, force });
        assert.match(book.kept().get("q5")?.text ?? "", force === "incoming" ? /fog/ : /rain/);
        assert.match(book.kept().get("q4")?.text ?? "", /dusk/);
        assert.deepEqual(besides(book.kept()), before);
        const { act: next } = await book.sync({ yes: true });
        assert.equal(next, null);
        assertSound(book.own.store);
      });

  for (const [what, act] of Object.entries({ join, split, move }))
    for (const force of ["incoming", "stored"] as const)
      it(`gets a link that its chapter defines only if the file wins: ${force}, ${what}`, async (t) => {
        const book = await started(t, {});
        act(book);
        const [, file = ""] = book.files();
        book.edit(file, "q5, before it was light", "q5, before the [fog] was light");
        book.write(file, `${book.read(file)}\n[fog]: /fog\n`);
        const kept = book.kept();
        const { chapters } = await book.sync({ yes: true });
        assert.equal(chapters.filter(({ status }) => status === "conflict").length, 1);
        assert.deepEqual(book.kept(), kept);
        await book.sync({ yes: true, force });
        assert.deepEqual(besides(book.kept()), besides(kept));
        assert.equal(/fog/.test(book.kept().get("q5")?.text ?? ""), force === "incoming");
        const { act: next } = await book.sync({ yes: true });
        assert.equal(next, null);
        assertSound(book.own.store);
      });

  for (const [what, act] of Object.entries({ join, split, move }))
    for (const force of ["incoming", "stored"] as const)
      it(`waits where the file has cut it in two, until ${force} wins: ${what}`, async (t) => {
        const book = await started(t, {});
        act(book);
        const file = book.files()[1] ?? "";
        book.edit(file, "q5, before it was light", "q5, before.\n\nit was light");
        const [before, said] = [book.shown().book, book.read(file)];
        const { chapters } = await book.sync({ yes: true });
        assert.equal(chapters.filter(({ status }) => status === "conflict").length, 1);
        assert.deepEqual([book.shown().book, book.read(file)], [before, said]);
        await book.sync({ yes: true, force });
        assertSound(book.own.store);
        const all = book.own.store.list<string>("SELECT text FROM blocks").join("\n");
        assert.deepEqual(
          all.match(/it was light\./g)?.length,
          8,
          "nothing is lost, and nothing stands twice",
        );
        assert.equal(/q5, before\.$/m.test(all), force === "incoming");
        assert.deepEqual((await book.sync({ yes: true })).act, null);
      });

  it("waits for nothing where both have edited it alike", async (t) => {
    const book = await started(t, {});
    join(book);
    const fog = p(5).replace("it was", "the fog was");
    book.edit(book.files()[1] ?? "", p(5), fog);
    replaceParagraph(book.own, { chapterId: book.one, blockId: book.id("q5") }, { markdown: fog }, OWNER);
    const before = book.kept();
    const { chapters } = await book.sync({ yes: true });
    assert.deepEqual(
      chapters.filter(({ status }) => status === "conflict"),
      [],
    );
    assert.deepEqual(book.kept(), before);
  });

  it("is no other paragraph that a file has put into its place", async (t) => {
    for (const act of [join, move]) {
      const book = await started(t, {});
      act(book);
      const [one = "", two = "", three = ""] = book.files();
      const other = book.read(three).match(/Mara .*q8.*/)?.[0] ?? "";
      book.edit(three, `\n\n${other}`, "");
      book.edit(two, p(5), other);
      book.write(one, `${book.read(one).trimEnd()}\n\n${p(5)}\n`);
      const before = book.kept();
      await book.sync({ yes: true });
      assert.deepEqual([book.id("q5"), book.kept().get("q5")?.text], [before.get("q5")?.blockId, p(5)]);
      assert.equal(book.kept().get("q8")?.text, p(8));
      const all = book.shown().book.join(" ").match(/q\d+/g) ?? [];
      assert.equal(new Set(all).size, all.length);
    }
  });

  it("gets a second edit from a file whose chapter is gone", async (t) => {
    const book = await started(t, {});
    join(book);
    const [, file = ""] = book.files();
    const before = besides(book.kept());
    for (const [was, is] of [
      ["it was", "the fog was"],
      ["the fog was", "the rain was"],
    ] as const) {
      book.edit(file, `q5, before ${was}`, `q5, before ${is}`);
      await book.sync({ yes: true });
      assert.deepEqual(besides(book.kept()), before);
      assert.match(book.kept().get("q5")?.text ?? "", new RegExp(is));
    }
    replaceParagraph(book.own, { chapterId: book.one, blockId: book.id("q5") }, { markdown: p(5) }, OWNER);
    await book.sync({ yes: true });
    assert.equal(book.kept().get("q5")?.text, p(5));
    assert.deepEqual(besides(book.kept()), before);
  });
});

/** The files' paragraphs of these keys, taken out of one file and put behind another's, edited on the way or not. */
function carryOver(
  book: Started,
  key: string,
  [from = "", to = ""]: string[],
  edit = (block: string) => block,
): void {
  const blocks = book.read(from).trimEnd().split("\n\n");
  const block = blocks.find((one) => one.includes(`${key},`)) ?? "";
  book.write(from, `${blocks.filter((one) => one !== block).join("\n\n")}\n`);
  book.write(to, `${book.read(to).trimEnd()}\n\n${edit(block)}\n`);
}

describe("a paragraph that files and manuscript have moved, each to another chapter", () => {
  const fog = (block: string) => block.replace("it was", "the fog was");

  for (const options of MODES)
    it(`stands where the manuscript has it, and nowhere else ${JSON.stringify(options)}`, async (t) => {
      const book = await started(t, options);
      move(book);
      const [one = "", two = ""] = book.files();
      carryOver(book, "q5", [two, one]);
      const [before, file] = [book.kept(), dump(book.own.store)];
      const done = await book.sync({ yes: true });
      assertSound(book.own.store);
      assert.deepEqual(book.kept(), before);
      assert.deepEqual(book.shown(), {
        book: ["One: q1 q2 q3", "Two: q4 q6", "Three: q7 q5 q8"],
        files: ["01-one.md: q1 q2 q3", "02-two.md: q4 q6", "03-three.md: q7 q5 q8"],
      });
      undoAct(book.own, String(done.act), OWNER);
      assert.deepEqual(dump(book.own.store), file);
    });

  it("stands there once if both have put it into the same chapter", async (t) => {
    const book = await started(t, {});
    move(book);
    const [, two = "", three = ""] = book.files();
    carryOver(book, "q5", [two, three]);
    const before = book.kept();
    await book.sync({ yes: true });
    assert.deepEqual(book.kept(), before);
    assert.deepEqual(book.shown().book, ["One: q1 q2 q3", "Two: q4 q6", "Three: q7 q5 q8"]);
  });

  it("is taken in from no new file, nor from one that an import leaves behind", async (t) => {
    const book = await started(t, {});
    split(book);
    const [, two = ""] = book.files();
    book.write("09-new.md", "# New\n");
    carryOver(book, "q5", [two, "09-new.md"]);
    carryOver(book, "q6", [two, "09-new.md"]);
    const before = besides(book.kept());
    for (let times = 0; times < 2; times++) {
      await book.import({ yes: true });
      book.edit("09-new.md", "# New", "# Newer");
      assert.deepEqual(besides(book.kept()), before);
      assert.deepEqual(book.shown().book.slice(0, 4), [
        "One: q1 q2 q3",
        "Two: q4",
        "Two: q5 q6",
        "Three: q7 q8",
      ]);
      assert.match(book.shown().book[4] ?? "", /^New(?:er)?: $/);
    }
  });

  it("stands there once if the chapter is gone that it was in", async (t) => {
    const book = await started(t, {});
    join(book);
    const [, two = "", three = ""] = book.files();
    carryOver(book, "q5", [two, three]);
    const before = book.kept();
    await book.sync({ yes: true });
    assert.deepEqual(book.kept(), before);
  });

  it("takes the file's edit along, where that brings its id", async (t) => {
    const book = await started(t, { blockIds: true });
    move(book);
    const [one = "", two = ""] = book.files();
    carryOver(book, "q5", [two, one], fog);
    const before = besides(book.kept());
    await book.sync({ yes: true });
    assert.deepEqual(besides(book.kept()), before);
    assert.deepEqual(book.shown().book, ["One: q1 q2 q3", "Two: q4 q6", "Three: q7 q5 fog q8"]);
    assert.deepEqual(book.shown().files, [
      "01-one.md: q1 q2 q3",
      "02-two.md: q4 q6",
      "03-three.md: q7 q5 fog q8",
    ]);
  });

  for (const force of ["incoming", "stored"] as const)
    it(`waits where both have edited it, until ${force} wins`, async (t) => {
      const book = await started(t, { blockIds: true });
      move(book);
      const [one = "", two = ""] = book.files();
      carryOver(book, "q5", [two, one], fog);
      const rain = p(5).replace("it was", "the rain was");
      replaceParagraph(
        book.own,
        { chapterId: book.three, blockId: book.id("q5") },
        { markdown: rain },
        OWNER,
      );
      const before = besides(book.kept());
      const said = [book.read(one), book.read(two)];
      for (let times = 0; times < 2; times++) {
        const { chapters } = await book.sync({ yes: true });
        assert.deepEqual(
          chapters.map(({ conflict }) => conflict?.paragraphs),
          [[{ mine: fog(p(5)), theirs: rain }], [{ mine: null, theirs: rain }], undefined],
        );
        assert.deepEqual([book.read(one), book.read(two)], said);
        assert.deepEqual(besides(book.kept()), before);
      }
      await book.sync({ yes: true, force });
      assert.deepEqual(besides(book.kept()), before);
      assert.equal(book.kept().get("q5")?.text, force === "incoming" ? fog(p(5)) : rain);
      assert.deepEqual((await book.sync({ yes: true })).act, null);
    });

  it("leaves nothing of a new file that holds no other", async (t) => {
    const book = await started(t, {});
    split(book);
    const [, two = ""] = book.files();
    book.write("09-new.md", "");
    carryOver(book, "q5", [two, "09-new.md"]);
    carryOver(book, "q6", [two, "09-new.md"]);
    const before = besides(book.kept());
    await book.sync({ yes: true });
    assert.deepEqual(besides(book.kept()), before);
    assert.deepEqual((await book.sync({ yes: true })).act, null);
  });

  it("stands where the manuscript has it if each has joined its chapter to another", async (t) => {
    for (const options of MODES) {
      const book = await started(t, options);
      join(book);
      const [, two = "", three = ""] = book.files();
      const [, ...blocks] = book.read(two).trimEnd().split("\n\n").slice(-4);
      book.write(three, `${book.read(three).trimEnd()}\n\n${blocks.join("\n\n")}\n`);
      book.remove(two);
      const [before, file] = [book.kept(), dump(book.own.store)];
      const done = await book.sync({ yes: true, delete: true });
      assertSound(book.own.store);
      assert.deepEqual(book.kept(), before);
      assert.deepEqual(book.shown(), {
        book: ["One: q1 q2 q3 q4 q5 q6", "Three: q7 q8"],
        files: ["01-one.md: q1 q2 q3 q4 q5 q6", "03-three.md: q7 q8"],
      });
      undoAct(book.own, String(done.act), OWNER);
      assert.deepEqual(dump(book.own.store), file);
    }
  });

  for (const how of ["sync", "import"] as const)
    for (const force of ["incoming", "stored"] as const)
      it(`stands once if each has joined its chapter to another and edited it: ${how}, ${force} wins`, async (t) => {
        const book = await started(t, {});
        join(book);
        const [, two = "", three = ""] = book.files();
        book.write(three, `${book.read(three).trimEnd()}\n\n${text(fog(p(4)), 5, 6)}`);
        book.remove(two);
        book.edit("book.yaml", `  - ${two}\n`, "");
        const at = { chapterId: book.one, blockId: book.id("q4") };
        replaceParagraph(book.own, at, { markdown: p(4).replace("it was", "the rain was") }, OWNER);
        const before = besides(book.kept());
        const { chapters } = await book[how]({ yes: true });
        assert.ok(chapters.some(({ status }) => status === "conflict"));
        for (let times = 0; times < 2; times++) await book[how]({ yes: true });
        await book[how]({ yes: true, force });
        assertSound(book.own.store);
        assert.deepEqual([...book.kept().keys()].sort(), [...before.keys()].sort());
        const { act } = await book[how]({ yes: true });
        if (how === "sync") assert.equal(act, null);
      });

  for (const options of MODES)
    it(`does not go with the file of the chapter where the manuscript has it ${JSON.stringify(options)}`, async (t) => {
      for (const force of ["incoming", "stored", undefined] as const) {
        const book = await started(t, options);
        move(book);
        const [one = "", two = "", three = ""] = book.files();
        carryOver(book, "q5", [two, one]);
        book.remove(three);
        const before = book.kept().get("q5");
        await book.sync({ yes: true, delete: true, ...(force && { force }) });
        assertSound(book.own.store);
        const { chapterId, ...q5 } = book.kept().get("q5") ?? {};
        assert.deepEqual({ ...q5, chapterId: before?.chapterId }, before);
        assert.equal(chapterId, force === "incoming" ? book.one : book.three);
        assert.equal(book.shown().files.join(" ").split("q5").length, 2);
        if (force === "incoming") assert.ok(!book.files().includes(three));
      }
    });

  it("is no copy that a file has of it later on", async (t) => {
    const book = await started(t, {});
    join(book);
    const [, two = "", three = ""] = book.files();
    book.remove(two);
    await book.sync({ yes: true, delete: true });
    book.write(three, `${book.read(three).trimEnd()}\n\n${p(5)}\n`);
    await book.sync({ yes: true, delete: true });
    assert.deepEqual(book.shown(), {
      book: ["One: q1 q2 q3 q4 q5 q6", "Three: q7 q8 q5"],
      files: ["01-one.md: q1 q2 q3 q4 q5 q6", "03-three.md: q7 q8 q5"],
    });
  });
});

describe("a paragraph whose chapter's file is gone", () => {
  /** All that the second file holds behind the third's, the second gone. */
  const joinFiles = (book: Started) => {
    const [, two = "", three = ""] = book.files();
    const blocks = book.read(two).trimEnd().split("\n\n").slice(-4);
    book.write(three, `${book.read(three).trimEnd()}\n\n${blocks.join("\n\n")}\n`);
    book.remove(two);
  };

  for (const options of MODES)
    it(`goes to the file that has it now with what the manuscript made of it ${JSON.stringify(options)}`, async (t) => {
      const book = await started(t, options);
      joinFiles(book);
      const rain = p(5).replace("it was", "the rain was");
      replaceParagraph(book.own, { chapterId: book.two, blockId: book.id("q5") }, { markdown: rain }, OWNER);
      const [before, file] = [book.kept(), dump(book.own.store)];
      const done = await book.sync({ yes: true });
      assertSound(book.own.store);
      const after = book.kept();
      for (const [key, { chapterId, ...kept }] of before) {
        const { chapterId: now, ...left } = after.get(key) ?? {};
        assert.deepEqual(left, kept);
        assert.equal(now, chapterId === book.two ? book.three : chapterId);
      }
      assert.match(book.shown().files[1] ?? "", /^03-three.md: q7 q8 q4 q5 rain q6$/);
      undoAct(book.own, String(done.act), OWNER);
      assert.deepEqual(dump(book.own.store), file);
    });

  for (const options of MODES)
    it(`stays where the folder has put it, when that is edited again ${JSON.stringify(options)}`, async (t) => {
      const book = await started(t, options);
      joinFiles(book);
      const rain = p(5).replace("it was", "the rain was");
      replaceParagraph(book.own, { chapterId: book.two, blockId: book.id("q5") }, { markdown: rain }, OWNER);
      await book.sync({ yes: true }); // what is left of the chapter stays, without a file
      const [one = "", three = ""] = book.files();
      const before = besides(book.kept());
      book.edit(three, "q7, before", "q7, long before");
      book.write(one, `${book.read(one)}\nAnother thing that nobody had said.\n`);
      await book.sync({ yes: true });
      assert.deepEqual(besides(book.kept()), before);
      // And it can go on from there.
      carryOver(book, "q5", [three, one]);
      await book.sync({ yes: true });
      const { chapterId, ...q5 } = before.get("q5") ?? {};
      assert.notEqual(chapterId, book.one);
      assert.deepEqual(besides(book.kept()).get("q5"), { ...q5, chapterId: book.one });
    });
});

describe("a paragraph that a file has put elsewhere and edited, while the manuscript edited it where it was", () => {
  for (const options of MODES)
    for (const force of [undefined, "incoming", "stored"] as const)
      it(`stands once, with its id and notes, as ${force ?? "nobody yet"} wants it ${JSON.stringify(options)}`, async (t) => {
        const book = await started(t, options);
        const [, two = "", three = ""] = book.files();
        carryOver(book, "q5", [two, three], (block) => block.replace("it was light", "the fog was light"));
        const { chapterId = "", blockId = "" } = book.kept().get("q5") ?? {};
        const at = { chapterId, blockId: blockId ?? "" };
        replaceParagraph(book.own, at, { markdown: p(5).replace("it was", "the rain was") }, OWNER);
        const before = book.kept();
        const { chapters } = await book.sync({ yes: true, force });
        const waits = chapters.filter(({ status }) => status === "conflict").map(({ file }) => file);
        assert.deepEqual(waits, force === undefined ? [two, three] : []);
        const now = book.kept();
        assert.equal(now.size, before.size);
        assert.equal(now.get("q5")?.blockId, blockId);
        assert.deepEqual(now.get("q5")?.notes, before.get("q5")?.notes);
        assert.match(now.get("q5")?.text ?? "", force === "incoming" ? /the fog/ : /the rain/);
        if (force === undefined) return;
        assert.equal(now.get("q5")?.chapterId, book.three);
        assert.equal(book.shown().files.join(" ").split("q5").length, 2);
        assert.equal((await book.sync({ yes: true })).act, null);
      });
});

describe("a paragraph that waits in the file it was put into", () => {
  const FROM = {
    "its file is there": (book: Started, [two = "", three = ""]: string[]) =>
      carryOver(book, "q5", [two, three], (block) => block.replace("it was light", "the fog was light")),
    "its file is gone": (book: Started, [two = "", three = ""]: string[]) => {
      const blocks = book.read(two).trimEnd().split("\n\n").slice(-3).join("\n\n");
      const said = blocks.replace("q5, before it was light", "q5, before the fog was light");
      book.write(three, `${book.read(three).trimEnd()}\n\n${said}\n`);
      book.remove(two);
    },
  };

  for (const [from, moveIn] of Object.entries(FROM))
    for (const how of ["sync", "import"] as const)
      for (const options of MODES)
        for (const force of ["incoming", "stored"] as const)
          it(`stands once as ${force} wants it, though that is edited again: ${from}, ${how} --delete ${JSON.stringify(options)}`, async (t) => {
            const book = await started(t, options);
            const [, two = "", three = ""] = book.files();
            moveIn(book, [two, three]);
            const at = { chapterId: book.two, blockId: book.id("q5") };
            replaceParagraph(book.own, at, { markdown: p(5).replace("it was", "the rain was") }, OWNER);
            const before = book.kept();
            const files = book.files();
            await book[how]({ yes: true, delete: true });
            assert.deepEqual([book.kept(), book.files()], [before, files]);
            book.edit(three, "q7, before", "q7, long before");
            await book[how]({ yes: true, delete: true, force });
            assertSound(book.own.store);
            const q5 = book.kept().get("q5");
            assert.match(q5?.text ?? "", force === "incoming" ? /the fog/ : /the rain/);
            assert.deepEqual(
              [q5?.chapterId, q5?.blockId, q5?.notes],
              [book.three, at.blockId, before.get("q5")?.notes],
            );
            assert.deepEqual([...book.kept().keys()].sort(), [...before.keys()].sort());
            if (how === "import") return;
            assert.equal(book.shown().files.join(" ").split("q5").length, 2);
            assert.equal((await book.sync({ yes: true, delete: true })).act, null);
          });

  for (const how of ["sync", "import"] as const)
    for (const force of ["incoming", "stored"] as const)
      it(`stands in the book until ${force} wins, though only another waits there: ${how} --delete`, async (t) => {
        const book = await started(t, {});
        const [, two = "", three = ""] = book.files();
        FROM["its file is gone"](book, [two, three]);
        book.edit(three, "q7, before it was", "q7, before the fog was");
        const at = { chapterId: book.three, blockId: book.id("q7") };
        replaceParagraph(book.own, at, { markdown: p(7).replace("it was", "the rain was") }, OWNER);
        const before = book.kept();
        await book[how]({ yes: true, delete: true });
        assert.deepEqual(book.kept(), before);
        await book[how]({ yes: true, delete: true, force });
        assertSound(book.own.store);
        const notesIn = (kept: Map<string, Kept>) =>
          [...kept].map(([key, { blockId, notes }]) => [key, blockId, notes]).sort();
        assert.deepEqual(notesIn(book.kept()), notesIn(before));
      });
});

describe("paragraphs cut into a new file, a line written in their place", () => {
  const rain = "It rained all day on the quay.";

  async function cutOut(t: TestContext, options: (typeof MODES)[number]) {
    const book = await started(t, options);
    const [, two = ""] = book.files();
    const [front = "", heading = "", ...rest] = book.read(two).trimEnd().split("\n\n");
    assert.equal(rest.length, 3);
    book.write(two, `${[front, heading, rain].join("\n\n")}\n`);
    book.write("025-new.md", `${rest.join("\n\n")}\n`);
    return { book, file: two };
  }

  for (const options of MODES)
    for (const force of [undefined, "incoming", "stored"] as const)
      it(`go there but for the one that the manuscript has deleted: ${force} ${JSON.stringify(options)}`, async (t) => {
        const { book } = await cutOut(t, options);
        const before = book.kept();
        const markdown = markdownOf(book.own, book.two).replace(`${p(5)}\n\n`, "");
        replaceProse(book.own, book.two, { markdown }, { ...OWNER, mentions: "keep" });
        const { chapters } = await book.sync({ yes: true, force });
        assert.deepEqual(
          chapters.filter(({ status }) => status === "conflict"),
          [],
        );
        const made = chapters.find(({ file }) => file === "025-new.md")?.id;
        const now = book.kept();
        for (const key of ["q4", "q6"]) {
          assert.deepEqual(
            [now.get(key)?.blockId, now.get(key)?.chapterId],
            [before.get(key)?.blockId, made],
          );
          assert.deepEqual(now.get(key)?.notes, before.get(key)?.notes);
        }
        assert.deepEqual([...now.keys()].sort(), [...before.keys()].filter((key) => key !== "q5").sort());
        assert.equal(book.shown().files.join(" ").includes("q5"), false);
        assert.equal((await book.sync({ yes: true })).act, null);
      });

  it("wait with their chapter for a conflict's end, and stand once until then", async (t) => {
    const { book, file } = await cutOut(t, {});
    const at = { chapterId: book.two, blockId: book.id("q6") };
    replaceParagraph(book.own, at, { markdown: p(6).replace("it was", "the rain was") }, OWNER);
    book.edit("025-new.md", "q6, before it was light", "q6, before the fog was light");
    const before = book.kept();
    const { chapters } = await book.sync({ yes: true });
    const waits = chapters.filter(({ status }) => status === "conflict").map((one) => one.file);
    assert.deepEqual(waits.sort(), [file, "025-new.md"].sort());
    assert.deepEqual(book.kept(), before);
    await book.sync({ yes: true, force: "stored" });
    assert.deepEqual([...book.kept().keys()].sort(), [...before.keys()].sort());
    assert.equal(book.kept().get("q6")?.blockId, before.get("q6")?.blockId);
    assert.match(book.kept().get("q6")?.text ?? "", /the rain/);
  });
});
