import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { EXIT } from "../../src/contract/problems.ts";
import { PIXEL } from "../publish/book.ts";
import { fits } from "./fits.ts";
import { withBook } from "./shell.ts";

describe("export -o with the name of a single document", () => {
  const SAID: Readonly<Record<string, RegExp>> = {
    "book.odt": /an OpenDocument.*Make a Word document.*manuscript export 'The Ferry Book' -o book\.docx$/m,
    "book.rtf": /RTF.*-o book\.docx$/m,
    "book.pages": /of Pages.*-o book\.docx$/m,
    "book.json": /-f json -o book\.json$/m,
  };

  it("is refused, with the command that makes one", async (t) => {
    const sh = await withBook(t);
    const before = readdirSync(sh.cwd);
    for (const [name, said] of Object.entries(SAID)) {
      const { exit, stderr } = await sh("export", "The Ferry Book", "-o", name);
      assert.deepEqual([name, exit], [name, EXIT.usage]);
      assert.match(stderr, said);
    }
    assert.deepEqual(readdirSync(sh.cwd), before);
  });

  it("goes on with a folder of such a name that is there", async (t) => {
    const sh = await withBook(t);
    mkdirSync(join(sh.cwd, "ferry.md"));
    assert.equal((await sh("export", "-o", "ferry.md")).exit, EXIT.done);
    assert.ok(existsSync(join(sh.cwd, "ferry.md", "book.yaml")));
  });
});

describe("export of one text", () => {
  const LAMP = "# The Lamp\n\nMara lit the lamp. Tobit did not look up.\n";

  it("is the Markdown of the chapters that are named, to stdout or into a file", async (t) => {
    const sh = await withBook(t);
    await sh("chapter", "add", "Fog & *Co*", "Nobody *came*.\n\n## Later\n\nStill nobody.");
    const written = "# Fog & \\*Co\\*\n\nNobody *came*.\n\n## Later\n\nStill nobody.\n";
    const { exit, stdout } = await sh("export", "-f", "markdown", "--chapters", "2-3");
    assert.deepEqual([exit, stdout], [EXIT.done, `${LAMP}\n${written}`]);
    const named = await sh("export", "-o", "fog.md", "-f", "markdown", "--chapters", "3", "--json");
    const { file, chapters, format } = fits(named, "export -f docx");
    assert.deepEqual([chapters, format, readFileSync(file, "utf8")], [1, "markdown", written]);
    assert.equal((await sh("export", "-o", "book.md")).exit, EXIT.done);
    assert.equal((await sh("import", "book.md", "--title", "Again", "--split", "1")).exit, EXIT.done);
    assert.match((await sh("outline", "Again")).stdout, /3 {2}ch_\w+ {2}Fog & \*Co\*/);
    writeFileSync(join(sh.cwd, "book.md"), "edited");
    assert.equal((await sh("export", "1", "-o", "book.md")).exit, EXIT.wouldLose);
  });

  it("is plain with -f txt, and may be the book as it was", async (t) => {
    const sh = await withBook(t);
    await sh("chapter", "add", "Fog", "Nobody *came*.");
    await sh("milestone", "add", "Before");
    await sh.with({ stdin: "Everybody came.\n" })("write", "3", "--yes", "--force");
    const text = async (...words: string[]) => (await sh("export", "-f", "txt", ...words)).stdout;
    assert.equal(await text("--chapters", "3"), "Fog\n\nEverybody came.\n");
    assert.equal(await text("--chapters", "3", "--at", "Before"), "Fog\n\nNobody came.\n");
    assert.match(await text(), /^The Ferry\n\nMara came down to the ferry .*\n\nThe Lamp\n\n/s);
    assert.equal((await sh("export", "-o", "a.txt")).exit, EXIT.done);
    assert.equal(readFileSync(join(sh.cwd, "a.txt"), "utf8"), await text());
  });

  it("refuses --json on stdout, chapters that are not there, and what no text has", async (t) => {
    const sh = await withBook(t);
    for (const [words, said] of [
      [["-f", "txt", "--json"], /goes to stdout, so --json cannot; name a file with -o/],
      [["-f", "txt", "--chapters", "9"], /There is no chapter 9; the book has 2 chapters/],
      [["-f", "markdown", "--chapters", "1", "--notes", "todo"], /leave them out of -f markdown/],
      [["--chapters", "1"], /--chapters is of a document; name its format with -f: markdown, txt, docx/],
    ] as const) {
      const { exit, stdout, stderr } = await sh("export", ...words);
      assert.equal(exit, EXIT.usage);
      assert.match(stdout + stderr, said);
    }
  });
});

describe("export -f docx", () => {
  it("and the others are known by the ends of their names", async (t) => {
    const sh = await withBook(t);
    for (const [name, format] of [
      ["a.EPUB", "epub"],
      ["a.html", "html"],
      ["a.review.html", "review"],
    ])
      assert.equal((await sh("export", "-o", name!, "--json")).json().format, format); // of the list
    await sh("export", "-f", "review");
    assert.ok(existsSync(join(sh.cwd, "the-ferry-book.review.html")));
    const bare = sh.with({ env: { PATH: "" } });
    const { exit, stderr } = await bare("export", "-o", "a.pdf");
    assert.deepEqual([exit, existsSync(join(sh.cwd, "a.pdf"))], [EXIT.usage, false]);
    assert.match(stderr, /typeset by Chromium.*-f html/);
    assert.match((await sh("export", "-f", "html", "--notes", "todo")).stderr, /comments of a Word document/);
  });

  it("prints a PDF by the browser that is found, also where the home takes no file", {
    skip: process.platform !== "linux",
  }, async (t) => {
    const sh = await withBook(t);
    const write = `case "$word" in --print-to-pdf=*) printf %%PDF-1.7 > "\${word#*=}";; esac`;
    const script = `#!/bin/sh\nfor word; do ${write}; done\n`;
    writeFileSync(join(sh.cwd, "chromium"), script, { mode: 0o700 });
    for (const HOME of [sh.cwd, join(sh.cwd, "none")]) {
      const { exit, stderr } = await sh.with({ env: { PATH: sh.cwd, HOME } })(
        "export",
        "-o",
        "a.pdf",
        "--force",
      );
      assert.equal(exit, EXIT.done, stderr);
      assert.equal(readFileSync(join(sh.cwd, "a.pdf"), "utf8"), "%PDF-1.7");
    }
    assert.deepEqual(
      readdirSync(sh.cwd).filter((name) => name.startsWith("manuscript-print")),
      [],
    );
  });

  it("is meant by the name alone, and stands alone in a folder that is there", async (t) => {
    const sh = await withBook(t);
    const named = await sh("export", "-o", "a.docx", "--json");
    const { file, bytes, chapters } = named.json<{ file: string; bytes: number; chapters: number }>();
    assert.equal(file, join(sh.cwd, "a.docx"));
    assert.equal(readFileSync(file).length, bytes);
    mkdirSync(join(sh.cwd, "out"));
    assert.equal((await sh("export", "-f", "docx", "-o", "out")).exit, EXIT.done);
    assert.deepEqual(readdirSync(join(sh.cwd, "out")), ["the-ferry-book.docx"]);
    assert.ok(chapters > 1);
    const piped = await sh("export", "-f", "docx", "-o", "-");
    assert.deepEqual(piped.bytes, readFileSync(file));
  });

  it("does not write over what an editor may have changed", async (t) => {
    const sh = await withBook(t);
    await sh("export", "-o", "a.docx");
    assert.equal((await sh("export", "-o", "a.docx")).exit, EXIT.done); // the same
    writeFileSync(join(sh.cwd, "a.docx"), "edited");
    const { exit, stderr } = await sh("export", "-o", "a.docx");
    assert.equal(exit, EXIT.wouldLose);
    assert.match(stderr, /a\.docx is there already.*--force/);
    assert.equal(readFileSync(join(sh.cwd, "a.docx"), "utf8"), "edited");
    assert.equal((await sh("export", "-o", "a.docx", "--force")).exit, EXIT.done);
  });

  it("takes some chapters, and refuses those that are not there or that make no sense", async (t) => {
    const sh = await withBook(t);
    const some = await sh("export", "-o", "a.docx", "--chapters", "2", "--json");
    assert.equal(some.json().chapters, 1);
    assert.match(
      (await sh("export", "-o", "b.docx", "--chapters", "99")).stderr,
      /There is no chapter 99; the book has \d/,
    );
    assert.equal((await sh("export", "-o", "b.docx", "--chapters", "3-2")).exit, EXIT.usage);
    assert.match((await sh("export", "--notes", "todo")).stderr, /--notes is of a document.*docx/);
    assert.match(
      (await sh("export", "-o", "b.docx", "--notes", "x")).stderr,
      /note, reference, todo, research/,
    );
    assert.match((await sh("export", "-o", "b.docx", "--plain")).stderr, /leave out --plain/);
    assert.ok(!existsSync(join(sh.cwd, "b.docx")));
  });

  it("shows notes only if they are asked for", async (t) => {
    const sh = await withBook(t);
    await sh("notes", "add", "Check the tide tables", "--chapter", "1");
    const part = async (...options: string[]) => {
      const { bytes } = await sh("export", "-f", "docx", "-o", "-", ...options);
      return strFromU8(unzipSync(bytes)["word/comments.xml"] ?? new Uint8Array());
    };
    assert.equal(await part(), "");
    assert.equal(await part("--notes", "todo"), "");
    assert.match(await part("--notes", "all"), /Check the tide tables/);
  });

  it("shows the pictures that the manuscript keeps, and the cover, once their folder is gone", async (t) => {
    const sh = await withBook(t);
    const book = join(sh.cwd, "pictured");
    mkdirSync(join(book, "parts", "img"), { recursive: true });
    writeFileSync(
      join(book, "parts", "01-one.md"),
      "# One\n\n![The quay](img/a%20b.png)\n\n![[c.png|200]] ![](gone.png)\n",
    );
    writeFileSync(
      join(book, "book.yaml"),
      "title: Pictured\ncover: front.png\nchapters:\n  - parts/01-one.md\n",
    );
    for (const file of ["parts/img/a b.png", "parts/img/c.png", "front.png"])
      writeFileSync(join(book, file), PIXEL);
    await sh("import", "pictured");
    rmSync(book, { recursive: true });
    const files = async (format: string) =>
      unzipSync((await sh("export", "Pictured", "-f", format, "-o", "-")).bytes);
    const word = await files("docx");
    assert.deepEqual(Object.keys(word).filter((name) => name.includes("media/")).length, 2);
    assert.match(strFromU8(word["word/document.xml"]!), /descr="The quay".*\[gone\.png\]/); // each has one
    const epub = await files("epub");
    assert.equal(Object.keys(epub).filter((name) => name.includes("pictures/")).length, 2);
    assert.deepEqual(Buffer.from(epub["EPUB/cover.png"] ?? []), PIXEL);
  });
});

describe("what a book does not name of itself", () => {
  const LATE =
    "# One\n\nThe ferry was late, and she waited for it at the end of the quay, but he did not come.\n";

  it("is named once as it goes to shops and agents, and its language is guessed", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: LATE })("import", "-", "--title", "Late");
    const guess = "The language is taken to be English (en); to set it: manuscript book edit --language en";
    for (const format of ["epub", "docx"]) {
      const { stderr, bytes } = await sh("export", "Late", "-f", format, "-o", "-");
      assert.equal(
        stderr,
        `${guess}\nNo author, which shops and agents ask for: manuscript book edit --author …\n`,
      );
      const part = format === "epub" ? "EPUB/package.opf" : "docProps/core.xml";
      assert.match(strFromU8(unzipSync(bytes)[part]!), /<dc:language>en<\/dc:language>/); // each has one
    }
    const page = await sh("export", "Late", "-f", "html", "-o", "-");
    assert.deepEqual([page.stderr, /<html lang="en">/.test(page.stdout)], [`${guess}\n`, true]);
    const { omitted } = (await sh("export", "Late", "-f", "epub", "--json")).json();
    assert.deepEqual(omitted, [
      guess,
      "No author, which shops and agents ask for: manuscript book edit --author …",
    ]);
  });

  it("is no guess where the words do not tell, and nothing is said of a book that names it", async (t) => {
    const sh = await withBook(t);
    await sh.with({ stdin: "Prose.\n" })("import", "-", "--title", "Short");
    const short = () => sh("export", "Short", "-f", "docx", "-o", "-");
    assert.equal(
      (await short()).stderr,
      "No author and no language, which shops and agents ask for: manuscript book edit --author … --language …\n",
    );
    await sh("book", "edit", "Short", "--author", "Ada", "--language", "de", "--identifier", "978-3-1");
    const { stderr, bytes } = await short();
    assert.equal(stderr, "");
    assert.match(
      strFromU8(unzipSync(bytes)["docProps/core.xml"]!), // each has one
      /<dc:creator>Ada<\/dc:creator><dc:identifier>978-3-1<\/dc:identifier><dc:language>de</,
    );
  });
});
