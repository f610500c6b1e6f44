import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { ENDPOINTS } from "../../src/contract/index.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { dump } from "../support/dump.ts";
import { type Ran, type Shell, withBook } from "./shell.ts";

/** The short book, and another of two chapters that came in by one import: the newest act. */
async function withImport(t: TestContext) {
  const sh = await withBook(t);
  const stdin = "# One\n\nFirst.\n\n# Two\n\nSecond.\n";
  const { act } = (
    await sh.with({ stdin })("import", "-", "--split", "1", "--title", "Pair", "--json")
  ).json();
  return { sh, act: String(act), books: async () => (await sh("books", "--json")).json().total };
}

/** What the file says, without its history. */
function contents(sh: Shell) {
  const opened = openManuscript(`${sh.cwd}/book.manuscript`);
  const { books, parts, chapters, facts, snippets } = dump(opened.store) as Record<string, unknown>;
  opened.close();
  return { books, parts, chapters, facts, snippets };
}

async function acted(sh: Shell, ...line: string[]): Promise<string> {
  return String((await sh(...line, "--json")).json().act);
}

describe("a bare undo of more than one chapter", () => {
  it("is refused without a terminal, with what to run; --yes, the act's own name and a dry run are not", async (t) => {
    const { sh, act, books } = await withImport(t);
    const refused = await sh("undo");
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.match(
      refused.stderr,
      /take back act_\w+: imported the book, 1 book: “Pair”; 2 chapters: “One”, “Two” \(.*\)\. Nothing was taken back; .*"manuscript undo act_\w+", or add --yes/,
    );
    assert.equal((await sh("undo", "--json")).json().error, "would_lose");
    assert.equal((await sh("undo", "--dry-run")).exit, EXIT.done);
    assert.equal(await books(), 2);
    const undone = await sh("undo", "--yes");
    assert.equal(undone.exit, EXIT.done);
    assert.equal(await books(), 1);
    assert.match(undone.stderr, /^Redo it with: manuscript undo act_\w+\n$/);
    await sh(...undone.stderr.trim().split(" ").slice(-2));
    assert.equal(await books(), 2);
    assert.equal((await sh("undo", act)).exit, EXIT.done);
    assert.equal(await books(), 1);
  });

  it("names the act and asks on a terminal; no answer and no are no", async (t) => {
    const { sh, books } = await withImport(t);
    for (const stdin of ["\n", "n\n", "", "yellow\n"]) {
      const declined = await sh.with({ isAsked: true, stdin })("undo");
      assert.equal(declined.exit, EXIT.wouldLose);
      assert.match(
        declined.stderr,
        /^Take back act_\w+: imported the book, 1 book: “Pair”; 2 chapters: “One”, “Two” \(.*\)\? \[y\/N\] .*Nothing was taken back/s,
      );
      assert.equal(await books(), 2);
    }
    assert.equal((await sh.with({ isAsked: true, stdin: "y\n" })("undo")).exit, EXIT.done);
    assert.equal(await books(), 1);
  });

  it("is what goes through unasked if it is smaller, on a terminal too", async (t) => {
    const sh = await withBook(t);
    await sh("status", "1", "done");
    const { stdout, stderr } = await sh.with({ isAsked: true })("undo");
    assert.match(stdout, /^Undone: set the status, 1 chapter: “The Ferry” \(.*\), act_\w+\n$/);
    assert.doesNotMatch(stderr, /Take back/);
  });
});

describe("undo after an undo", () => {
  it("goes one further back, and says how to redo both", async (t) => {
    const sh = await withBook(t);
    await sh("status", "1", "done");
    const last = await acted(sh, "synopsis", "1", "Late.");
    const first = await sh("undo", "--json");
    const again = await sh("undo");
    assert.match(again.stdout, /set the status/);
    assert.match(
      again.stderr,
      new RegExp(
        `^Redo it with: .*\\nRedo what was undone before with: manuscript undo ${first.json().act}\\n$`,
      ),
    );
    assert.equal((await sh("show", "1", "--json")).json().status, "draft");
    await sh("undo", String(first.json().act));
    assert.equal((await sh("synopsis", "1")).stdout, "Late.\n");
    assert.equal((await sh("undo", last)).exit, EXIT.done);
  });

  it("with nothing left says how to redo", async (t) => {
    const sh = await withBook(t);
    while ((await sh("undo", "--yes")).exit === EXIT.done);
    const { exit, stderr } = await sh("undo");
    assert.equal(exit, EXIT.notFound);
    assert.match(stderr, /nothing left to undo; "manuscript undo act_\w+" redoes what was undone last/);
  });
});

const undone = (ran: Ran) => ENDPOINTS.undoActs.answer.strict().parse(ran.json());

describe("undo --since", () => {
  it("takes back an act and all after it, newest first, and one line redoes it", async (t) => {
    const sh = await withBook(t);
    const before = contents(sh);
    const first = await acted(sh, "replace", "1", "ferry", "boat", "--apply");
    const old = await acted(sh, "facts", "add", "Tobit");
    await sh("replace", "1", "boat", "barge", "--apply");
    await sh("undo", old);
    await sh("notes", "add", "1", "Dark?", "--chapter", "1");
    const after = contents(sh);
    const dry = undone(await sh("undo", "--since", first, "--dry-run", "--json"));
    assert.deepEqual([dry.acts, contents(sh)], [[], after]);
    assert.match(
      (await sh("undo", "--since", first, "--dry-run")).stdout,
      /^Would undo 3 acts, newest first\n/,
    );
    const done = await sh("undo", "--since", first);
    assert.match(
      done.stdout,
      /^Undone: 3 acts, newest first\nact_\w+ .*added a note .*\n.* 2 × replaced words .* since act_\w+\n$/,
    );
    assert.deepEqual(strip(contents(sh)), strip(before));
    const redo = done.stderr.trim().split(" ").slice(-3);
    assert.equal((await sh(...redo)).exit, EXIT.done);
    assert.deepEqual(strip(contents(sh)), strip(after));
  });

  it("brings back what was undone since, and counts an act and its undo as nothing", async (t) => {
    const sh = await withBook(t);
    const old = await acted(sh, "status", "1", "done");
    const first = await acted(sh, "synopsis", "1", "Late.");
    await sh("undo", old);
    await sh("undo", first);
    assert.equal(undone(await sh("undo", "--since", first, "--json")).undone.length, 1);
    assert.equal((await sh("show", "1", "--json")).json().status, "done");
    assert.equal((await sh("synopsis", "1")).stdout, "\n");
  });

  it("asks before more than one chapter, and takes a time as history shows it", async (t) => {
    const { sh, books } = await withImport(t);
    // Of the oldest act: a minute may have begun since.
    const shown = (await sh("history")).stdout.matchAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d)/g);
    const [, day = "", time = ""] = [...shown].at(-1) ?? [];
    const refused = await sh("undo", "--since", `${day} ${time}`);
    assert.equal(refused.exit, EXIT.wouldLose);
    assert.match(refused.stderr, /take back \d acts on \d chapters\. Nothing was taken back; .*add --yes/);
    const asked = await sh.with({ isAsked: true, stdin: "y\n" })("undo", "--since", day);
    assert.equal(asked.exit, EXIT.done, asked.stderr);
    assert.equal(await books(), 0);
    assert.equal((await sh("undo", "--since", "2h")).exit, EXIT.notFound, "it is all undone");
    assert.equal((await sh("undo", "--since", "2099-01-01")).exit, EXIT.notFound);
    assert.equal((await sh("undo", "--since", "2099-02-30")).exit, EXIT.usage);
    assert.equal((await sh("undo", "--since", "2099-02-30 10:00")).exit, EXIT.usage);
    for (const bad of ["yesterday", "25:99", "2027-13-45", ""])
      assert.equal((await sh("undo", "--since", bad)).exit, EXIT.usage, bad);
    assert.equal((await sh("undo", "--since", "act_none")).exit, EXIT.notFound);
    assert.equal((await sh("undo", "act_x", "--since", "2h")).exit, EXIT.usage);
  });

  it("is all or nothing", async (t) => {
    const sh = await withBook(t);
    const first = await acted(sh, "status", "1", "done");
    await sh("status", "1", "revising");
    await sh("account", "set", "--subscription", "off");
    const before = contents(sh);
    assert.equal((await sh("undo", "--since", first)).exit, EXIT.account);
    assert.deepEqual(contents(sh), before);
  });
});

describe("a refused undo", () => {
  it("names the later acts, newest first, with their commands, which lead to it", async (t) => {
    const sh = await withBook(t);
    const first = await acted(sh, "status", "1", "done");
    const second = await acted(sh, "status", "1", "revising");
    const third = await acted(sh, "status", "1", "draft");
    await sh("status", "2", "done");
    const { exit, stderr } = await sh("undo", first);
    assert.equal(exit, EXIT.conflict);
    assert.deepEqual(
      [
        ...stderr.matchAll(/^ {2}manuscript undo (act_\w+) {2}# set the status, .*: “The Ferry” \(.*\)$/gm),
      ].map(([, id]) => id),
      [third, second],
    );
    assert.match(stderr, new RegExp(`manuscript undo --since ${first}`));
    const body = (await sh("undo", first, "--json")).json<{ later: string[]; message: string }>();
    assert.deepEqual(body.later, [third, second]);
    assert.match(body.message, new RegExp(`in this order: ${third}, ${second}\\.$`));
    for (const act of [third, second, first]) assert.equal((await sh("undo", act)).exit, EXIT.done);
  });

  it("names the write that took a deleted note's paragraph away", async (t) => {
    const sh = await withBook(t);
    const { doc } = (await sh("show", "2", "--format", "doc", "--json")).json<{
      doc: { content: { attrs: { blockId: string } }[] };
    }>();
    const block = String(doc.content[1]?.attrs.blockId);
    const { id } = (await sh("notes", "add", "1", "Dark?", "--block", block, "--json")).json();
    const gone = await acted(sh, "notes", "delete", String(id));
    const chapter = String((await sh("show", "2", "--json")).json().id);
    const rewrite = await sh.with({ stdin: "All else.\n" })(
      "api",
      "PUT",
      `/chapters/${chapter}/prose`,
      "--input",
      "-",
    );
    const refused = (await sh("undo", gone, "--json")).json<{ later: string[] }>();
    assert.deepEqual(refused.later, [rewrite.json().act]);
  });
});

/** Without what every write moves: revisions, versions and times. */
function strip(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (/revision|version|_at$|rank/.test(key) ? undefined : inner)),
  );
}
