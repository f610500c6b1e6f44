import assert from "node:assert/strict";
import { readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT } from "../../src/contract/problems.ts";
import { eventually } from "../support/eventually.ts";
import { withBook } from "./shell.ts";

describe("sync --watch", () => {
  it("outlives links in a circle and out of the folder, and a folder that goes and comes back", async (t) => {
    const sh = await withBook(t);
    const folder = join(sh.cwd, "out");
    await sh("export", "1", "-o", "out");
    symlinkSync("circle.md", join(folder, "circle.md"));
    symlinkSync(".", join(folder, "itself"));
    symlinkSync(sh.cwd, join(folder, "above"));
    const stop = new AbortController();
    t.after(() => stop.abort());
    const watching = sh.with({ stop: stop.signal })("sync", "out", "--watch");
    const save = (word: string) => {
      const path = join(folder, "02-the-lamp.md");
      writeFileSync(path, readFileSync(path, "utf8").replace(/the \w*lamp/, `the ${word}lamp`));
    };
    const shows = async (word: string) => (await sh("show", "2")).stdout.includes(`the ${word}lamp`);
    // Saved again and again: when the watching begins is not to be seen.
    const follows = (word: string) =>
      eventually(
        () => shows(word),
        word,
        () => {
          save(word);
          return wait(100);
        },
      );
    await follows("red");
    renameSync(folder, `${folder}-away`);
    await wait(600); // longer than the folder is not looked for
    renameSync(`${folder}-away`, folder);
    await follows("blue");
    stop.abort();
    const { exit, stderr } = await watching;
    assert.equal(exit, EXIT.done, stderr);
    assert.match(stderr, /No such file or folder/);
  });
});
