import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { checksumLine, readBundleText } from "../../src/files/bundle/bundle-shape.ts";
import { BadRequest } from "../../src/refusals.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { bundleShape } from "../../src/service/interchange/bundle.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { dump } from "../support/dump.ts";
import { MARKDOWN, OWNER, writeSample } from "../support/sample.ts";
import { seeded, suite } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";
import { fits } from "./fits.ts";
import { type Shell, shell } from "./shell.ts";

/** A manuscript with a mention, notes, a goal, an undone write, an import from a folder and a plan of its own. */
async function lived(t: Pick<TestContext, "after">): Promise<Shell> {
  const sh = shell(t);
  const path = join(sh.cwd, "old.manuscript");
  const opened = openManuscript(path, { create: true, random: seeded(7) });
  const { bookId, chapterId } = writeSample(opened);
  replaceProse(opened, chapterId, { markdown: MARKDOWN.replace("- lamp\n", "- oars\n") }, OWNER);
  const { act } = replaceProse(opened, chapterId, { markdown: "Gone.\n" }, OWNER);
  undoAct(opened, act ?? "", OWNER);
  opened.close();
  const old = ["--file", path] as const;
  await sh(...old, "export", bookId, "-o", "out");
  const [file] = (await sh(...old, "export", bookId, "-o", "out", "--json")).json<{
    chapters: { file: string }[];
  }>().chapters;
  const chapter = join(sh.cwd, "out", file?.file ?? "");
  writeFileSync(
    chapter,
    readFileSync(chapter, "utf8").replace("early", "late").replace("before light", "after dark"),
  );
  await sh(...old, "import", "out", "--book", bookId);
  await sh(
    ...old,
    "account",
    "set",
    "--allowance",
    "50",
    "--llm-url",
    "http://127.0.0.1:11434/v1",
    "--llm-model",
    "m",
  );
  return sh;
}

type Cells = (string | number | null)[];

const OUTSIDE = ["acts", "ids", "journal_entries", "revision_entries", "working_copies", "progress_entries"];

/** Everything that a bundle holds, revisions and counters too. */
function whole(path: string) {
  const { store, close } = openManuscript(path);
  try {
    return {
      ...dump(store),
      chapters: store.all("SELECT * FROM chapters ORDER BY id"),
      ...Object.fromEntries(
        OUTSIDE.map((table) => [
          table,
          store.all(`SELECT * FROM ${table} ORDER BY 1, 2`), // each has its number or its key first
        ]),
      ),
      account: store.all("SELECT * FROM settings WHERE name NOT IN ('writer', 'written at') ORDER BY name"),
    };
  } finally {
    close();
  }
}

describe("a bundle", () => {
  const scope = suite();
  after(scope.end);
  let sh: Shell;
  let bundle: string;
  before(async () => {
    sh = await lived(scope);
    fits(
      await sh("--file", "old.manuscript", "export", "-f", "json", "-o", "all.json", "--json"),
      "export -f json",
    );
    bundle = readFileSync(join(sh.cwd, "all.json"), "utf8");
  });
  let count = 0;
  /** A new, empty manuscript in the suite's folder. */
  async function empty(): Promise<string> {
    const name = `new${++count}.manuscript`;
    await sh("init", name);
    return name;
  }
  async function take(text: string, ...options: string[]) {
    return await takeInto(await empty(), text, ...options);
  }
  async function takeInto(name: string, text: string, ...options: string[]) {
    writeFileSync(join(sh.cwd, "given.json"), text);
    return { name, ran: await sh("--file", name, "import", "given.json", ...options) };
  }

  it("brings everything back: rows, journal, acts, revisions, working copies, days, plan", async () => {
    const { name, ran } = await take(bundle, "--json");
    const answer = fits(ran, "import FILE.json");
    assert.deepEqual([answer.books, answer.chapters, answer.written], [1, 2, true]);
    const [old, copy] = [whole(join(sh.cwd, "old.manuscript")), whole(join(sh.cwd, name))];
    assert.deepEqual(copy, old);
    assert.ok(
      ["mentions", "snippets", "goals", ...OUTSIDE].every(
        (table) => (copy as Record<string, unknown[]>)[table]!.length > 0,
      ),
    ); // the sample holds one of each
    const again = await sh("--file", name, "export", "-f", "json", "-o", "-");
    assert.equal(again.stdout, bundle);
    assert.equal((await sh("--file", name, "doctor")).exit, EXIT.done);
  });

  it("can be undone and walked back through as the manuscript it came from", async () => {
    const { name } = await take(bundle);
    const both = async (...argv: string[]) => [
      (await sh("--file", "twin.manuscript", ...argv)).stdout,
      (await sh("--file", name, ...argv)).stdout,
    ];
    writeFileSync(join(sh.cwd, "twin.manuscript"), readFileSync(join(sh.cwd, "old.manuscript")));
    for (const argv of [
      ["history"],
      ["history", "1"],
      ["show", "1", "--revision", "1"],
      ["diff", "1", "1"],
    ]) {
      const [old, copy] = await both(...argv);
      assert.notEqual(copy, "");
      assert.equal(copy, old, argv.join(" "));
    }
    for (let step = 0; step < 4; step++) {
      const [old, copy] = await both("undo");
      assert.equal(copy, old);
      const rows = [join(sh.cwd, "twin.manuscript"), join(sh.cwd, name)].map((path) => {
        const { store, close } = openManuscript(path);
        const dumped = dump(store);
        close();
        return dumped;
      });
      assert.deepEqual(rows[1], rows[0]);
    }
    assert.equal((await sh("--file", name, "doctor")).exit, EXIT.done);
  });

  it("is seen at once by a program that has the empty file open, and what that one writes is journalled", async () => {
    const name = await empty();
    const other = openManuscript(join(sh.cwd, name));
    writeFileSync(join(sh.cwd, "given.json"), bundle);
    assert.equal((await sh("--file", name, "import", "given.json")).exit, EXIT.done);
    const [book] = listBooks(other).books;
    assert.equal(book?.title, "The Ferry Book");
    const { chapters } = JSON.parse(readOutline(other, book?.id ?? "").body.toString());
    const before = dump(other.store);
    const { act } = replaceProse(other, chapters[0].id, { markdown: "Anew.\n" }, OWNER);
    assert.notDeepEqual(dump(other.store), before);
    undoAct(other, act ?? "", OWNER);
    assert.deepEqual(dump(other.store), before);
    assertSound(other.store);
    other.close();
  });

  it("comes back into a folder's import as the same manuscript: nothing to merge", async () => {
    const { name } = await take(bundle);
    await sh("--file", name, "export", "-o", "out");
    const { exit, stdout } = await sh(
      "--file",
      name,
      "import",
      "out",
      "--book",
      "1",
      "--dry-run",
      "--exit-code",
    );
    assert.equal(exit, EXIT.done, stdout);
  });

  it("holds no key, ledger or name of the file, and is for its owner's eyes", async () => {
    await sh("--file", "old.manuscript", "key", "create", "--name", "secret-key");
    await sh("--file", "old.manuscript", "account", "set", "--credits", "5");
    assert.equal((await sh("--file", "old.manuscript", "export", "-f", "json", "-o", "-")).stdout, bundle);
    if (process.platform !== "win32") assert.equal(statSync(join(sh.cwd, "all.json")).mode & 0o777, 0o600);
  });

  it("leaves a model elsewhere out: consent was given to one file", async () => {
    const name = await empty();
    await sh(
      "--file",
      name,
      "account",
      "set",
      "--llm-url",
      "https://elsewhere.example/v1",
      "--llm-model",
      "m",
      "--llm-allow-remote",
    );
    const { stdout } = await sh("--file", name, "export", "-f", "json", "-o", "-");
    assert.equal(JSON.parse(stdout).settings.llm, null);
  });

  it("is taken into an empty manuscript alone, and a dry run writes nothing", async () => {
    const { name, ran } = await take(bundle, "--dry-run");
    assert.equal(ran.exit, EXIT.done, ran.stderr);
    assert.match(ran.stderr, /Dry run/);
    assert.equal((await sh("--file", name, "history")).stdout, "Nothing has been written yet.\n");
    const old = whole(join(sh.cwd, "old.manuscript"));
    const refused = await sh("--file", "old.manuscript", "import", "given.json");
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.match(refused.stderr, /manuscript init NEW\.manuscript/);
    assert.deepEqual(whole(join(sh.cwd, "old.manuscript")), old);
    const emptied = await empty();
    await sh.with({ stdin: "Text.\n" })("--file", emptied, "import", "-", "--title", "T");
    await sh("--file", emptied, "undo");
    assert.equal((await sh("--file", emptied, "import", "given.json")).exit, EXIT.wouldLose);
  });

  it("is refused where it is cut off, of a newer version or something else", async () => {
    const name = await empty();
    const blank = whole(join(sh.cwd, name));
    for (const [text, why] of [
      ...[0.1, 0.5, 0.99].map((share) => [bundle.slice(0, bundle.length * share), /is not whole/] as const),
      [bundle.replace(/"version":\d+/, '"version":1000'), /newer version/],
      ["{}", /is not a bundle/],
      ["[]", /is not a bundle/],
      ["", /is not whole/],
    ] as const) {
      const { ran } = await takeInto(name, text);
      assert.equal(ran.exit, EXIT.usage, ran.stderr);
      assert.match(ran.stderr, why);
      assert.deepEqual(whole(join(sh.cwd, name)), blank);
    }
  });

  it("is refused where it was edited into something that does not fit together, and changes nothing", async () => {
    type Tables = Record<string, { columns: string[]; rows: Cells[] }>;
    const set =
      (table: string, column: string, value: (old: unknown) => unknown, row = 0) =>
      (tables: Tables) => {
        const { columns, rows } = tables[table]!; // a bundle has every table
        const cells = rows.at(row)!; // the sample holds one of each
        const at = columns.indexOf(column);
        cells[at] = value(cells[at]) as string;
      };
    const drop =
      (table: string, row = 0) =>
      (tables: Tables) =>
        tables[table]!.rows.splice(row, 1); // as above
    const edits: [string, (tables: Tables) => unknown][] = [
      ["a row gone", drop("blocks")],
      ["a leaf gone", drop("leaves")],
      ["a fact gone", drop("facts")],
      ["an act gone", drop("acts")],
      ["the newest act gone", drop("acts", -1)],
      ["a journal entry gone", drop("journal_entries")],
      [
        "a column in the journal that no table has",
        ({ journal_entries }) => rewrite(journal_entries!, /"synopsis":/, '"synopsis\\" = 1; --":'), // as above
      ],
      [
        "a list in the journal",
        ({ journal_entries }) => rewrite(journal_entries!, /"synopsis":"[^"]*"/, '"synopsis":[1]'),
      ], // as above
      ["a row twice", ({ mentions }) => mentions!.rows.push(mentions!.rows[0]!)], // as above
      ["another source", set("blocks", "source", (old) => `${old} and more`)],
      ["another node", set("blocks", "node", (old) => String(old).replace(/"text":"/, '"text":"More '))],
      ["a node that is none", set("blocks", "node", () => "[]")],
      ["not JSON", set("facts", "aliases", () => "[")],
      ["another count", set("chapters", "word_count", (old) => Number(old) + 1)],
      ["another revision", set("chapters", "revision", (old) => Number(old) + 1)],
      ["another mention", set("mentions", "text", () => "Nobody")],
      ["a status that is none", set("chapters", "status", () => "burnt")],
      ["a number for a text", set("books", "title", () => 4)],
      ["a text for a number", set("books", "created_at", () => "today")],
      ["null where there is none", set("books", "title", () => null)],
      ["half a character", set("books", "title", () => "\ud800")],
      ["a cell less", ({ books }) => books!.rows[0]!.pop()], // as above
      ["a column of another name", ({ books }) => books!.columns.splice(0, 1, "name")], // as above
      ["a table less", (tables) => delete tables.progress_entries],
      ["a table more", (tables) => Object.assign(tables, { keys: { columns: [], rows: [] } })],
    ];
    const name = await empty();
    const blank = whole(join(sh.cwd, name));
    for (const [what, edit] of edits) {
      const { sha256: _, ...value } = JSON.parse(bundle) as { tables: Tables; sha256: string };
      edit(value.tables);
      const text = JSON.stringify(value).slice(0, -1);
      const { ran } = await takeInto(name, text + checksumLine(hash("sha256", text)));
      assert.equal(ran.exit, EXIT.usage, `${what}: ${ran.stdout}${ran.stderr}`);
      assert.match(ran.stderr, /Nothing was written/, what);
      assert.deepEqual(whole(join(sh.cwd, name)), blank, what); // opening it asserts that every trigger is back
    }
  });

  it("is refused where one character is another than was written", () => {
    const opened = openManuscript(join(sh.cwd, "old.manuscript"));
    const shape = bundleShape(opened);
    opened.close();
    assert.ok(readBundleText(bundle, shape, "all.json"));
    const taken = Array.from({ length: 50 }, (_, index) => {
      const at = Math.floor(((index + 0.5) * bundle.length) / 50);
      const other = bundle[at] === "0" ? "1" : "0";
      return bundle.slice(0, at) + other + bundle.slice(at + 1);
    }).filter((text) => {
      try {
        return readBundleText(text, shape, "all.json");
      } catch (error) {
        assert.ok(error instanceof BadRequest);
        return false;
      }
    });
    assert.equal(taken.length, 0);
  });

  it("refuses options that mean a book, and never overwrites by itself", async () => {
    const name = await empty();
    for (const argv of [
      ["import", "all.json", "--book", "1"],
      ["import", "all.json", "--title", "T"],
      ["export", "1", "-f", "json"],
      ["export", "-f", "json", "--plain"],
    ]) {
      assert.equal((await sh("--file", name, ...argv)).exit, EXIT.usage, argv.join(" "));
    }
    assert.equal((await sh("--file", name, "export", "-f", "json", "-o", "all.json")).exit, EXIT.wouldLose);
    assert.equal(readFileSync(join(sh.cwd, "all.json"), "utf8"), bundle);
    assert.equal(
      (await sh("--file", "old.manuscript", "export", "-f", "json", "-o", "all.json")).exit,
      EXIT.done,
    );
    assert.equal((await sh("--file", name, "export", "-f", "json")).exit, EXIT.done);
    assert.ok(existsSync(join(sh.cwd, name.replace(".manuscript", ".json"))));
    assert.equal((await sh("--file", name, "import", "none.json")).exit, EXIT.notFound);
  });
});

/** Rewrites the first entry of the journal that holds such a text. */
function rewrite({ columns, rows }: { columns: string[]; rows: Cells[] }, what: RegExp, by: string): void {
  const at = columns.indexOf("before");
  const row = rows.find((cells) => what.test(String(cells[at])));
  assert.ok(row, `the sample's journal holds no ${what}`);
  row[at] = String(row[at]).replace(what, by);
}
