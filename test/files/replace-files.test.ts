import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { recoverAsides } from "../../src/files/disk/asides.ts";
import { type Replacing, removeFile, replaceFiles } from "../../src/files/disk/replace-files.ts";
import { hash } from "../../src/files/disk/text-file.ts";
import { folder } from "../support/sandbox.ts";

const OLD = "Old.\n";
const NEW = "New.\n";
const SAVED = "Saved by an editor.\n";

/** Ways in which editors save. */
const SAVES: Readonly<Record<string, (path: string) => void>> = {
  "truncates and writes": (path) => writeFileSync(path, SAVED),
  "writes beside and renames": (path) => {
    writeFileSync(`${path}~`, SAVED);
    renameSync(`${path}~`, path);
  },
  "removes and makes anew": (path) => {
    rmSync(path, { force: true });
    writeFileSync(path, SAVED);
  },
};

const textsIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(path, name)).isFile())
    .map((name) => `${name}: ${readFileSync(join(path, name), "utf8")}`);

type Moment = Parameters<NonNullable<Replacing["at"]>>[0];

describe("replaceFiles", () => {
  for (const moment of ["beside", "aside", "placed"] as const satisfies Moment[])
    for (const [way, save] of Object.entries(SAVES))
      it(`keeps what an editor saves that ${way}, when the file is ${moment}`, async (t) => {
        const path = join(folder(t), "c.md");
        writeFileSync(path, OLD);
        const at = (now: Moment) => {
          if (now === moment) save(path);
        };
        const [done] = await replaceFiles([{ path, bytes: Buffer.from(NEW), read: hash(OLD) }], { at });
        assert.equal(done?.status, moment === "placed" ? "written" : "busy");
        assert.deepEqual(textsIn(join(path, "..")), [`c.md: ${SAVED}`]);
      });

  it("puts back what is written late into a file that was open, beside a newer save if there is one", async (t) => {
    for (const isSavedAgain of [false, true]) {
      const path = join(folder(t), "c.md");
      writeFileSync(path, OLD);
      const opened = openSync(path, "r+");
      const at = (now: Moment) => {
        if (now !== "placed") return;
        writeSync(opened, SAVED);
        closeSync(opened);
        if (isSavedAgain) writeFileSync(path, "Saved again.\n");
      };
      const [done] = await replaceFiles([{ path, bytes: Buffer.from(NEW), read: hash(OLD) }], { at });
      assert.equal(done?.status, "busy");
      const both = ["c.conflict.md: Saved by an editor.\n", "c.md: Saved again.\n"];
      assert.deepEqual(textsIn(join(path, "..")), isSavedAgain ? both : [`c.md: ${SAVED}`]);
      assert.equal(done?.keptAs, isSavedAgain ? path.replace("c.md", "c.conflict.md") : undefined);
    }
  });

  it("makes no file over one that came meanwhile, keeps what it is told to, and removes nothing but what was read", async (t) => {
    const path = folder(t);
    const at = (now: Moment) => {
      if (now === "beside") writeFileSync(join(path, "new.md"), SAVED);
    };
    const made = await replaceFiles(
      [{ path: join(path, "new.md"), bytes: Buffer.from(NEW), read: undefined }],
      {
        at,
      },
    );
    assert.deepEqual(made, [{ status: "busy" }]);
    writeFileSync(join(path, "old.md"), OLD, { mode: 0o640 });
    const kept = join(path, ".manuscript-kept", "then", "old.md");
    const [done] = await replaceFiles([
      { path: join(path, "old.md"), bytes: Buffer.from(NEW), read: hash(OLD), kept },
    ]);
    assert.deepEqual([done?.keptAs, readFileSync(kept, "utf8")], [kept, OLD]);
    assert.deepEqual([statSync(kept).mode & 0o777, statSync(join(kept, "..")).mode & 0o777], [0o640, 0o700]);
    assert.deepEqual(
      [removeFile(join(path, "new.md"), hash(OLD)), removeFile(join(path, "old.md"), hash(NEW))],
      [false, true],
    );
    assert.deepEqual(readdirSync(path).sort(), [".manuscript-kept", "new.md"]);
  });
});

describe("recoverAsides", () => {
  it("puts back what a stopped run had aside, beside what came since, and drops what is known", (t) => {
    const path = folder(t);
    const dead = Number(execFileSync("sh", ["-c", "echo $$"]));
    const aside = join(path, "p1", `.manuscript-${dead}-0a1b2c3d.aside`);
    const alive = join(path, `.manuscript-${process.ppid}-0a1b2c3d.aside`);
    mkdirSync(aside, { recursive: true });
    mkdirSync(alive);
    for (const name of ["gone.md", "other.md", "known.md"]) writeFileSync(join(aside, name), `${name}\n`);
    for (const name of ["other.md", "known.md"]) writeFileSync(join(path, "p1", name), NEW);
    writeFileSync(join(alive, "x.md"), "x");
    const isKnown = (digest: string) => digest === hash("known.md\n");
    assert.deepEqual(recoverAsides(path, isKnown, { isDeep: false }), []);
    const back = recoverAsides(path, isKnown, { isDeep: true });
    assert.deepEqual(back.map(({ file, as }) => [file, as]).sort(), [
      [join(path, "p1/gone.md"), undefined],
      [join(path, "p1/other.md"), join(path, "p1/other.conflict.md")],
    ]);
    const texts = textsIn(join(path, "p1")).sort();
    assert.deepEqual(texts, [
      "gone.md: gone.md\n",
      `known.md: ${NEW}`,
      "other.conflict.md: other.md\n",
      `other.md: ${NEW}`,
    ]);
    assert.deepEqual(readdirSync(alive), ["x.md"]);
  });
});
