import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Ajv } from "ajv";
import * as yaml from "yaml";
import { readFacts } from "../../src/files/annotations/facts-yaml.ts";
import { readNotes } from "../../src/files/annotations/notes-yaml.ts";
import { readBookYaml } from "../../src/files/folder/manifest.ts";
import { FRONT_MATTER_KEYS } from "../../src/files/format/keys.ts";
import { FOLDER_FILES, schemaOf } from "../../src/files/format/schemas.ts";
import { blockOf } from "../../src/files/front-matter.ts";
import { type Shell, withBook } from "../cli/shell.ts";

const ajv = new Ajv({ allowUnionTypes: true });
const validators = new Map(FOLDER_FILES.map((file) => [file.name, ajv.compile(schemaOf(file))]));
const fits = (name: string, text: string) => validators.get(name)?.(yaml.parse(text)) === true;

/** A book with everything that a folder can say, exported. */
async function exported(
  t: TestContext,
): Promise<{ sh: Shell; at: (file: string) => string; read: (file: string) => string }> {
  const sh = await withBook(t);
  const { chapters } = (await sh("outline", "1", "--json")).json<{ chapters: { id: string }[] }>();
  const { books } = (await sh("books", "--json")).json<{ books: { id: string }[] }>();
  const put = (method: string, path: string, body: object) =>
    sh.with({ stdin: JSON.stringify(body) })("api", method, path, "--input", "-");
  await put("PUT", `/books/${books[0]?.id}/goal`, { targetWords: 9000, deadline: "2027-06-30" });
  await put("POST", `/books/${books[0]?.id}/parts`, { title: "One" });
  await put("PUT", `/chapters/${chapters[0]?.id}/synopsis`, { synopsis: "It: rains." });
  const snippets = `/books/${books[0]?.id}/snippets`;
  await put("POST", snippets, {
    kind: "todo",
    chapterId: chapters[0]?.id,
    items: [{ text: "Look", done: true }],
  });
  await put("POST", snippets, { kind: "reference", text: "See", url: "https://example.com/" });
  await put("POST", `/books/${books[0]?.id}/facts`, {
    name: "Tobit",
    aliases: ["old Tobit"],
    attributes: [
      { key: "eyes", value: "grey" },
      { key: "eyes", value: "blue" },
    ],
  });
  await sh("export", "1", "-o", "out");
  const at = (file: string) => join(sh.cwd, "out", file);
  return { sh, at, read: (file) => readFileSync(at(file), "utf8") };
}

describe("the schemas of a folder", () => {
  it("fit what an export writes, are beside it, and are named by it", async (t) => {
    const { at, read } = await exported(t);
    for (const file of FOLDER_FILES) assert.deepEqual(JSON.parse(read(file.schema)), schemaOf(file));
    for (const name of ["book.yaml", "facts.yaml", "notes.yaml"]) {
      const [first = ""] = read(name).split("\n");
      const path = /^# yaml-language-server: \$schema=(.*)$/.exec(first)?.[1] ?? "";
      assert.ok(existsSync(at(path)), first);
      assert.ok(fits(name, read(name)), `${name}: ${ajv.errorsText(validators.get(name)?.errors)}`);
    }
    const block = blockOf(read("01-the-ferry.md"));
    assert.ok(fits("front matter", block));
    assert.deepEqual(
      Object.keys(yaml.parse(block)).filter((key) => !(key in FRONT_MATTER_KEYS)),
      [],
    );
  });

  it("refuse what its reader refuses, and take what it takes", () => {
    const takes = (read: () => unknown) => {
      try {
        read();
        return true;
      } catch {
        return false;
      }
    };
    const cases: [string, (text: string) => unknown, string[]][] = [
      [
        "book.yaml",
        (text) => readBookYaml(yaml, text),
        [
          "title: 1984\nmood: dark\n",
          "title: [a]\n",
          "parts: x\n",
          "parts: [A, {title: B, folder: b}]\n",
          "chapters: {}\n",
          "chapters: [a.md, {file: b.md, part: 1}, {file: c.md, part: null}]\n",
          "chapters: [{title: A}]\n",
          "chapters: [{file: a.md, part: [1]}]\n",
          "- a\n",
        ],
      ],
      [
        "facts.yaml",
        (text) => readFacts(yaml, text),
        [
          "- name: Mara\n  eyes: grey\n",
          "- kind: character\n  name: [a]\n",
          "- name: Mara\n  aliases: one\n",
          "- name: Mara\n  aliases: {a: b}\n",
          "- name: 7\n  attributes: {a: 1}\n",
          "- name: A\n  attributes: [{a: b}, {a: c}]\n",
          "- name: A\n  attributes: x\n",
          "name: A\n",
          "- A\n",
          "",
        ],
      ],
      [
        "notes.yaml",
        (text) => readNotes(yaml, text),
        [
          "- text: Look\n",
          "- kind: todo\n  items: [A, {text: B, done: true}]\n",
          "- kind: thought\n",
          "- items: x\n",
          "- kind: todo\n  items: [{text: a, done: 7}]\n",
          "- text: a\n  url: ftp://x\n",
          "- text: a\n  url: https://example.com\n",
          "- text: a\n  nth: 0\n",
          "- text: a\n  nth: 2\n",
          "- text: a\n  detached: x\n",
          "- text: a\n  detached: {quote: x}\n",
        ],
      ],
    ];
    for (const [name, read, texts] of cases)
      for (const text of texts)
        assert.equal(
          fits(name, text),
          takes(() => read(text)),
          `${name}: ${text}`,
        );
  });

  it("come with a new folder alone: what a writer took out stays out, and an older folder gets none", async (t) => {
    const { sh, at, read } = await exported(t);
    const bare = (name: string) => read(name).replace(/^#.*\n/, "");
    const files = ["book.yaml", "facts.yaml", "notes.yaml"];
    for (const name of files) writeFileSync(at(name), bare(name));
    rmSync(at(".schemas"), { recursive: true });
    await sh("import", "out");
    const before = files.map(read);
    await sh("sync", "out");
    await sh("export", "1", "-o", "out");
    await sh("export", "1", "-o", "out", "--force");
    assert.deepEqual([files.map(read), existsSync(at(".schemas"))], [before, false]);
    await sh("facts", "add", "Ann");
    await sh("sync", "out");
    assert.match(read("facts.yaml"), /^- id: [\s\S]*name: Ann\n$/);
    rmSync(at("notes.yaml"));
    await sh("export", "1", "-o", "out");
    assert.match(
      read("notes.yaml"),
      /^- id: /,
      "a new file of an older folder names no schema that is not there",
    );
    await sh("export", "1", "-o", "plain", "--plain");
    assert.doesNotMatch(readFileSync(join(sh.cwd, "plain/book.yaml"), "utf8"), /schema/);
  });

  it("stay named while a file is changed, and a folder in step is not touched", async (t) => {
    const { sh, at, read } = await exported(t);
    const named = /^# yaml-language-server: \$schema=\.schemas\//;
    const before = read("book.yaml");
    const answer = (await sh("sync", "out", "--json")).json<{ files: { status: string }[] }>();
    assert.deepEqual([...new Set(answer.files.map(({ status }) => status))], ["same"]);
    assert.match((await sh("export", "1", "-o", "out")).stdout, /0 files written/);
    assert.equal(read("book.yaml"), before);
    writeFileSync(at("03-new.md"), "# New\n\nText.\n");
    await sh("facts", "add", "Ann");
    await sh("sync", "out");
    assert.match(read("book.yaml"), named);
    assert.match(read("book.yaml"), /03-new\.md/);
    assert.match(read("facts.yaml"), named);
    assert.match(read("facts.yaml"), /name: Ann/);
  });
});
