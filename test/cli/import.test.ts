import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { fits } from "./fits.ts";
import { shell, withBook } from "./shell.ts";

describe("import --diff", () => {
  it("tells every paragraph of a new chapter as new", async (t) => {
    const sh = await withBook(t);
    writeFileSync(`${sh.cwd}/new.md`, "# New\n\nOne line.\n\n- An entry.\n");
    const { chapters } = fits(await sh("import", "new.md", "--title", "Other", "--diff", "--json"), "import");
    const told = chapters.map(({ words, paragraphs, changes }) => ({ words, paragraphs, changes }));
    assert.deepEqual(told, [
      {
        words: { added: 5, removed: 0 },
        paragraphs: { kept: 0, moved: 0, edited: 0, new: 3, removed: 0 },
        changes: told[0]?.changes,
      },
    ]);
    assert.equal(told[0]?.changes?.length, 3);
  });
});

describe("import", () => {
  it("makes one line of a title or name with several, says so of a chapter, and stays in step", async (t) => {
    const sh = shell(t);
    await sh("init");
    mkdirSync(`${sh.cwd}/b/P`, { recursive: true });
    const write = (file: string, text: string) => writeFileSync(`${sh.cwd}/b/${file}`, text);
    write("P/01.md", '---\ntitle: "A\\nB"\nmine: 1\n---\nOne.\n');
    write("02.md", "---\npart: |\n  R\n  S\n---\nTwo.\n");
    const list = 'parts:\n  - title: "P\\nQ"\n    folder: P\nchapters:\n  - P/01.md\n  - 02.md\n';
    write("book.yaml", `title: "T\\nU"\n${list}`);
    write("facts.yaml", '- name: "Ma\\nra"\n  aliases: ["x\\ty"]\n  attributes: {"k\\nl": "v\\nw"}\n');
    assert.match(
      (await sh("import", "b")).stdout,
      /^P\/01\.md: its title has several lines; they are taken as one$/m,
    );
    const { title, parts, chapters } = (await sh("outline", "--json")).json<{
      title: string;
      parts: { title: string; chapterIds: string[] }[];
      chapters: { title: string }[];
    }>();
    assert.deepEqual(
      [title, parts.map((part) => [part.title, part.chapterIds.length]), chapters[0]?.title],
      [
        "T U",
        [
          ["P Q", 1],
          ["R S", 1],
        ],
        "A B",
      ],
    );
    const { facts } = (await sh("facts", "list", "--json")).json<{ facts: Record<string, unknown>[] }>();
    assert.deepEqual(
      facts.map(({ name, aliases, attributes }) => [name, aliases, attributes]),
      [["Ma ra", ["x y"], [{ key: "k l", value: "v\nw" }]]],
    );
    await sh("export", "-o", "out");
    const own = `${sh.cwd}/out/P/01.md`;
    writeFileSync(own, readFileSync(own, "utf8").replace("title: A B", 'title: "A\\nC"'));
    assert.match((await sh("sync", "out")).stdout, /A C/);
    assert.match(readFileSync(own, "utf8"), /^title: A C$/m);
    assert.match((await sh("sync", "out")).stderr, /Nothing has changed/);
  });
});

describe("import --dry-run", () => {
  it("says what each chapter would come to, word by word, and ends as --exit-code has it", async (t) => {
    const sh = await withBook(t);
    const changed = "# The Lamp\n\nMara lit the old lamp. Tobit did not look up.\n\nThen he did.\n";
    const folder = `${sh.cwd}/draft`;
    await sh("export", "1", "-o", folder);
    const file = `${folder}/02-the-lamp.md`;
    const same = ["import", folder, "--book", "1", "--dry-run", "--exit-code"];
    assert.equal((await sh(...same)).exit, 0);
    const { id } = (await sh("show", "2", "--json")).json();
    writeFileSync(file, `---\ntitle: The Lamp\nid: ${id}\n---\n\n${changed}`);
    const { stdout, exit } = await sh(...same, "--diff");
    assert.equal(exit, 1);
    assert.match(
      stdout,
      /would update {2}ch_\w+ {2}The Lamp +\d+ words {2}\+4 −0 words, 1 paragraph to edit, 1 to add\n/,
    );
    assert.match(stdout, /^same: 1 chapter$/m);
    assert.match(stdout, /edit {2}Mara lit the \{\+old \+\}lamp\./);
    const planned = fits(
      await sh("import", folder, "--book", "1", "--dry-run", "--diff", "--json"),
      "import",
    );
    const done = fits(await sh("import", folder, "--book", "1", "--diff", "--json"), "import");
    const brief = ({ chapters }: typeof done) =>
      chapters.map(({ status, words, paragraphs }) => ({ status, words, paragraphs }));
    assert.deepEqual(brief(planned), brief(done));
    assert.equal((await sh(...same)).exit, 0);
    assert.ok((await sh("import", "nowhere/", "--exit-code")).exit >= 2);
    writeFileSync(file, readFileSync(file, "utf8").replace("old lamp", "red lamp"));
    assert.match((await sh(...same)).stdout, / \+1 −1 words, 1 paragraph to edit\n/);
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0xfd]));
    assert.ok((await sh(...same)).exit >= 2);
  });
});

describe("import", () => {
  it("says which note moved with a paragraph that was joined to another", async (t) => {
    const sh = await withBook(t);
    const doc = (await sh("show", "1", "--format", "doc")).json<{
      content: { attrs: { blockId: string } }[];
    }>();
    const [, first, second] = doc.content.map(({ attrs }) => attrs.blockId);
    const note = (await sh("notes", "add", "1", "Too dark?", "--block", second ?? "", "--json")).json();
    await sh("export", "1", "-o", "out");
    const file = `${sh.cwd}/out/01-the-ferry.md`;
    writeFileSync(file, readFileSync(file, "utf8").replace("ringing.\n\n", "ringing. "));
    const { stdout } = await sh("import", "out", "--book", "1", "--dry-run");
    assert.match(stdout, /1 removed|1 to remove/);
    assert.match(stdout, /, 1 note to move along$/m);
    const { chapters } = fits(await sh("import", "out", "--book", "1", "--json"), "import");
    assert.deepEqual(chapters[0]?.snippetsMoved, [{ id: note.id, from: second, to: first }]);
    assert.deepEqual(chapters[0]?.snippetsDetached, []);
  });
});

describe("import --split", () => {
  it("makes a chapter of each heading, as one act, and loses not a byte", async (t) => {
    const sh = await withBook(t);
    const text = "By nobody.\n\n# One\n\nFirst.\n\n# Two\n\nSecond.\n";
    writeFileSync(`${sh.cwd}/whole.md`, text);
    const { title, chapters } = fits(await sh("import", "whole.md", "--split", "1", "--json"), "import");
    assert.equal(title, "whole");
    assert.deepEqual(
      chapters.map((chapter) => chapter.title),
      ["Untitled", "One", "Two"],
    );
    assert.equal((await sh("export", "whole", "--plain", "-o", "-")).stdout, text);
    assert.equal((await sh("import", "whole.md", "--split", "3")).exit, 2);
    assert.equal((await sh("import", "whole.md", "--split", "1", "--book", "1")).exit, 2);
    assert.equal((await sh("import", ".", "--split", "1")).exit, 2);
    const stdin = sh.with({ stdin: text });
    assert.equal(fits(await stdin("import", "-", "--split", "1", "--json"), "import").chapters.length, 3);
  });
});

describe("a file with signs of other programs", () => {
  it("is counted, shown and found as it is read, and comes back byte for byte", async (t) => {
    const sh = await withBook(t);
    const written =
      "# Cold\n\n1984. It was [[Winter|cold]] %%check%% then.\n\n#\n\n::: {.verse}\nA clock.\n:::\n\n![[map.png|300]]\n\n\\newpage\n";
    writeFileSync(`${sh.cwd}/cold.md`, written);
    const { bookId } = fits(await sh("import", "cold.md", "--title", "Cold", "--json"), "import");
    const chapter = (await sh("show", "cold", "--book", String(bookId), "--json")).json();
    assert.equal(chapter.wordCount, 8);
    assert.match(String(chapter.text), /^Cold\n\n1984\. It was cold {2}then\.\n\n\* \* \*\n\nA clock\.\s*$/);
    assert.match((await sh("search", "1984", "--book", String(bookId))).stdout, /1984\. It was/);
    const shown = await sh("show", String(chapter.id), "--format", "markdown");
    assert.equal(shown.stdout, written, shown.stderr);
  });
});

describe("what an import cannot read as it is", () => {
  it("is named with the way to read it, and --encoding reads what is only old", async (t) => {
    const sh = await withBook(t);
    const put = (file: string, bytes: string | Buffer) => writeFileSync(`${sh.cwd}/old/${file}`, bytes);
    mkdirSync(`${sh.cwd}/old`);
    put("01-a.md", Buffer.from("# One\n\nCaf\xe9 \x93so\x94.\n", "latin1"));
    put("02-b.md", Buffer.from("# Two\n\nCaf\xe9.\n", "latin1"));
    put("03-c.md", Buffer.from("\ufeff# Three\n\nCaf\u00e9.\n", "utf16le"));
    put("~$1-a.md", Buffer.from([5, 0, 0xff]));
    const refused = await sh("import", "old");
    assert.equal(refused.exit, 2);
    assert.match(refused.stderr, /01-a\.md is not UTF-8; nothing .*add --encoding windows-1252/);
    assert.match((await sh("import", "old/03-c.md")).stderr, /03-c\.md is UTF-16; .*Add --encoding utf-16le/);
    assert.equal((await sh("import", "old", "--encoding", "martian")).exit, 2);
    assert.equal((await sh("import", "old", "--encoding", "latin1", "--title", "Old")).exit, 0);
    assert.match((await sh("show", "1", "--book", "Old")).stdout, /Caf\u00e9 \u201cso\u201d\./);
    assert.match((await sh("show", "3", "--book", "Old")).stdout, /Caf\u00e9\./);
    put("04-d.md", "# Four\n\nA caf\u00e9\u0000 at dusk.\n");
    const mixed = await sh("import", "old", "--encoding", "latin1");
    assert.match(mixed.stderr, /04-d\.md.*control character/);
    put("02-b.md", Buffer.from("# Two\n\nCaf\xe9\x02.\n", "latin1"));
    assert.equal((await sh("import", "old", "--encoding", "latin1", "--clean", "--title", "New")).exit, 0);
    assert.match((await sh("show", "4", "--book", "New")).stdout, /A caf\u00e9 at dusk\./);
  });

  for (const [bytes, called] of [
    ["\x89PNG\r\n\x1a\n\0\xff", "a picture"],
    ["SQLite format 3\0\x10\xff", "a manuscript or another database"],
    ["PK\x03\x04\xff word/document.xml", "a Word document"],
  ] as const)
    it(`is told to be ${called}, under whatever name`, async (t) => {
      const sh = await withBook(t);
      mkdirSync(`${sh.cwd}/some`);
      writeFileSync(`${sh.cwd}/some/a.md`, Buffer.from(bytes, "latin1"));
      for (const path of ["some", "some/a.md"])
        assert.match((await sh("import", path)).stderr, new RegExp(`a\\.md is ${called}|a\\.md is damaged`));
    });

  it("is an address, or a folder with a few texts among files of a system", async (t) => {
    const sh = await withBook(t);
    const address = await sh("import", "https://example.org/a.md");
    assert.equal(address.exit, 2);
    assert.match(address.stderr, /is an address/);
    mkdirSync(`${sh.cwd}/etc`);
    for (const name of ["hosts", "passwd", "fstab", "rgb.txt"])
      writeFileSync(`${sh.cwd}/etc/${name}`, "x 1\n");
    assert.match((await sh("import", "etc")).stderr, /holds no chapter/);
    for (const path of ["/", "/etc", "/usr"]) {
      const { exit, stdout, stderr } = await sh("import", path);
      const said = `manuscript: ${path} is a folder of the system, not a book; name the book's own folder.\n`;
      assert.deepEqual([exit, stdout, stderr], [EXIT.usage, "", said]);
    }
  });

  it("is the file by which Word marks a document as open", async (t) => {
    const sh = await withBook(t);
    for (const name of ["~$lock.md", "~$apter.docx", ".~lock.a.odt#"]) {
      writeFileSync(`${sh.cwd}/${name}`, "Anne\n");
      const { exit, stderr } = await sh("import", name);
      assert.equal(exit, EXIT.usage);
      assert.match(
        stderr,
        /is no manuscript: Word or LibreOffice writes it while .*Import the document itself/,
      );
    }
  });
});

describe("a chapter's file", () => {
  for (const [name, text, title, told] of [
    ["2024-05-01.md", "Rain.\n", "2024-05-01", /^$/],
    ["2024-05-02-a-walk.md", "Rain.\n", "2024-05-02 a walk", /^$/],
    ["2024-05.md", "Rain.\n", "2024-05", /^$/],
    ["07-storm.md", "Rain.\n", "storm", /^$/],
    ["a.md", '+++\ntitle = "Storm"\n[x]\ntitle = "no"\n+++\n\nRain.\n', "Storm", /front matter in TOML/],
    ["a.md", '{\n  "title": "Storm"\n}\n\nRain.\n', "Storm", /front matter in JSON/],
    ["a.md", "---\ntitle: Storm\nstatus: WIP\n---\nRain.\n", "Storm", /status “WIP” is taken as draft/],
    ["a.md", "---\ntitle: Storm\nstatus: draft\n---\nRain.\n", "Storm", /^$/],
  ] as const)
    it(`${name} of ${JSON.stringify(text)} is called ${title}`, async (t) => {
      const sh = await withBook(t);
      writeFileSync(`${sh.cwd}/${name}`, text);
      const { chapters } = fits(await sh("import", name, "--title", "New", "--json"), "import");
      assert.equal(chapters[0]?.title, title);
      assert.match((chapters[0]?.warnings ?? []).join(), told);
      const shown = await sh("show", String(chapters[0]?.id), "--format", "markdown");
      assert.equal(shown.stdout, text.replace(/^---.*---\n/s, ""));
    });
});
