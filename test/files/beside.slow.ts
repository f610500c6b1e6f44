import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { BadRequest, WouldLose } from "../../src/refusals.ts";
import { createFact, deleteFact, listFacts, updateFact } from "../../src/service/annotations/facts.ts";
import {
  createSnippet,
  deleteSnippet,
  listSnippets,
  updateSnippet,
} from "../../src/service/annotations/snippets.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { dump } from "../support/dump.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { folder, manuscript, seeded } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";
import { exchange } from "./exchange.ts";

/** The sample in a folder, and ways to edit either side. */
async function setUp(t: TestContext) {
  const open = manuscript(t);
  const sample = writeSample(open);
  const path = join(folder(t), "out");
  const files = exchange(open, sample.bookId, path);
  await files.export();
  const read = (file: string) => readFileSync(join(path, file), "utf8");
  return {
    open,
    ...sample,
    path,
    files,
    read,
    edit: (file: string, from: string, to: string) => {
      const text = read(file);
      assert.ok(text.includes(from), `${from} is not in ${text}`);
      writeFileSync(join(path, file), text.replace(from, to));
    },
    fact: (name: string) => listFacts(open, sample.bookId).facts.find((fact) => fact.name === name),
    note: (id: string) => listSnippets(open, sample.bookId, {}).snippets.find((note) => note.id === id),
    journaled: () => open.store.get<{ rows: number }>("SELECT count(*) AS rows FROM journal")?.rows,
  };
}

const statuses = (entries: readonly { id: string; status: string }[]) =>
  Object.fromEntries(entries.map(({ id, status }) => [id, status]));

describe("an export of facts and marginalia", () => {
  it("writes what a writer can read, twice the same, and takes it in again without a change", async (t) => {
    const { open, bookId, read, path, files, journaled, factId, snippetId, todoId, blockId } = await setUp(t);
    assert.equal(
      read("facts.yaml").split("\n\n")[0],
      [
        "# yaml-language-server: $schema=.schemas/facts.schema.json",
        `- id: ${factId}`,
        "  name: Mara",
        "  kind: character",
        "  attributes:",
        "    eyes: grey",
        "  summary: She keeps the lamp.",
      ].join("\n"),
    );
    assert.equal(
      read("notes.yaml"),
      [
        "# yaml-language-server: $schema=.schemas/notes.schema.json",
        `- id: ${snippetId}`,
        "  kind: note",
        "  chapter: 01-out/01-the-ferry.md",
        `  block: ${blockId}`,
        "  quote: Mara came down to the ferry before light, and the bell was",
        "  text: Too dark?",
        "",
        `- id: ${todoId}`,
        "  kind: todo",
        "  chapter: 01-out/01-the-ferry.md",
        "  items:",
        "    - text: tide table",
        "      done: false",
        "",
      ].join("\n"),
    );
    const again = join(folder(t), "again");
    await exchange(open, bookId, again).export();
    for (const file of ["facts.yaml", "notes.yaml"])
      assert.equal(readFileSync(join(again, file), "utf8"), read(file));
    const before = journaled();
    const { facts, notes } = await files.import();
    assert.ok([...facts, ...notes].every(({ status }) => status === "same"));
    assert.deepEqual([facts.length, notes.length], [2, 2]);
    assert.equal(journaled(), before);
    assert.ok((await files.sync()).files.every(({ status }) => status === "same"));
    assert.equal(journaled(), before);
    assert.ok(existsSync(path));
  });

  it("writes paragraphs as blocks, that a writer can edit", async (t) => {
    const { open, files, path, read, snippetId } = await setUp(t);
    const text = "One\u00ad paragraph # 1.\n\n  - indented: 👩‍🚀\n\nThe last one.";
    updateSnippet(open, snippetId, { kind: "note", text }, OWNER);
    rmSync(join(path, "notes.yaml"));
    await files.export();
    const block = text.replace(/^(?=.)/gm, "    ");
    assert.ok(read("notes.yaml").includes(`  text: |-\n${block}\n`), read("notes.yaml"));
  });

  it("has no file for what the book has not", async (t) => {
    const { open, files, path, bookId, factId, otherFactId, snippetId, todoId } = await setUp(t);
    for (const id of [factId, otherFactId]) deleteFact(open, id, OWNER);
    for (const id of [snippetId, todoId]) deleteSnippet(open, id, OWNER);
    const fresh = join(folder(t), "fresh");
    await exchange(open, bookId, fresh).export();
    assert.ok(!existsSync(join(fresh, "facts.yaml")) && !existsSync(join(fresh, "notes.yaml")));
    await files.sync();
    assert.equal(
      readFileSync(join(path, "facts.yaml"), "utf8").trim(),
      "# yaml-language-server: $schema=.schemas/facts.schema.json",
      "entries that went are taken out",
    );
  });

  it("overwrites nothing that was edited and not imported; what was imported keeps its comments", async (t) => {
    const { open, files, edit, read, factId } = await setUp(t);
    edit("facts.yaml", "  kind: character", "  kind: character # or place?");
    updateFact(open, factId, { summary: "She rows." }, OWNER);
    await assert.rejects(files.export(), WouldLose);
    await files.import();
    await files.export();
    assert.match(read("facts.yaml"), /character # or place\?[\s\S]*summary: She rows\./);
  });

  it("gives any text back as it is", async (t) => {
    const { open, bookId, files, path } = await setUp(t);
    const texts = [
      "a\nb",
      "a\n",
      "\n a\n\n",
      "a\n\n  b\n\n\n\tc\n",
      "\n",
      "  \n a",
      "a \nb",
      " a",
      "- a: b # c",
      "no",
      "1_000",
      "2026-01-01",
      "x".repeat(200),
      "é\u2028b\u0085c",
      "a\r\nb",
      "\ttab\tbed",
      "'\"\\",
      "😀".repeat(100),
      "---\na: b\n...",
      "\ufeffa",
    ];
    for (const [index, text] of texts.entries()) {
      const attributes = [
        { key: `no ${index}: #`, value: text },
        { key: "k", value: text },
        { key: "k", value: "" },
      ];
      createFact(open, bookId, { name: `Fact ${index}`, summary: text, attributes }, OWNER);
      createSnippet(open, bookId, { kind: "todo", text, items: [{ text, done: true }] }, OWNER);
    }
    rmSync(join(path, "facts.yaml"));
    rmSync(join(path, "notes.yaml"));
    await files.export();
    const { facts, notes } = await files.import();
    assert.deepEqual(
      [...facts, ...notes].filter(({ status }) => status !== "same"),
      [],
    );
    const copy = await importFiles(open, await readBookFiles(path), {});
    const plain = (id: string) =>
      listFacts(open, id).facts.map(({ name, kind, aliases, attributes, summary }) => ({
        name,
        kind,
        aliases,
        attributes,
        summary,
      }));
    assert.deepEqual(plain(copy.bookId), plain(bookId));
    const content = (id: string) =>
      listSnippets(open, id, {}).snippets.map(({ kind, text, url, items }) => ({ kind, text, url, items }));
    assert.deepEqual(content(copy.bookId), content(bookId));
  });
});

describe("an import of facts and marginalia", () => {
  it("writes the file's change, leaves the manuscript's, and merges those of different fields", async (t) => {
    const { open, files, edit, fact, factId, otherFactId, note, snippetId } = await setUp(t);
    edit("facts.yaml", "She keeps the lamp.", "She keeps two lamps.");
    edit("notes.yaml", "Too dark?", "Too light?");
    updateFact(open, factId, { aliases: ["the ferrywoman"] }, OWNER);
    updateFact(open, otherFactId, { kind: "ghost" }, OWNER);
    const dry = await files.import({ dryRun: true });
    const done = await files.import();
    assert.deepEqual({ ...dry, act: null }, { ...done, act: null });
    assert.deepEqual(statuses(done.facts), { [factId]: "updated", [otherFactId]: "left" });
    const { aliases, summary } = fact("Mara")!; // it was not renamed
    assert.deepEqual([aliases, summary], [["the ferrywoman"], "She keeps two lamps."]);
    assert.equal(fact("Tobit")?.kind, "ghost");
    assert.equal(note(snippetId)?.text, "Too light?");
    edit("facts.yaml", "two lamps", "three lamps");
    assert.equal((await files.import()).facts[0]?.status, "updated", "one's own next edit is no conflict");
    assert.deepEqual(fact("Mara")?.aliases, ["the ferrywoman"]);
  });

  it("writes nothing of an entry whose field both changed, until it is forced", async (t) => {
    const { open, files, edit, fact, note, factId, snippetId } = await setUp(t);
    edit("facts.yaml", "name: Mara", "name: Marah");
    edit("facts.yaml", "She keeps the lamp.", "Mine.");
    edit("notes.yaml", "Too dark?", "Mine?");
    updateFact(open, factId, { summary: "Theirs." }, OWNER);
    updateSnippet(open, snippetId, { kind: "note", text: "Theirs?" }, OWNER);
    for (const again of [false, true]) {
      const { facts, notes } = await files.import();
      assert.deepEqual(
        facts[0],
        { id: factId, name: "Marah", status: "conflict", fields: ["summary"] },
        `${again}`,
      );
      assert.deepEqual(notes[0], { id: snippetId, kind: "note", status: "conflict", fields: ["text"] });
      assert.equal(fact("Mara")?.summary, "Theirs.");
    }
    await files.import({ force: "stored" });
    assert.deepEqual([fact("Marah")?.summary, note(snippetId)?.text], ["Theirs.", "Theirs?"]);
    await files.import({ force: "incoming" });
    assert.deepEqual([fact("Marah")?.summary, note(snippetId)?.text], ["Mine.", "Mine?"]);
  });

  it("takes entries without an id for new ones, once, and knows them by what they said", async (t) => {
    const { open, files, path, read, fact, bookId, blockId } = await setUp(t);
    const old = dump(open.store);
    writeFileSync(join(path, "facts.yaml"), `${read("facts.yaml")}\n- name: The Bell\n  aliases: bell\n`);
    const note = "- text: Who is this?\n  chapter: 01-out/01-the-ferry.md\n  quote: “You are late,” said\n";
    writeFileSync(join(path, "notes.yaml"), `${read("notes.yaml")}\n${note}`);
    const first = await files.import();
    const [bell, asked] = [first.facts.at(-1)!, first.notes.at(-1)!]; // they stand last
    assert.deepEqual([bell.status, asked.status], ["created", "created"]);
    assert.deepEqual(fact("The Bell")?.aliases, ["bell"]);
    const stored = listSnippets(open, bookId, {}).snippets.find(({ id }) => id === asked.id);
    assert.ok(stored?.blockId && stored.blockId !== blockId && stored.detached === null);
    const again = await files.import();
    assert.deepEqual([again.facts.at(-1)?.status, again.notes.at(-1)?.status], ["same", "same"]);
    writeFileSync(join(path, "facts.yaml"), read("facts.yaml").replace("aliases: bell", "kind: object"));
    const edited = await files.import();
    assert.deepEqual(edited.facts.at(-1), { ...bell, status: "updated", fields: ["kind", "aliases"] });
    await files.sync();
    assert.match(read("facts.yaml"), new RegExp(`- name: The Bell\n  kind: object\n  id: ${bell.id}\n`));
    undoAct(open, String(edited.act), OWNER);
    undoAct(open, String(first.act), OWNER);
    assert.deepEqual(dump(open.store), old);
    assertSound(open.store);
  });

  it("gives a new book all of it, each note beside its paragraph", async (t) => {
    const { open, path, bookId, chapterId } = await setUp(t);
    const copy = await importFiles(open, await readBookFiles(path), {});
    assert.deepEqual(
      copy.facts.map(({ name, status }) => [name, status]),
      [
        ["Mara", "created"],
        ["Tobit", "created"],
      ],
    );
    const [note, todo] = listSnippets(open, copy.bookId, {}).snippets;
    assert.ok(note?.blockId && note.chapterId !== chapterId && todo?.chapterId === note.chapterId);
    assert.deepEqual([note.detached, todo.blockId], [null, null]);
    const into = exchange(open, copy.bookId, path);
    const again = await into.import();
    assert.ok(
      [...again.facts, ...again.notes].every(({ status }) => status === "same"),
      "not made twice",
    );
    assert.equal(listFacts(open, bookId).total, 2);
    assertSound(open.store);
  });

  it("sets a note beside a paragraph that the same import brings, also one of several alike", async (t) => {
    const { open, files, path, bookId } = await setUp(t);
    writeFileSync(
      join(path, "03-the-oar.md"),
      "# The Oar\n\nIt broke.\n\nIt broke.\n\n* * *\n\nIt broke again.\n",
    );
    const at = (text: string, quote: string) =>
      `- text: ${text}\n  chapter: 03-the-oar.md\n  quote: ${quote}\n`;
    const notes = [
      at("second", "It broke.\n  nth: 2"),
      at("last", "it broke AGAIN"),
      at("several", "It bro"),
      at("none", "Nowhere."),
    ];
    writeFileSync(join(path, "notes.yaml"), notes.join("\n"));
    const answer = await files.import();
    const lost = answer.notes.filter(({ status }) => status === "created").map((note) => note.lost ?? null);
    assert.deepEqual(lost, [null, null, "It bro", "Nowhere."]);
    const copy = join(folder(t), "copy");
    await exchange(open, bookId, copy).export();
    const placed = readFileSync(join(copy, "notes.yaml"), "utf8");
    assert.match(placed, /quote: It broke\.\n {2}nth: 2\n {2}text: second/);
    assert.match(placed, /quote: It broke again\.\n {2}text: last/);
    const other = await importFiles(open, await readBookFiles(copy), {});
    const kept = other.notes.filter((note) => note.lost === undefined).length;
    assert.equal(kept, other.notes.length, "what had no place before has lost none");
    assertSound(open.store);
  });

  it("keeps a note whose paragraph it cannot find beside its chapter, and says so", async (t) => {
    const { open, path, read, edit, chapterId } = await setUp(t);
    edit("notes.yaml", "quote: Mara came down", "quote: Somebody came down");
    const other = await importFiles(open, await readBookFiles(path), {});
    assert.match(String(other.notes[0]?.lost), /^Somebody came down/);
    const [note] = listSnippets(open, other.bookId, {}).snippets;
    assert.deepEqual([note?.blockId, note?.detached?.quote], [null, other.notes[0]?.lost]);
    assert.ok(note?.chapterId && note.chapterId !== chapterId);
    const out = join(folder(t), "other");
    await exchange(open, other.bookId, out).export();
    assert.match(readFileSync(join(out, "notes.yaml"), "utf8"), /detached:\n {4}quote: Somebody came down/);
    assert.ok(read("notes.yaml").includes("Somebody"));
  });

  it("moves a note to the paragraph that its file names, and leaves it where only the prose went on", async (t) => {
    const { open, files, edit, note, snippetId, chapterId, blockId } = await setUp(t);
    replaceParagraph(open, { chapterId, blockId }, { markdown: "Mara came down late." }, OWNER);
    assert.equal((await files.import()).notes[0]?.status, "same");
    assert.equal(note(snippetId)?.blockId, blockId);
    edit("notes.yaml", `  block: ${blockId}\n`, "");
    edit(
      "notes.yaml",
      "quote: Mara came down to the ferry before light, and the bell was",
      "quote: you ARE late said",
    );
    const { notes } = await files.import();
    assert.deepEqual([notes[0]?.status, notes[0]?.fields], ["updated", ["anchor"]]);
    assert.ok(note(snippetId)?.blockId && note(snippetId)?.blockId !== blockId);
  });

  it("leaves what is gone from the file, and sync --delete deletes it unless the manuscript has changed it", async (t) => {
    const { open, files, path, fact, factId, otherFactId, snippetId, todoId, note } = await setUp(t);
    writeFileSync(join(path, "facts.yaml"), "# none\n");
    writeFileSync(join(path, "notes.yaml"), "[]\n");
    const left = await files.sync();
    assert.deepEqual(
      left.facts.map(({ id, status, gone }) => [id, status, gone]),
      [
        [factId, "left", "file"],
        [otherFactId, "left", "file"],
      ],
    );
    assert.equal(readFileSync(join(path, "facts.yaml"), "utf8"), "# none\n", "not put back");
    updateFact(open, otherFactId, { kind: "ghost" }, OWNER);
    updateSnippet(open, todoId, { kind: "note", text: "Now a note", items: null }, OWNER);
    const before = dump(open.store);
    const deleted = await files.sync({ delete: true });
    assert.deepEqual(statuses(deleted.facts), { [factId]: "deleted", [otherFactId]: "left" });
    assert.deepEqual(statuses(deleted.notes), { [snippetId]: "deleted", [todoId]: "left" });
    const mara = deleted.facts.find(({ id }) => id === factId);
    assert.deepEqual(
      mara?.mentionsDropped?.map(({ text }) => text),
      ["Mara", "Mara"],
    );
    assert.deepEqual([fact("Mara"), note(snippetId)], [undefined, undefined]);
    undoAct(open, String(deleted.act), OWNER);
    assert.deepEqual(dump(open.store), before);
  });

  it("does not bring back what the manuscript gave up, unless its file has changed: that is a conflict", async (t) => {
    const { open, files, edit, read, fact, factId } = await setUp(t);
    deleteFact(open, factId, OWNER);
    assert.deepEqual((await files.import()).facts[0], {
      id: factId,
      name: "Mara",
      status: "left",
      gone: "manuscript",
    });
    edit("facts.yaml", "She keeps the lamp.", "She rows.");
    const { facts } = await files.import();
    assert.deepEqual([facts[0]?.status, facts[0]?.fields], ["conflict", ["summary"]]);
    const synced = (await files.sync()).files.find(({ file }) => file === "facts.yaml");
    assert.equal(synced?.status, "conflict");
    assert.match(read("facts.yaml"), /She rows/);
    const mine = await files.import({ force: "incoming" });
    assert.deepEqual([mine.facts[0]?.status, fact("Mara")?.summary], ["created", "She rows."]);
    undoAct(open, String(mine.act), OWNER);
    await files.sync({ force: "stored" });
    assert.doesNotMatch(read("facts.yaml"), /Mara/);
    assert.equal(fact("Mara"), undefined);
  });

  it("does not make a to-do list of what became a note meanwhile, unless forced", async (t) => {
    const { open, files, edit, note, todoId } = await setUp(t);
    edit("notes.yaml", "done: false", "done: true");
    updateSnippet(open, todoId, { kind: "note", text: "Plain.", items: null }, OWNER);
    const { notes } = await files.import();
    assert.deepEqual([notes[1]?.status, notes[1]?.fields], ["conflict", ["items"]]);
    await files.import({ force: "incoming" });
    const { kind, items, text } = note(todoId)!; // it was not deleted
    assert.deepEqual([kind, items?.[0]?.done, text], ["todo", true, "Plain."]);
    assertSound(open.store);
  });

  it("brings nothing old back from a copy of the folder that nobody has edited", async (t) => {
    const { open, path, bookId, fact, factId } = await setUp(t);
    updateFact(open, factId, { kind: "ghost" }, OWNER);
    const copy = join(folder(t), "copy");
    cpSync(path, copy, { recursive: true });
    const { facts } = await exchange(open, bookId, copy).import();
    assert.equal(facts[0]?.status, "left");
    assert.equal(fact("Mara")?.kind, "ghost");
  });

  it("finds the base of a copied folder, in which nothing is gone that it never had", async (t) => {
    const { open, path, bookId, edit, fact, factId } = await setUp(t);
    edit("facts.yaml", "She keeps the lamp.", "She rows.");
    updateFact(open, factId, { kind: "ghost" }, OWNER);
    const copy = join(folder(t), "copy");
    cpSync(path, copy, { recursive: true });
    createFact(open, bookId, { name: "The Bell" }, OWNER);
    const { facts } = await exchange(open, bookId, copy).sync({ delete: true });
    assert.deepEqual([facts[0]?.status, facts[0]?.fields], ["updated", ["summary"]]);
    assert.equal(fact("Mara")?.kind, "ghost");
    assert.equal(facts.length, 2);
    assert.match(readFileSync(join(copy, "facts.yaml"), "utf8"), /kind: ghost[\s\S]*name: The Bell/);
  });

  it("reads nothing outside the folder, and says so", async (t) => {
    const { open, bookId, path, files } = await setUp(t);
    const secret = join(folder(t), "secret.yaml");
    writeFileSync(secret, "- name: Secret\n");
    rmSync(join(path, "facts.yaml"));
    symlinkSync(secret, join(path, "facts.yaml"));
    assert.deepEqual((await readBookFiles(path)).skipped, [
      { file: "facts.yaml", reason: "not a file of this folder" },
    ]);
    assert.deepEqual((await files.sync()).facts, []);
    assert.equal(listFacts(open, bookId).total, 2);
    assert.equal(readFileSync(secret, "utf8"), "- name: Secret\n");
    await assert.rejects(files.export(), WouldLose);
  });

  it("names file, entry and key of what it cannot read, and writes nothing", async (t) => {
    const { open, files, path, edit } = await setUp(t);
    const before = dump(open.store);
    edit("01-out/01-the-ferry.md", "before light", "after dark");
    const cases: [string, string, RegExp][] = [
      ["facts.yaml", "- name: [", /facts\.yaml is not valid YAML: .* in line 1/],
      ["facts.yaml", "name: Mara\n", /facts\.yaml must be a list of entries/],
      ["facts.yaml", "- name: *mara\n", /facts\.yaml: \*mara refers to nothing/],
      ["facts.yaml", "- Mara\n", /facts\.yaml, entry 1 must have keys/],
      ["facts.yaml", "- kind: x\n", /facts\.yaml, entry 1: name must not be blank/],
      ["facts.yaml", `- name: ${"x".repeat(201)}\n`, /facts\.yaml, entry 1 .*: name must be at most 200/],
      ["facts.yaml", "- name: A\n  attributes: grey\n", /entry 1: attributes must be keys and values/],
      ["facts.yaml", "- name: A\n  summary: [a]\n", /entry 1: summary must be text/],
      ["facts.yaml", "- {id: a, name: A}\n- {id: a, name: B}\n", /two entries with the id a/],
      [
        "notes.yaml",
        "- text: a\n- kind: idea\n",
        /notes\.yaml, entry 2: kind must be one of note, .*got "idea"/,
      ],
      ["notes.yaml", "- url: file:///etc/passwd\n", /notes\.yaml, entry 1: url must be an http/],
      ["notes.yaml", "- kind: note\n  items: [a]\n", /items belong to kind todo/],
      ["notes.yaml", `- text: ${"x".repeat(100_001)}\n`, /entry 1: text must be at most 100000/],
      ["notes.yaml", "- nth: x\n", /entry 1: nth must be a number/],
      [
        "notes.yaml",
        "- items:\n    - text: a\n      done: maybe\n",
        /items, item 1: done must be true or false/,
      ],
    ];
    for (const [file, text, message] of cases) {
      const good = readFileSync(join(path, file), "utf8");
      writeFileSync(join(path, file), text);
      await assert.rejects(files.import(), (error) => {
        assert.ok(error instanceof BadRequest);
        assert.match(error.message, message);
        return true;
      });
      writeFileSync(join(path, file), good);
    }
    assert.deepEqual(dump(open.store), before);
  });
});

describe("a sync of facts and marginalia", () => {
  it("writes only what changed: comments, own keys, order and quotes stay", async (t) => {
    const { open, files, path, read, factId, otherFactId, snippetId, bookId } = await setUp(t);
    const own = [
      "# The cast",
      `- name: 'Mara'   # heroine`,
      `  id: ${factId}`,
      "  mood: dark # mine",
      "  kind: character",
      "  attributes: {eyes: grey}",
      "  summary: >-",
      "    She keeps",
      "    the lamp.",
      "",
      "# The old man",
      `- id: ${otherFactId}`,
      "  kind: character",
      "  aliases: [old Tobit]",
      "  name: Tobit",
      "# the end",
      "",
    ].join("\r\n");
    writeFileSync(join(path, "facts.yaml"), own);
    const first = await files.sync();
    assert.ok(first.facts.every(({ status }) => status === "same"));
    assert.equal(read("facts.yaml"), own);
    updateFact(open, otherFactId, { kind: "ghost", summary: "Dead.\nOr not." }, OWNER);
    createFact(open, bookId, { name: "The Bell" }, OWNER);
    updateSnippet(open, snippetId, { kind: "note", text: "Still?" }, OWNER);
    const { files: written } = await files.sync();
    assert.deepEqual(
      written
        .filter(({ file }) => file === "facts.yaml" || file === "notes.yaml")
        .map(({ file, status }) => [file, status]),
      [
        ["facts.yaml", "written"],
        ["notes.yaml", "written"],
      ],
    );
    const bell = listFacts(open, bookId).facts.find(({ name }) => name === "The Bell");
    const lines = own
      .replace("kind: character\r\n  aliases", "kind: ghost\r\n  aliases")
      .replace("  name: Tobit\r\n", "  name: Tobit\r\n  summary: |-\r\n    Dead.\r\n    Or not.\r\n");
    const end = lines.indexOf("# the end");
    const added = `\r\n- id: ${bell?.id}\r\n  name: The Bell\r\n`;
    assert.equal(read("facts.yaml"), lines.slice(0, end) + added + lines.slice(end));
    assert.match(read("notes.yaml"), /text: Still\?/);
    const last = read("facts.yaml");
    assert.ok((await files.sync()).files.every(({ status }) => status === "same"));
    assert.equal(read("facts.yaml"), last);
  });

  it("keeps comments within lists and beside values that change", async (t) => {
    const { open, files, path, read, factId, otherFactId } = await setUp(t);
    const own = [
      `- id: ${factId}`,
      "  name: Mara",
      "  kind: character # or not",
      "  aliases:",
      "    # at sea",
      "    - captain # once",
      "    - 'the rower'",
      "  attributes:",
      "    eyes: grey # like his",
      "  summary: Short. # too short",
      `- {id: ${otherFactId}, name: Tobit, kind: character, aliases: [old Tobit]} # flow`,
      "",
    ].join("\n");
    writeFileSync(join(path, "facts.yaml"), own);
    await files.sync();
    assert.equal(read("facts.yaml"), own);
    const change = { aliases: ["captain", "Marah"], summary: "Long.\nLonger.", kind: "person" };
    updateFact(open, factId, change, OWNER);
    await files.sync();
    const expected = own
      .replace("kind: character # or", "kind: person # or")
      .replace("    - 'the rower'", "    - Marah")
      .replace("summary: Short. # too short", "summary: |- # too short\n    Long.\n    Longer.");
    assert.equal(read("facts.yaml").split("- {")[0], expected.split("- {")[0]);
    updateFact(open, otherFactId, { kind: "ghost" }, OWNER);
    await files.sync();
    assert.match(
      read("facts.yaml"),
      /\{ ?id: \w+, name: Tobit, kind: ghost, aliases: \[ ?old Tobit ?\] ?\} # flow/,
    );
    assert.match(read("facts.yaml"), /# at sea\n.*captain # once[\s\S]*# like his/);
  });

  it("names a paragraph anew where its words have gone, and leaves words of the writer's own that still lead there", async (t) => {
    const { open, files, edit, read, chapterId, blockId } = await setUp(t);
    edit(
      "notes.yaml",
      "quote: Mara came down to the ferry before light, and the bell was",
      "quote: Mara came down",
    );
    await files.sync();
    assert.match(read("notes.yaml"), /quote: Mara came down\n/);
    replaceParagraph(open, { chapterId, blockId }, { markdown: "Nobody came." }, OWNER);
    await files.sync();
    assert.match(read("notes.yaml"), new RegExp(`block: ${blockId}\n  quote: Nobody came\\.\n`));
  });

  it("neither writes a file again that is gone nor deletes what was in it", async (t) => {
    const { open, files, path, bookId } = await setUp(t);
    rmSync(join(path, "facts.yaml"));
    const { files: done, facts } = await files.sync({ delete: true });
    assert.equal(done.find(({ file }) => file === "facts.yaml")?.status, "gone");
    assert.deepEqual(facts, []);
    assert.ok(!existsSync(join(path, "facts.yaml")));
    assert.equal(listFacts(open, bookId).total, 2);
  });
});

describe("an import that is planned before the file is its own", () => {
  it("parses nothing in its act, and is planned again if another program wrote meanwhile", async (t) => {
    const { open, files, edit, chapterId, blockId, otherChapterId } = await setUp(t);
    edit("02-back/02-the-lamp.md", "Mara lit the lamp.", "Mara lit it.");
    const other = openManuscript(open.store.path, { random: seeded(9) });
    t.after(() => other.close());
    const acting = open.store.act.bind(open.store);
    let isActing = false;
    open.store.act = (meta, write) => {
      replaceParagraph(other, { chapterId, blockId }, { markdown: "Theirs." }, OWNER);
      isActing = true;
      return acting(meta, write);
    };
    const parsed: boolean[] = [];
    const step = (done: number) => done === 0 && parsed.push(isActing);
    const { chapters } = await files.import({ step });
    assert.deepEqual(parsed, [false]);
    assert.deepEqual(statuses(chapters), { [chapterId]: "left", [otherChapterId]: "updated" });
    assertSound(open.store);
  });
});
