import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
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
    assert.notEqual((await sh("rescue", "tide.manuscript", "-o", "rescued")).exit, 0);
    assert.match(read("rescued/REPORT.md").toString(), /3 pictures of the manuscript did not come back/);
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
    await done("undo");
    assert.equal(await back("b"), "<svg/>");
  });
});
