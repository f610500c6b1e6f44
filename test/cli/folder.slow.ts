import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { type Ran, shell } from "./shell.ts";

/** A book in two parts, exported into `out/`. */
async function inParts(t: TestContext) {
  const sh = shell(t);
  await sh("init", "book.manuscript");
  mkdirSync(`${sh.cwd}/in`);
  const put = (name: string, text: string) => writeFileSync(`${sh.cwd}/${name}`, text);
  const book = { title: "The Sea", goal: { targetWords: 900 }, parts: ["Shore", "Deep"] };
  const chapters = [
    { file: "1.md", part: null },
    { file: "2.md", part: "Shore" },
    { file: "3.md", part: "Shore" },
    { file: "4.md", part: "Deep" },
  ];
  put("in/book.json", JSON.stringify({ ...book, chapters }));
  for (const [index, word] of ["Calm", "Wind", "Rain", "Storm"].entries()) {
    put(`in/${index + 1}.md`, `# ${word}\n\nThere was ${word.toLowerCase()} on the sea that day.\n`);
  }
  const { stdout } = await sh("import", "in", "--json");
  // Chapters that the API made have no file of their own: so the export names all.
  const { chapters: made } = JSON.parse(stdout) as { chapters: { id: string }[] };
  await sh("export", "1", "-o", "out");
  const at = (name: string) => `${sh.cwd}/${name}`;
  return {
    sh,
    ids: made.map(({ id }) => id),
    read: (name: string) => readFileSync(at(name), "utf8"),
    edit: (name: string, from: string | RegExp, to: string) => {
      const text = readFileSync(at(name), "utf8");
      assert.notEqual(text.replace(from, to), text, `${from} is in ${name}`);
      writeFileSync(at(name), text.replace(from, to));
    },
    put,
    at,
    titles: async () =>
      (await sh("outline", "1", "--json"))
        .json<{ chapters: { title: string }[] }>()
        .chapters.map(({ title }) => title),
    patch: (path: string, body: object) =>
      sh.with({ stdin: JSON.stringify(body) })("api", "PATCH", path, "--input", "-"),
    take: async (...flags: string[]) => fits(await sh("import", "out", "--json", ...flags), "import"),
  };
}

const conflictsOf = (ran: Ran) => ran.json<{ book: { conflicts: string[] } }>().book.conflicts;

/** What a folder and those below it show, hidden files apart. */
const seen = (path: string) =>
  (readdirSync(path, { recursive: true }) as string[]).filter((file) => !file.startsWith(".")).toSorted();

describe("an exported folder", () => {
  it("is byte-identical when it is written twice, and all the same when it is read", async (t) => {
    const { sh, take } = await inParts(t);
    await sh("export", "1", "-o", "other");
    const files = ["1.md", "2.md", "3.md", "4.md", "book.yaml"];
    assert.deepEqual(seen(`${sh.cwd}/out`), files);
    for (const file of files) {
      assert.equal(
        readFileSync(`${sh.cwd}/out/${file}`, "utf8"),
        readFileSync(`${sh.cwd}/other/${file}`, "utf8"),
      );
    }
    const acts = async () => (await sh("history", "--json")).json<{ total: number }>().total;
    const before = await acts();
    const { book, chapters, act } = await take();
    assert.deepEqual([act, await acts()], [null, before], "what changes nothing is no act");
    assert.equal(book.status, "same");
    assert.ok(chapters.every(({ status }) => status === "same"));
  });

  it("goes back into its own book without being told which, and into a new one by --title", async (t) => {
    const { sh, ids, take } = await inParts(t);
    assert.deepEqual(
      (await take()).chapters.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(
      (await take("--title", "Copy")).chapters.filter(({ id }) => ids.includes(id)),
      [],
    );
    const again = fits(await sh("import", "in", "--json"), "import");
    assert.deepEqual(
      again.chapters.map(({ id }) => id),
      ids,
      "a folder that was imported is known as well",
    );
    const { books } = (await sh("books", "--json")).json<{ books: object[] }>();
    assert.equal(books.length, 2);
  });

  it("takes title, goal, order and part titles from book.yaml, three ways", async (t) => {
    const { sh, read, edit, take, titles, patch } = await inParts(t);
    const { bookId } = await take();
    edit("out/book.yaml", /title: The Sea/, "title: The Wide Sea # at last");
    edit("out/book.yaml", /targetWords: 900/, "targetWords: 1200");
    edit("out/book.yaml", /( {2}- 1\.md\n)([\s\S]*)$/, "$2$1");
    const dry = await take("--dry-run");
    const done = await take();
    assert.deepEqual(dry.book, done.book);
    assert.deepEqual(done.book, { status: "updated", fields: ["title", "goal", "order"], conflicts: [] });
    assert.deepEqual(await titles(), ["Wind", "Rain", "Storm", "Calm"]);
    assert.equal((await take()).book.status, "same");
    await patch(`/books/${bookId}`, { title: "Theirs" });
    const left = await take();
    assert.deepEqual([left.book.status, left.title], ["left", "Theirs"]);
    edit("out/book.yaml", "The Wide Sea", "Mine");
    const ran = await sh("import", "out", "--json");
    assert.equal(ran.exit, EXIT.conflict);
    assert.deepEqual(conflictsOf(ran), ["title"]);
    assert.match(ran.stderr, /both changed the book's title/);
    assert.equal((await take("--force", "mine")).title, "Mine");
    assert.equal((await sh("sync", "out")).exit, EXIT.done);
    assert.match(read("out/book.yaml"), /title: Mine # at last/);
  });

  it("keeps the order of the side that changed it, and reports two that differ", async (t) => {
    const { sh, ids, edit, take, titles, patch } = await inParts(t);
    await patch(`/chapters/${ids[3]}`, { position: 1 });
    assert.equal((await take()).book.status, "left");
    assert.deepEqual(await titles(), ["Storm", "Calm", "Wind", "Rain"]);
    edit("out/book.yaml", /( {2}- 1\.md\n)([\s\S]*)$/, "$2$1");
    const ran = await sh("import", "out", "--json");
    assert.deepEqual([ran.exit, conflictsOf(ran)], [EXIT.conflict, ["order"]]);
    assert.deepEqual(await titles(), ["Storm", "Calm", "Wind", "Rain"]);
  });

  it("brings chapters in step also while both sides' title of the book waits for a decision", async (t) => {
    const { sh, ids, read, edit, patch, put, titles } = await inParts(t);
    await sh("export", "1", "-o", "bare", "--plain");
    const { bookId } = fits(await sh("sync", "bare", "--json"), "sync");
    edit("bare/book.yaml", "title: The Sea", "title: Mine");
    await patch(`/books/${bookId}`, { title: "Theirs" });
    await patch(`/chapters/${ids[1]}`, { title: "Gale" });
    put("new.md", "# New\n\nText.\n");
    await sh("import", "new.md", "--book", "1");
    for (let count = 0; count < 2; count++) {
      assert.equal((await sh("sync", "bare")).exit, EXIT.conflict);
      assert.deepEqual(await titles(), ["Calm", "Gale", "Rain", "Storm", "New"]);
    }
    assert.match(read("bare/book.yaml"), /title: Mine\n[\s\S]*title: Gale\n/);
    assert.equal((await sh("sync", "bare", "--force", "theirs")).exit, EXIT.done);
    assert.match(read("bare/book.yaml"), /title: Theirs\n/);
    assert.equal((await sh("sync", "bare", "--exit-code")).exit, EXIT.done);
  });

  it("takes the goal away where the list has dropped it, and only there", async (t) => {
    const { sh, edit, take } = await inParts(t);
    await take();
    edit("out/book.yaml", /goal:\n(?: .*\n)*/, "");
    assert.deepEqual((await take()).book.fields, ["goal"]);
    assert.equal((await sh("outline", "1", "--json")).json<{ goal: unknown }>().goal, null);
  });
});

describe("files of parts", () => {
  const IN_FOLDERS = [
    "01-calm.md",
    "01-shore",
    "01-shore/02-wind.md",
    "01-shore/03-rain.md",
    "02-deep",
    "02-deep/04-storm.md",
    "book.yaml",
  ];

  /** The same book as the API makes it, whose chapters come from no file. */
  async function inFolders(t: TestContext) {
    const set = await inParts(t);
    await set.sh("init", "second.manuscript");
    const other = (...argv: string[]) => set.sh("--file", "second.manuscript", ...argv);
    const post = async (path: string, body: object) => {
      const sh = set.sh.with({ stdin: JSON.stringify(body) });
      const ran = await sh("--file", "second.manuscript", "api", "POST", path, "--input", "-");
      return ran.json<{ id: string }>().id;
    };
    const bookId = await post("/books", { title: "The Sea" });
    for (const [part, titles] of Object.entries({ "": ["Calm"], Shore: ["Wind", "Rain"], Deep: ["Storm"] })) {
      const partId = part === "" ? undefined : await post(`/books/${bookId}/parts`, { title: part });
      for (const title of titles) {
        const markdown = `# ${title}\n\nThere was ${title.toLowerCase()} on the sea that day.\n`;
        await post(`/books/${bookId}/chapters`, { title, markdown, ...(partId && { partId }) });
      }
    }
    assert.equal((await other("export", "The Sea", "-o", "parts")).exit, EXIT.done);
    return { ...set, other };
  }

  it("are in a folder for each part; a file moved to another folder moves its chapter", async (t) => {
    const { other, at, read } = await inFolders(t);
    assert.deepEqual(seen(at("parts")), IN_FOLDERS);
    assert.match(read("parts/book.yaml"), / {2}- title: Shore\n {4}folder: 01-shore\n/);
    renameSync(at("parts/01-shore/03-rain.md"), at("parts/02-deep/03-rain.md"));
    const moved = fits(await other("import", "parts", "--json"), "import");
    assert.deepEqual(moved.chapters.map(({ file, status }) => `${file} ${status}`).toSorted(), [
      "01-calm.md same",
      "01-shore/02-wind.md same",
      "02-deep/03-rain.md updated",
      "02-deep/04-storm.md same",
    ]);
    const { parts } = (await other("outline", "The Sea", "--json")).json<{
      parts: { title: string; chapterIds: string[] }[];
    }>();
    assert.deepEqual(
      parts.map(({ title, chapterIds }) => [title, chapterIds.length]),
      [
        ["Shore", 1],
        ["Deep", 2],
      ],
    );
    assert.equal((await other("sync", "parts", "--exit-code")).exit, EXIT.failed, "book.yaml follows");
    assert.equal((await other("sync", "parts", "--exit-code")).exit, EXIT.done);
    assert.deepEqual(readdirSync(at("parts/01-shore")), ["02-wind.md"]);
  });

  it("a part renamed in the list is renamed, and its folder stays", async (t) => {
    const { other, edit, at } = await inFolders(t);
    edit("parts/book.yaml", "title: Deep", "title: The Deep");
    const { book, chapters } = fits(await other("import", "parts", "--json"), "import");
    assert.deepEqual(book.fields, ["part The Deep"]);
    assert.ok(chapters.every(({ status }) => status === "same"));
    assert.equal((await other("export", "The Sea", "-o", "parts")).exit, EXIT.done);
    assert.ok(existsSync(at("parts/02-deep/04-storm.md")));
  });

  it("one file of a part is that chapter of that book", async (t) => {
    const { other, edit } = await inFolders(t);
    edit("parts/02-deep/04-storm.md", "that day", "that night");
    const { chapters } = fits(await other("import", "parts/02-deep/04-storm.md", "--json"), "import");
    assert.deepEqual(
      chapters.map(({ title, status }) => [title, status]),
      [["Storm", "updated"]],
    );
    const again = fits(await other("import", "parts", "--json"), "import");
    assert.ok(again.chapters.every(({ status }) => status === "same"));
  });

  it("keep their names when chapters come and go before them", async (t) => {
    const { sh, other, at, put } = await inFolders(t);
    put("new.md", "# New\n\nFirst of all.\n");
    await other("import", "new.md", "--book", "The Sea");
    const { chapters } = (await other("outline", "The Sea", "--json")).json<{ chapters: { id: string }[] }>();
    const last = chapters.at(-1)?.id;
    await sh.with({ stdin: '{"position":1}' })(
      "--file",
      "second.manuscript",
      "api",
      "PATCH",
      `/chapters/${last}`,
      "--input",
      "-",
    );
    assert.equal((await other("export", "The Sea", "-o", "parts")).exit, EXIT.done);
    assert.deepEqual(seen(at("parts")), [...IN_FOLDERS, "new.md"]);
  });
});

describe("a chapter that the manuscript has deleted", () => {
  it("is not made again of its old file, but of one that was edited", async (t) => {
    const { sh, ids, edit, at } = await inParts(t);
    await sh("api", "DELETE", `/chapters/${ids[1]}`);
    const { deleted, chapters } = fits(await sh("import", "out", "--json"), "import");
    assert.deepEqual(deleted, [{ id: ids[1], file: "2.md" }]);
    assert.equal(chapters.length, 3);
    const kept = fits(await sh("sync", "out", "--json"), "sync");
    assert.ok(kept.files.some(({ file, status }) => file === "2.md" && status === "orphaned"));
    edit("out/2.md", "that day", "that night");
    assert.equal(
      fits(await sh("import", "out", "--dry-run", "--json"), "import").chapters[1]?.status,
      "created",
    );
    edit("out/2.md", "that night", "that day");
    const gone = fits(await sh("sync", "out", "--delete", "--json"), "sync");
    assert.ok(gone.files.some(({ file, status }) => file === "2.md" && status === "removed"));
    assert.ok(!existsSync(at("out/2.md")));
    await sh("undo");
  });

  it("comes back with --force mine", async (t) => {
    const { sh, ids } = await inParts(t);
    await sh("api", "DELETE", `/chapters/${ids[1]}`);
    const { chapters } = fits(await sh("import", "out", "--force", "mine", "--json"), "import");
    assert.deepEqual(
      chapters.map(({ status }) => status),
      ["same", "created", "same", "same"],
    );
  });
});

describe("a copy of an exported folder elsewhere", () => {
  it("that is stale brings nothing old back, neither prose nor fields", async (t) => {
    const { sh, ids, at, titles, patch } = await inParts(t);
    cpSync(at("out"), at("copy"), { recursive: true });
    await sh("synopsis", String(ids[0]), "Calm before.");
    await patch(`/chapters/${ids[1]}`, { title: "Gale" });
    await sh("replace", "1", "rain", "drizzle", "--apply");
    const { chapters } = fits(await sh("import", "copy", "--json"), "import");
    assert.deepEqual(
      chapters.map(({ status }) => status).filter((status) => status !== "same" && status !== "left"),
      [],
    );
    assert.match((await sh("show", String(ids[2]))).stdout, /drizzle/);
    assert.deepEqual(await titles(), ["Calm", "Gale", "Drizzle", "Storm"], "a title follows its heading");
  });
});
