import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { plantSample } from "../../src/files/sample.ts";
import { desk, type Files } from "../files/layouts/desk.ts";
import { manuscript } from "../support/sandbox.ts";
import { fits } from "./fits.ts";
import { shell } from "./shell.ts";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 0xff]);

const BOOK: Files = {
  "one/01.md": [
    "# One",
    "",
    "![The map](../images/the%20map.png) and again ![map](<../images/the map.png>), ![gone](gone.jpg).",
    "",
    "![web](https://example.com/x.png) ![data](data:image/png;base64,AAAA) `![code](code.png)` ![out](../../out.png)",
  ],
  "two/02.md": [
    '<img alt="x" src="/images/root.svg">',
    "",
    "| a |\n|---|\n| ![t](cell.png) |",
    "",
    "![[deep.webp|300]] [not](one.png)",
  ],
  "images/the map.png": PNG,
  "images/root.svg": "<svg/>",
  "two/cell.png": PNG,
  "attic/deep.webp": PNG,
  "images/unused.png": PNG,
};

describe("pictures", () => {
  it("are named once when they come in, those that are not there too", async (t) => {
    const { sh, take, put } = await desk(t, BOOK);
    const { stdout, stderr } = await sh("import", put({}), "--dry-run");
    assert.match(
      stderr,
      /^Pictures kept in the manuscript: images\/the map\.png, images\/root\.svg, two\/cell\.png\.\nPictures that stay in their folder alone: attic\/deep\.webp: it is not a picture of the type that its name says\.$/m,
    );
    assert.match(
      stderr,
      /^Pictures that are not there: one\/gone\.jpg \(one\/01\.md\), \.\.\/out\.png \(one\/01\.md\)\.$/m,
    );
    assert.equal(stderr.match(/the map\.png/g)?.length, 1, stderr);
    assert.match(stderr, /Left out images\/unused\.png: not Markdown/);
    assert.doesNotMatch(stdout, /png/);
    const { pictures, skipped } = await take();
    assert.deepEqual(
      pictures.map(({ file, isThere }) => `${isThere} ${file}`),
      [
        "true images/the map.png",
        "false one/gone.jpg",
        "false ../out.png",
        "true images/root.svg",
        "true two/cell.png",
        "true attic/deep.webp",
      ],
    );
    assert.deepEqual(
      skipped.map(({ file }) => file),
      ["images/unused.png"],
    );
    assert.deepEqual((await take()).pictures, [], "nothing new came in");
  });

  for (const option of ["--plain", "--as-imported", "--block-ids", "--force"])
    it(`come with an export (${option}), and what no folder has is named`, async (t) => {
      const { sh, take, put } = await desk(t, BOOK);
      const source = put({});
      await take();
      const { pictures } = fits(await sh("export", "1", option, "-o", "out", "--json"), "export");
      assert.deepEqual(
        pictures.map(({ file, status }) => `${status} ${file}`),
        [
          "copied images/the map.png",
          "missing one/gone.jpg",
          "missing ../out.png",
          "copied images/root.svg",
          "copied two/cell.png",
          "copied attic/deep.webp",
        ],
      );
      for (const file of ["images/the map.png", "two/cell.png", "attic/deep.webp"])
        assert.ok(readFileSync(join(sh.cwd, "out", file)).equals(PNG), file);
      assert.ok(!existsSync(join(sh.cwd, "out/images/unused.png")));
      writeFileSync(join(sh.cwd, "out/images/root.svg"), "<svg>mine</svg>");
      renameSync(source, `${source}-gone`);
      const again = await sh("export", "1", option, "-o", "out");
      assert.equal(
        again.stderr,
        "Pictures that neither the manuscript nor a known folder has; put them there: one/gone.jpg (one/01.md), ../out.png (one/01.md).\n",
      );
      assert.equal(
        readFileSync(join(sh.cwd, "out/images/root.svg"), "utf8"),
        "<svg>mine</svg>",
        "a picture that is there stays",
      );
      // From the folder of an export, too, once the first is gone.
      const third = fits(await sh("export", "1", option, "-o", "third", "--json"), "export");
      assert.equal(third.pictures[0]?.status, "copied");
    });

  it("are named where a book goes to stdout or into a bundle", async (t) => {
    const { sh, take } = await desk(t, BOOK);
    await take();
    const left = /^Pictures that the text refers to are not in it: .*the map\.png, gone\.jpg/;
    assert.match((await sh("export", "1", "-o", "-")).stderr, left);
    assert.match((await sh("export", "1", "--as-imported", "-o", "-")).stderr, left);
    // A bundle has those that the manuscript keeps.
    const { stderr } = await sh("export", "-f", "json", "-o", "all.json");
    assert.match(stderr, /^Pictures that the text refers to are not in it: gone\.jpg, /);
  });

  it("are never read from outside their folder, nor written through a link or over anything but a picture's name", async (t) => {
    const { sh, take, put } = await desk(t, {
      "01.md":
        "![a](secret.png) ![b](.git/x.png) ![c](02.md) ![d](book.yaml) ![e](linked/p.png) ![f](notes.txt)\n",
      "02.md": "Two.\n",
      "linked/p.png": PNG,
      "notes.txt": "Mine.\n",
      ".git/x.png": PNG,
    });
    const source = put({});
    writeFileSync(join(sh.cwd, "secret"), "secret");
    symlinkSync(join(sh.cwd, "secret"), join(source, "secret.png"));
    await take();
    mkdirSync(join(sh.cwd, "out"));
    mkdirSync(join(sh.cwd, "elsewhere"));
    symlinkSync(join(sh.cwd, "elsewhere"), join(sh.cwd, "out/linked"));
    const { pictures } = fits(await sh("export", "1", "-o", "out", "--json"), "export");
    assert.deepEqual(
      pictures.map(({ file, status }) => `${status} ${file}`),
      [
        "missing secret.png",
        "missing .git/x.png",
        "same 02.md",
        "same book.yaml",
        "missing linked/p.png",
        "missing notes.txt",
      ],
    );
    assert.ok(!existsSync(join(sh.cwd, "elsewhere/p.png")));
    assert.match(readFileSync(join(sh.cwd, "out/book.yaml"), "utf8"), /manuscript: bk_/);
  });

  it("of two folders under one name do not take each other's place", async (t) => {
    const { sh, put } = await desk(t);
    put({ "a/01.md": "![x](x.png)\n", "a/x.png": PNG, "b/02.md": "![x](x.png)\n", "b/x.png": "another" });
    await sh("import", "Source/a");
    await sh("import", "Source/b", "--book", "1");
    const { pictures } = fits(await sh("export", "1", "-o", "out", "--json"), "export");
    assert.deepEqual(pictures, [
      { file: "x.png", from: "01.md", status: "copied" },
      { file: "x.png", from: "02.md", status: "other" },
    ]);
    assert.ok(readFileSync(join(sh.cwd, "out/x.png")).equals(PNG));
  });

  it("of a chapter that a sync writes come with it", async (t) => {
    const { sh, put } = await desk(t);
    put({ "a/01.md": "One.\n", "b/02.md": "![x](x.png)\n", "b/x.png": PNG });
    await sh("import", "Source/a");
    await sh("export", "1", "-o", "out");
    await sh("import", "Source/b", "--book", "1");
    assert.deepEqual(fits(await sh("sync", "out", "--dry-run", "--json"), "sync").pictures, []);
    assert.match((await sh("sync", "out")).stderr, /^Pictures copied: x\.png\.$/m);
    assert.ok(readFileSync(join(sh.cwd, "out/x.png")).equals(PNG));
  });

  it("of the sample come with its export", async (t) => {
    const novel = fileURLToPath(new URL("../../fixtures/novel", import.meta.url));
    const open = manuscript(t);
    await plantSample(open, novel);
    const sh = shell(t).with({ env: { MANUSCRIPT_FILE: open.store.path } });
    const { stderr } = await sh("export", "-o", "out");
    assert.equal(stderr, "Pictures copied: images/low-light.png.\n");
    const [copy, own] = [join(sh.cwd, "out"), novel].map((path) =>
      readFileSync(join(path, "images/low-light.png")),
    );
    assert.deepEqual(copy, own);
    const { files } = JSON.parse(readFileSync(join(novel, "../../package.json"), "utf8"));
    assert.ok(files.includes("fixtures/novel"), "the sample's folder is shipped, its picture with it");
  });
});
