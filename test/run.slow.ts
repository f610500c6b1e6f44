import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { folder } from "./support/sandbox.ts";

const FILES = {
  "a-loads": 'import "./nowhere.ts"; it("loaded", () => {});',
  "b-rejects":
    'it("rejected", async () => { setTimeout(() => Promise.reject(new Error("left alone")), 0); });',
  "c-exits": 'it("exited", () => process.exit(0));',
  "e-hangs":
    'import { spawn } from "node:child_process"; describe("waiting", () => { it("hangs", () => new Promise(() => spawn("sleep", ["60"], { stdio: "inherit" }))); });',
  "d-sound": 'it("sound", async () => { await new Promise((next) => setTimeout(next, 50)); });',
};

/** Runs these of the files above with the test runner, all in one process. */
function runFiles(t: TestContext, names: readonly (keyof typeof FILES)[]): { status: number; told: string } {
  const path = folder(t);
  for (const name of names)
    writeFileSync(
      join(path, `${name}.test.ts`),
      `import { describe, it } from "node:test";\n${FILES[name]}\n`,
    );
  const runner = join(import.meta.dirname, "run.ts");
  const { NODE_TEST_CONTEXT, ...env } = process.env; // with it, a runner inside a test runs nothing
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", runner, "--in", path, "--processes", "1", "--patience", "8"],
    { env, encoding: "utf8" },
  );
  return { status: status ?? -1, told: stdout + stderr };
}

describe("the test runner", () => {
  it("names a file that rejects, one that exits and one that cannot be loaded, and runs the others", (t) => {
    const { status, told } = runFiles(t, ["a-loads", "b-rejects", "c-exits", "d-sound"]);
    assert.equal(status, 1, told);
    assert.match(told, /✖ .*a-loads\.test\.ts can be loaded/);
    assert.match(told, /b-rejects\.test\.ts broke off: unhandledRejection: Error: left alone/);
    assert.match(told, /c-exits\.test\.ts broke off: its process ended before its tests were over/);
    assert.match(told, /✔ sound/);
    assert.doesNotMatch(told, /d-sound\.test\.ts broke off/);
  });

  it("names a test that hangs, ends it and what it started, and runs the other files", (t) => {
    const { status, told } = runFiles(t, ["e-hangs", "d-sound"]);
    assert.equal(status, 1, told);
    assert.match(told, /e-hangs\.test\.ts broke off: "waiting > hangs".* had not ended after 8 s/);
    assert.match(told, /✔ sound/);
  });

  it("is content with files that are sound", (t) => {
    const { status, told } = runFiles(t, ["d-sound"]);
    assert.equal(status, 0, told);
    assert.doesNotMatch(told, /broke off/);
  });
});
