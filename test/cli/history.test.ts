import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { withBook } from "./shell.ts";

describe("history", () => {
  it("is newest first, names chapters and facts, also those that are gone, and groups runs", async (t) => {
    const sh = await withBook(t);
    await sh("facts", "add", "Tobit");
    await sh("facts", "delete", "Tobit");
    for (const value of ["done", "draft", "revising"]) await sh("status", "1", value);
    await sh("status", "2", "done");
    const lines = (await sh("history")).stdout.trimEnd().split("\n");
    assert.match(lines[0] ?? "", /^act_\w+ .* cli +set the status +1 chapter: The Lamp$/);
    assert.match(lines[1] ?? "", /3 × set the status +1 chapter: The Ferry +since act_\w+$/);
    assert.match(lines[2] ?? "", /deleted a fact +1 fact: Tobit$/);
    assert.match(lines.at(-1) ?? "", /imported the book +1 book: The Ferry Book; 1 chapter: The Ferry$/);
    assert.equal(lines.filter((line) => line.includes("set the status")).length, 2);
    assert.equal((await sh("history", "--each")).stdout.split("set the status").length - 1, 4);
  });

  it("says how a note begins, and what made each revision of a chapter", async (t) => {
    const sh = await withBook(t);
    await sh("notes", "add", "Who lit\nthe lamp?", "--chapter", "1");
    await sh("replace", "ferry", "boat", "--apply");
    assert.match((await sh("history")).stdout, /added a note +1 note: Who lit the lamp\?\n/);
    const [line = ""] = (await sh("history", "1")).stdout.split("\n");
    assert.match(line, /^2 +act_\w+ .* cli +replaced words +[\d,]+ words/);
  });

  it("counts the writes of one key to one chapter as one run, by the key's name", async (t) => {
    const sh = await withBook(t);
    const opened = (await import("../../src/service/manuscript.ts")).openManuscript(
      `${sh.cwd}/book.manuscript`,
    );
    const { createKey } = await import("../../src/service/account/keys.ts");
    const { setStatus } = await import("../../src/service/books/chapter-fields.ts");
    const chapterId = String((await sh("show", "1", "--json")).json().id);
    const key = createKey(opened, { name: "nightly" });
    for (const status of ["done", "draft", "done"] as const)
      setStatus(opened, chapterId, { status }, { source: "api", keyId: key.record.id });
    opened.close();
    const [line = ""] = (await sh("history")).stdout.split("\n");
    assert.match(line, / nightly +3 × set the status /);
    assert.equal((await sh("undo", "--since", /since (act_\w+)/.exec(line)?.[1] ?? "")).exit, EXIT.done);
    assert.match(
      (await sh("history")).stdout,
      /nightly +3 × set the status +1 chapter: The Ferry +undone +since/,
    );
  });

  it("pages: each page says how to see the next, and none overlap", async (t) => {
    const sh = await withBook(t);
    for (const [chapter, value] of [
      ["1", "done"],
      ["2", "done"],
      ["1", "draft"],
    ] as const)
      await sh("status", chapter, value);
    const all = (await sh("history")).stdout;
    let seen = "";
    let next: string[] = ["history"];
    for (let page = 0; next.length > 0 && page < 9; page++) {
      const { stdout, stderr } = await sh(...next, "--limit", "2");
      seen += stdout;
      next = stderr.startsWith("Older: manuscript ") ? stderr.trim().split(" ").slice(2) : [];
    }
    const idsOf = (text: string) => [...text.matchAll(/^act_\w+/gm)].map(([id]) => id);
    assert.deepEqual(idsOf(seen), idsOf(all));
    const ids = idsOf(all);
    assert.deepEqual(idsOf((await sh("history", "--after", ids[2]!)).stdout), ids.slice(0, 2)); // there are more
    const newer = await sh("history", "--after", ids[3]!, "--limit", "1"); // there are more
    assert.deepEqual(idsOf(newer.stdout), [ids[2]]);
    assert.equal(newer.stderr, `Newer: manuscript history --after ${ids[2]}\n`);
    const between = (await sh("history", "--json", "--after", ids[3]!, "--before", ids[0]!)).json<{
      acts: { id: string }[];
      total: number;
    }>(); // there are more
    assert.deepEqual([between.acts.map(({ id }) => id), between.total], [[ids[2], ids[1]], 2]);
    assert.equal((await sh("history", "--before", "act_none")).exit, EXIT.notFound);
  });

  it("of a chapter is newest first and pages by revision or act", async (t) => {
    const sh = await withBook(t);
    for (const word of ["boat", "barge", "raft"])
      await sh(
        "replace",
        "1",
        word === "boat" ? "ferry" : word === "barge" ? "boat" : "barge",
        word,
        "--apply",
      );
    const revisions = (text: string) => [...text.matchAll(/^ *(\d+) {2}act_/gm)].map(([, n]) => Number(n));
    assert.deepEqual(revisions((await sh("history", "1")).stdout), [4, 3, 2, 1]);
    assert.deepEqual(revisions((await sh("history", "1", "--limit", "2")).stdout), [4, 3]);
    assert.deepEqual(revisions((await sh("history", "1", "--before", "3")).stdout), [2, 1]);
    assert.deepEqual(revisions((await sh("history", "1", "--after", "1", "--limit", "2")).stdout), [3, 2]);
    assert.equal((await sh("history", "1", "--before", "99")).exit, EXIT.usage);
    const acts = (await sh("history", "1")).stdout.match(/act_\w+/g) ?? [];
    assert.deepEqual(revisions((await sh("history", "1", "--before", acts[1] ?? "")).stdout), [2, 1]);
    const newest = await sh("history", "1", "--limit", "2");
    assert.match(newest.stderr, /^Older: manuscript history ch_\w+ --before 3\n$/);
    const older = await sh(...newest.stderr.trim().split(" ").slice(2), "--limit", "2");
    assert.deepEqual([revisions(older.stdout), older.stderr], [[2, 1], ""]);
    const first = await sh("history", "1", "--after", "1", "--limit", "2");
    assert.match(first.stderr, /^Newer: manuscript history ch_\w+ --after 3\n$/);
  });
});
