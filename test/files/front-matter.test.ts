import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as yaml from "yaml";
import { newBlock, readFields, updatedBlock } from "../../src/files/folder/front-matter-fields.ts";
import { splitFrontMatter } from "../../src/files/front-matter.ts";

const split = (text: string) => {
  const parts = splitFrontMatter(text);
  assert.equal((parts.bom ? "\ufeff" : "") + parts.frontMatter + parts.body, text, "no byte is lost");
  return parts;
};

describe("splitFrontMatter", () => {
  it("takes the block with its fences: blank lines after it are the prose's", () => {
    assert.equal(split("---\ntitle: One\n---\n\n\nText.\n").frontMatter, "---\ntitle: One\n---\n");
    assert.equal(
      split("---\r\ntitle: One\r\n...\r\n\r\nText.\r\n").frontMatter,
      "---\r\ntitle: One\r\n...\r\n",
    );
    assert.equal(split("---\ntitle: One\n---").frontMatter, "---\ntitle: One\n---");
    assert.deepEqual(split("\ufeff---\n# a comment\n---\nText."), {
      bom: true,
      frontMatter: "---\n# a comment\n---\n",
      body: "Text.",
    });
  });

  it("takes the one blank line that an export puts behind its block", () => {
    for (const block of [
      "---\ntitle: One\nid: ch_1\n---\n\n",
      "---\r\n{title: One, id: 'ch_1'}\r\n---\r\n\r\n",
    ]) {
      assert.equal(split(`${block}\n\nText.\n`).frontMatter, block);
      assert.equal(split(`${block.replace(/(\r?\n){2}$/, "$1")}Text.\n`).body, "Text.\n");
    }
    assert.equal(split("---\ntitle: id ch_1\n---\n\nText.\n").body, "\nText.\n");
  });

  it("leaves scene breaks around prose where they are", () => {
    for (const text of [
      "---\nHe left.\n---\nShe stayed.\n",
      "---\n\nText.\n",
      "---\n---\n",
      "--- \n",
      "",
      "Text.\n---\na: b\n---\n",
    ]) {
      assert.deepEqual(split(text), { bom: false, frontMatter: "", body: text });
    }
  });

  it("reads a long file without a closing fence in linear time", () => {
    const text = `---\n${"a: b\r\n".repeat(300_000)}`;
    assert.equal(split(text).frontMatter, "");
  });
});

const many = Array.from({ length: 20_000 }, (_, index) => `key${index}: x`).join("\n");

describe("readFields", () => {
  const read = (block: string) => readFields(yaml, `---\n${block}\n---\n`, "01.md").fields;

  it("reads the known keys as text, numbers and dates as they are written", () => {
    assert.deepEqual(
      read("title: 1984\npart: 007\nstatus: done\nsynopsis: |\n  Two\n  lines.\nid: ch_1\npov: Mara"),
      {
        title: "1984",
        part: "007",
        status: "done",
        synopsis: "Two\nlines.",
        id: "ch_1",
      },
    );
    assert.deepEqual(read("title: &t Twice\npart: *t"), { title: "Twice", part: "Twice" });
    assert.deepEqual(read("title:\npart:\nsynopsis:"), { part: null, synopsis: "" });
    assert.deepEqual(read("# only a comment"), {});
  });

  it("takes id and revision for ours only where the id is one of a chapter", () => {
    const both = (block: string) => readFields(yaml, `---\n${block}\n---\n`, "x");
    assert.deepEqual(both("id: ch_1\nrevision: 7"), { fields: { id: "ch_1" }, revision: 7, faults: [] });
    assert.deepEqual(both("id: intro\nrevision: 7"), { fields: {}, faults: [] });
    assert.deepEqual(both("id: ch_1\nrevision: b"), { fields: { id: "ch_1" }, faults: [] });
  });

  it("refuses what an export wrote and it cannot read, naming file and key or line", () => {
    const own = (block: string) => read(`id: ch_1\n${block}`);
    assert.throws(() => own("title: [a, b]"), /01\.md: title in its front matter must be text/);
    assert.throws(
      () => own("title: one\ntitle: two"),
      /01\.md: its front matter is not valid YAML: .* in line 4\./,
    );
    assert.throws(() => own("title: a: b"), /01\.md: .* in line 3\./);
    assert.throws(() => own(many), /01\.md: its front matter has \d+ characters, and at most 131072/);
    assert.throws(() => read("<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> x"), /merge/);
  });

  it("takes of any other what is of use, and says what is not", () => {
    const cases: readonly (readonly [string, object, readonly RegExp[]])[] = [
      [
        "title: [a, b]\npart: {a: b}\nsynopsis: s",
        { synopsis: "s" },
        [/^title in .*must be text; it stays/, /^part/],
      ],
      ["title: [One]\nstatus:\n  - Done", { title: "One", status: "done" }, []],
      ["title: 7\ntags: [a, {b: c}]\ngoal: 50k\ndate: 2026-13-45", { title: "7" }, []],
      ["title: a\ntitle: b\nx: 1\nx: 2", { title: "a" }, [/says title twice; the first is taken/]],
      ["title: a: b", {}, [/stays as it is and says nothing: it is not valid YAML: .* in line 2/]],
      ["title: *gone", {}, []],
      [many, {}, [/it has \d+ characters/]],
      [`synopsis: ${"x".repeat(20_001)}`, {}, [/^synopsis .* at most 20000 characters, got 20001/]],
      [`title: ${"x".repeat(501)}`, {}, [/^title .* at most 500/]],
      ['title: "a\\x01b"', {}, [/^title .* holds a control character/]],
      [
        "status: Weird",
        { status: "draft" },
        [/^its status “Weird” is none of draft, revising, done; draft is taken/],
      ],
      ["status: [a, b]", {}, [/^status/]],
    ];
    for (const [block, fields, faults] of cases) {
      const found = readFields(yaml, `---\n${block}\n---\n`, "01.md");
      assert.deepEqual(found.fields, fields, block);
      assert.equal(found.faults.length, faults.length, found.faults.join("\n"));
      for (const [index, fault] of faults.entries()) assert.match(found.faults[index]!, fault); // as many
    }
  });

  it("folds a writer's words for the three of a status; an empty one says nothing", () => {
    const words = {
      draft: ["Draft", "first draft", "in progress", "In-Progress", "1st Draft", "WIP", "to do"],
      revising: ["Revising", "revised", "Second Draft", "editing", "needs revision"],
      done: ["Done", "final", "Final Draft", "complete", "finished"],
    };
    for (const [status, labels] of Object.entries(words))
      for (const label of labels) assert.deepEqual(read(`status: ${label}`), { status }, label);
    for (const empty of ["", " ''", " null", " ~"]) assert.deepEqual(read(`status:${empty}`), {});
  });

  it("evaluates nothing and unfolds no alias bomb", () => {
    assert.deepEqual(read('title: !!js/function "function () { process.exit() }"'), {
      title: "function () { process.exit() }",
    });
  });
});

const FIELDS = { id: "ch_1", title: "The Storm", part: "One", status: "draft", synopsis: "", revision: 3 };
const isPart = (said: string, title: string | null) => said === title;

describe("newBlock", () => {
  it("gives back what was written, whatever the text", () => {
    for (const title of [
      "The Storm",
      "Title: with colon",
      "- dash",
      "#1",
      "yes",
      "007",
      "“Quotes”",
      "a\nb",
      'He said "no"',
      "null",
      "Ünïcode é",
    ]) {
      const fields = { ...FIELDS, title, part: title, synopsis: title };
      const { frontMatter } = split(`${newBlock(fields)}Text.\n`);
      const { part: _, revision, ...said } = fields;
      assert.deepEqual(readFields(yaml, frontMatter, "x"), { fields: said, revision, faults: [] }, title);
    }
  });

  it("leaves out what is nothing, and quotes only what needs it", () => {
    assert.equal(newBlock(FIELDS), "---\ntitle: The Storm\nstatus: draft\nid: ch_1\nrevision: 3\n---\n\n");
  });
});

describe("updatedBlock", () => {
  const update = (block: string, fields: Partial<Omit<typeof FIELDS, "part">> & { part?: string | null }) =>
    updatedBlock(yaml, block, { ...FIELDS, ...fields }, isPart);

  it("leaves a block alone that says the truth, whatever its form", () => {
    for (const block of [
      "---\ntitle:   The Storm   # mine\npart: 'One'\n---\n\n\n",
      "---\r\ntitle: The Storm\r\n---\r\n",
      "---\npov: Mara\n...\n",
      "---\nsynopsis: ''\nstatus: draft\nid: ch_1\n---\n",
      "---\nstatus: First Draft\nid: ch_1\n---\n",
      "---\nstatus: Weird # mine\n---\n",
      "---\nstatus:\n---\n",
      "---\nstatus: [a, b]\ntitle: [x, y]\nsynopsis: [z, z]\n---\n",
      "---\ntitle: a: b\n---\n",
    ]) {
      assert.equal(update(block, {}), block);
    }
  });

  it("changes the revision that an export wrote, and no key of another program's", () => {
    const block = "---\nid: ch_1\nrevision: 2 # then\n---\n";
    assert.equal(update(block, {}), "---\nid: ch_1\nrevision: 3 # then\n---\n");
    const foreign = "---\nid: intro\nrevision: B\n---\n";
    assert.equal(update(foreign, {}), foreign);
  });

  it("changes what is wrong and not a byte beside it", () => {
    const block =
      "---\n# about\ntitle:   Calm # mine\npov: 'Mara'\npart: Two\n\ntags: [sea,  night]\n---\n\n";
    const expected =
      "---\n# about\ntitle:   The Storm # mine\npov: 'Mara'\npart: One\n\ntags: [sea,  night]\n---\n\n";
    assert.equal(update(block, {}), expected);
    assert.equal(update("---\r\ntitle: Calm\r\n---\r\n\r\n", {}), "---\r\ntitle: The Storm\r\n---\r\n\r\n");
  });

  it("gives every form of a value its new one", () => {
    for (const value of [
      "",
      " Calm",
      " 'Calm'",
      ' "Calm"',
      " |\n  Calm\n  sea",
      " >-\n  Calm",
      " &a Calm",
      " 7",
      " # only a comment",
    ]) {
      const updated = update(`---\nsynopsis:${value}\npov: Mara # hers\n---\n`, { synopsis: "A: storm" });
      assert.equal(readFields(yaml, updated, "x").fields.synopsis, "A: storm", value);
      assert.match(updated, /\npov: Mara # hers\n---\n$/);
      const cleared = update(`---\nsynopsis:${value}\npov: Mara # hers\n---\n`, {});
      assert.equal(readFields(yaml, cleared, "x").fields.synopsis ?? "", "", value);
      assert.match(cleared, /\npov: Mara # hers\n---\n$/);
    }
  });

  it("adds a status or synopsis that the block lacks, and drops a part that is none", () => {
    assert.equal(
      update("---\ntitle: The Storm\n---\n", { status: "done" }),
      "---\ntitle: The Storm\nstatus: done\n---\n",
    );
    assert.equal(update("---\npart: Two\npov: Mara\n---\n", { part: null }), "---\npov: Mara\n---\n");
    assert.equal(update("---\n# mine\n---\n", { status: "done" }), "---\n# mine\nstatus: done\n---\n");
  });

  it("changes keys in braces, with every other key still there", () => {
    assert.equal(
      update("---\n{title: Calm, part: Two, pov: [a, b]} # mine\n---\n", {
        title: "A, B",
        part: null,
        status: "done",
      }),
      '---\n{title: "A, B", pov: [a, b], status: done} # mine\n---\n',
    );
  });

  it("adds a key above comments at the end, and takes no blank line from a value that keeps them", () => {
    assert.equal(
      update("---\npov: Mara\n# the end\n---\n", { status: "done", synopsis: "Calm" }),
      "---\npov: Mara\nstatus: done\nsynopsis: Calm\n# the end\n---\n",
    );
    assert.equal(
      update("---\npov: |+\n  Mara\n\npart: Two\n\nmood: dark\n---\n", { part: null }),
      "---\npov: |+\n  Mara\n\nmood: dark\n---\n",
    );
    for (const [indicator, blank] of [
      ["|+", "\n\n"],
      ["|", ""],
    ]) {
      const block = `---\npov: ${indicator}\n  Mara\n\n---\n`;
      const updated = update(block, { status: "done" });
      const { pov } = yaml.parse(updated.replaceAll("---\n", ""));
      assert.equal(pov, `Mara${blank || "\n"}`, updated);
    }
  });
});
