import assert from "node:assert/strict";
import { hash, randomBytes } from "node:crypto";
import fs, { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { checksumLine } from "../../src/files/bundle/bundle-shape.ts";
import { connect } from "../../src/store/file/driver.ts";
import { shell } from "./shell.ts";

const PNG = Buffer.from("89504e470d0a1a0a00010203ff", "hex");
const GIF = Buffer.from("GIF89a\x01\x00");
const FILES: Record<string, string | Buffer> = {
  "one/01.md": "# One\n\n![map](../images/the%20map.png) and ![false](false.png), ![gone](gone.jpg).\n",
  "two/02.md": '# Two\n\n<img src="/images/root.svg">\n\n![[deep.gif]]\n',
  "images/the map.png": PNG,
  "images/root.svg": "<svg/>",
  "one/false.png": GIF,
  "attic/deep.gif": GIF,
};

function imported(t: TestContext) {
  const sh = shell(t);
  const done = async (...argv: string[]) => {
    const ran = await sh(...argv);
    assert.equal(ran.exit, 0, `${argv.join(" ")}: ${ran.stderr}`);
    return ran;
  };
  const put = (file: string, content: string | Buffer) => {
    mkdirSync(dirname(join(sh.cwd, file)), { recursive: true });
    writeFileSync(join(sh.cwd, file), content);
  };
  for (const [file, content] of Object.entries(FILES)) put(`book/${file}`, content);
  return { sh, done, put, read: (file: string) => readFileSync(join(sh.cwd, file)) };
}

describe("pictures that prose refers to", () => {
  it("are kept in the manuscript: without the folder an export gives every byte back", async (t) => {
    const { sh, done, read } = imported(t);
    await done("init", "tide.manuscript");
    const { stderr } = await done("import", "book");
    assert.match(
      stderr,
      /^Pictures kept in the manuscript: images\/the map\.png, images\/root\.svg, attic\/deep\.gif\.$/m,
    );
    assert.match(
      stderr,
      /^Pictures that stay in their folder alone: one\/false\.png: it is not a picture of the type/m,
    );
    rmSync(join(sh.cwd, "book"), { recursive: true });
    for (const [target, option] of [
      ["again", "--as-imported"],
      ["other", "--plain"],
    ] as const) {
      const ran = await done("export", "-o", target, option, "--json");
      const { pictures } = ran.json<{ pictures: { file: string; status: string }[] }>();
      const copied = pictures.filter(({ status }) => status === "copied").map(({ file }) => file);
      assert.deepEqual(
        copied.map((file) => read(`${target}/${file}`).length).sort(),
        [GIF.length, "<svg/>".length, PNG.length].sort(),
      );
    }
    for (const file of ["images/the map.png", "images/root.svg", "attic/deep.gif"])
      assert.deepEqual(read(`again/${file}`), Buffer.from(FILES[file] ?? ""), file);
    assert.equal((await sh("doctor", "--json")).json().status, "ok");
  });

  it("go out in a bundle and come back, each proved by its hash", async (t) => {
    const { sh, done, put, read } = imported(t);
    await done("init", "tide.manuscript");
    await done("import", "book");
    rmSync(join(sh.cwd, "book"), { recursive: true });
    const { stderr } = await done("export", "-f", "json", "-o", "tide.json");
    assert.match(stderr, /not in it: false\.png, gone\.jpg\.$/m);
    await done("init", "new.manuscript");
    await done("--file", "new.manuscript", "import", "tide.json");
    await done("--file", "new.manuscript", "export", "-f", "json", "-o", "same.json");
    assert.deepEqual(read("same.json"), read("tide.json"));
    await done("--file", "new.manuscript", "export", "-o", "again", "--as-imported");
    for (const file of ["images/the map.png", "images/root.svg", "attic/deep.gif"])
      assert.deepEqual(read(`again/${file}`), Buffer.from(FILES[file] ?? ""), file);

    const text = read("tide.json").toString();
    const without = text.slice(0, text.indexOf(',\n"pictures"'));
    put("without.json", without + checksumLine(hash("sha256", without)));
    await done("init", "third.manuscript");
    await done("--file", "third.manuscript", "import", "without.json");

    const [before = ""] = text.replace(GIF.toString("base64"), PNG.toString("base64")).split(',\n"sha256"');
    put("other.json", before + checksumLine(hash("sha256", before)));
    await done("init", "fourth.manuscript");
    const refused = await sh("--file", "fourth.manuscript", "import", "other.json");
    assert.equal(refused.exit, EXIT.usage);
    assert.match(
      refused.stderr,
      /the picture [0-9a-f]{64} has not the bytes of its hash\. Nothing was written/,
    );
    assert.deepEqual((await done("--file", "fourth.manuscript", "books", "--json")).json().books, []);
  });

  it("come back in a rescue as far as their bytes are whole; the others are named", async (t) => {
    const { sh, done, put, read } = imported(t);
    const large = Buffer.concat([PNG, randomBytes(30_000)]);
    put("book/images/the map.png", large);
    await done("init", "tide.manuscript");
    await done("import", "book");
    rmSync(join(sh.cwd, "book"), { recursive: true });
    await done("rescue", "tide.manuscript", "-o", "whole");
    const file = read("tide.manuscript");
    const at = file.indexOf(large.subarray(20_000, 20_100));
    assert.ok(at > 0);
    file[at] = (file[at] ?? 0) ^ 1;
    put("tide.manuscript", file);
    assert.notEqual((await sh("rescue", "tide.manuscript", "-o", "part")).exit, 0);
    assert.match(
      read("part/REPORT.md").toString(),
      /^- 1 picture did not come back whole: `images\/the map\.png`\./m,
    );
    for (const [folder, files] of [
      ["whole", ["images/the map.png", "images/root.svg", "attic/deep.gif"]],
      ["part", ["images/root.svg", "attic/deep.gif"]],
    ] as const) {
      await done("--file", `${folder}/tide.manuscript`, "export", "-o", `${folder}-again`, "--as-imported");
      for (const name of files)
        assert.deepEqual(
          read(`${folder}-again/${name}`),
          name.endsWith(".png") ? large : Buffer.from(FILES[name] ?? ""),
          name,
        );
    }
    assert.ok(!existsSync(join(sh.cwd, "part-again/images/the map.png")));
  });

  it("are looked for by one listing of the folder, however many of them there are", async (t) => {
    const { done, put } = imported(t);
    await done("init", "tide.manuscript");
    const list = t.mock.method(fs, "readdirSync");
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    const listings = async (...argv: string[]) => {
      list.mock.resetCalls();
      await done(...argv);
      return list.mock.calls.filter(({ arguments: [path] }) => /attic\/?$/.test(String(path))).length;
    };
    const counts = async (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `${count}-${at}.gif`);
      for (const name of names) put(`many-${count}/attic/${name}`, GIF);
      put(`many-${count}/01.md`, `# Many\n\n${names.map((name) => `![[${name}]]`).join("\n\n")}\n`);
      const taken = await listings("import", `many-${count}`);
      return [taken, await listings("sync", `many-${count}`, "--book", `many-${count}`)];
    };
    const [forty, one] = [await counts(40), await counts(1)];
    assert.deepEqual(forty, one);
    assert.ok((one[1] ?? 0) > 0);
  });

  it("that nobody has are named by doctor, and are no damage", async (t) => {
    const { sh, done, put } = imported(t);
    await done("init", "tide.manuscript");
    await done("import", "book");
    const told = async () => {
      const { status, checks } = (await done("doctor", "--json")).json<{
        status: string;
        checks: { name: string; found: string }[];
      }>();
      assert.equal(status, "ok");
      return checks.filter(({ name }) => name === "pictures").map(({ found }) => found);
    };
    const missing = (file: string, from: string) =>
      `${file} (${from}) is neither in the manuscript nor in a folder of its book`;
    assert.deepEqual(await told(), [missing("gone.jpg", "“One”")]);
    rmSync(join(sh.cwd, "book"), { recursive: true });
    await done("book", "edit", "--cover", "front.png");
    assert.deepEqual(await told(), [
      missing("front.png", "the cover"),
      missing("false.png", "“One”"),
      missing("gone.jpg", "“One”"),
    ]);
    const many = Array.from({ length: 12 }, (_, at) => `![](${at}.png)`).join("\n\n");
    put("many.md", `# Many\n\n${many}\n`);
    await done("import", "many.md", "--title", "Many");
    const lines = await told();
    assert.deepEqual([lines.length, lines.at(-1)], [11, "and 5 more"]);
  });

  it("stay when a file is compacted, as long as a book or the history names them", async (t) => {
    const { sh, done, read } = imported(t);
    await done("init", "tide.manuscript");
    await done("import", "book");
    const file = connect(join(sh.cwd, "tide.manuscript"));
    const stray = Buffer.alloc(300_000, "x");
    file
      .prepare("INSERT INTO pictures(hash, type, size_bytes, bytes) VALUES(?, 'png', ?, ?)")
      .run(hash("sha256", stray), stray.length, stray);
    file.close();
    rmSync(join(sh.cwd, "book"), { recursive: true });
    await done("book", "delete", "--yes");
    const words = /; 0\.3 MiB of pictures that neither a book nor the history names would go;/;
    assert.match((await done("compact", "--dry-run")).stdout, words);
    assert.equal((await done("compact", "--json")).json().pictureBytes, stray.length);
    assert.equal((await done("compact", "--json")).json().pictureBytes, 0);
    await done("undo", "--yes");
    await done("export", "-o", "again", "--as-imported");
    for (const name of ["images/the map.png", "images/root.svg", "attic/deep.gif"])
      assert.deepEqual(read(`again/${name}`), Buffer.from(FILES[name] ?? ""), name);
  });

  it("are taken again by a sync where one has changed, and come and go with undo", async (t) => {
    const { sh, done, put, read } = imported(t);
    await done("init", "tide.manuscript");
    await done("import", "book");
    await done("export", "-o", "out");
    assert.equal((await sh("sync", "out", "--exit-code")).exit, 0);
    const file = "images/root.svg";
    put(`out/${file}`, "<svg><!-- anew --></svg>");
    await done("sync", "out");
    const back = async (target: string) => {
      rmSync(join(sh.cwd, "book"), { recursive: true, force: true });
      rmSync(join(sh.cwd, "out"), { recursive: true, force: true });
      await done("export", "-o", target);
      return read(`${target}/${file}`).toString();
    };
    assert.equal(await back("a"), "<svg><!-- anew --></svg>");
    rmSync(join(sh.cwd, "a"), { recursive: true });
    await done("undo", "--yes");
    assert.equal(await back("b"), "<svg/>");
  });
});
