import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { findPandoc } from "../../src/files/pandoc.ts";
import { desk } from "../files/layouts/desk.ts";
import { SCRIV } from "../files/layouts/scriv.ts";

/** A folder with a program called pandoc in it. */
function programIn(folder: string, script: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "pandoc"), `#!${process.execPath}\n${script}`);
  chmodSync(join(bin, "pandoc"), 0o755);
  return bin;
}

// Says its options and what it was given back as prose.
const ECHO = `
const args = process.argv.slice(2);
const given = require("node:fs").readFileSync(0, "latin1");
const para = (text) => ({ t: "Para", c: [{ t: "Str", c: text }] });
if (args[0] !== "--sandbox") process.exit(6);
if (args.includes("--to=json")) console.log(JSON.stringify({ blocks: [para(args.join("|")), para(given)] }));
else console.log(JSON.parse(given).blocks.map(({ c }) => c[0].c).join("\\n\\n"));
`;

async function withProgram(t: TestContext, script: string) {
  const { sh, put } = await desk(t, {
    "a.rtf": "{\\rtf1 Prose.}",
    "$(touch x) b.odt": "PK\u0003\u0004mimetypeapplication/vnd.oasis.opendocument.text",
  });
  const folder = put({});
  return { folder, sh: sh.with({ env: { PATH: programIn(sh.cwd, script) } }) };
}

describe("a pandoc on the PATH", () => {
  it("is run in its sandbox, with the document on stdin and no shell", async (t) => {
    const { sh, folder } = await withProgram(t, ECHO);
    const { exit, stderr } = await sh("import", `${folder}/a.rtf`, "--title", "A");
    assert.equal(exit, 0, stderr);
    assert.match(
      (await sh("export", "A", "--plain", "-o", "-")).stdout,
      /^--sandbox\|--from=rtf\|--to=json\n\n\{\\rtf1 Prose\.\}$/m,
    );
    assert.equal((await sh("import", `${folder}/$(touch x) b.odt`)).exit, 0);
  });

  it("that fails, is too old, or does not answer is named, and nothing is written", async (t) => {
    for (const [script, message] of [
      [
        "process.stderr.write('couldn\\'t unpack it\\n'); process.exit(63);",
        /a\.rtf: pandoc cannot read it \(couldn't unpack it\)/,
      ],
      ["process.stderr.write('Unknown option --sandbox.'); process.exit(6);", /too old; 2\.15 or later/],
      ["process.stdin.destroy(); console.log('hello');", /returned no document/],
    ] as const) {
      const { sh, folder } = await withProgram(t, script);
      const { exit, stderr } = await sh("import", `${folder}/a.rtf`);
      assert.deepEqual([exit, message.test(stderr)], [2, true], stderr);
    }
  });

  it("that is there reads a project of Scrivener", async (t) => {
    if (findPandoc(process.env) === undefined) return t.skip("no pandoc here");
    const { sh, put } = await desk(t, SCRIV);
    const real = sh.with({ env: { PATH: process.env.PATH ?? "" } });
    assert.equal((await real("import", put({}), "--title", "A")).exit, 0);
    assert.equal(
      (await real("export", "A", "--plain", "-o", "-")).stdout,
      "“Once.”\n\nThe ferry came.[^1]\n\nShe went *home*.\n\n* * *\n\nLater.\n\n[^1]: The old one.\n\n* * *\n\nHeat.\n\nNobody.\n\nSand.\n",
    );
    assert.equal((await real("import", put({}), "--exit-code")).exit, 0);
  });

  it("that is there reads what it is said to read", async (t) => {
    if (findPandoc(process.env) === undefined) return t.skip("no pandoc here");
    const { put, sh } = await desk(t, {
      "a.rtf":
        '{\\rtf1\\ansi\\uc1 \\u8220"Quoted\\u8221" {\\i it}\\u8217?s.\\\nTwo.\\par #\\par Three \\u-10179?\\u-8704?.}',
      "b.html":
        "<!doctype html><html><head><title>T</title></head><body><h1 id=x>One</h1><p>Two &amp; <em>three</em>.</p></body></html>",
    });
    const real = sh.with({ env: { PATH: process.env.PATH ?? "" } });
    const folder = put({});
    assert.equal((await real("import", `${folder}/a.rtf`, "--title", "A")).exit, 0);
    assert.equal(
      (await real("export", "A", "--plain", "-o", "-")).stdout,
      "“Quoted” *it*’s.\n\nTwo.\n\n* * *\n\nThree 😀.\n",
    );
    assert.equal((await real("import", `${folder}/b.html`, "--title", "B")).exit, 0);
    assert.equal((await real("export", "B", "--plain", "-o", "-")).stdout, "# One\n\nTwo & *three*.\n");
  });
});
