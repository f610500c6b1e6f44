import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { updateBook } from "../../src/service/books/books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/program.ts";
import { leaveFree } from "./leave-free.ts";
import { withBook } from "./shell.ts";

const KILLING = ["tsx", "../support/kill-at.ts"].flatMap((name) => ["--import", import.meta.resolve(name)]);

describe("a compaction that is killed", () => {
  for (const options of [[], ["--older-than", "2099-01-01", "--force"]])
    it(`leaves the file as it was, and the next one does all of it: compact ${options.join(" ")}`, async (t) => {
      const sh = await withBook(t);
      for (const words of ["One.", "One two.", "One two three."])
        await sh.with({ stdin: `${words}\n` })("write", "2", "--force");
      const path = join(sh.cwd, "book.manuscript");
      leaveFree(path);
      const old = readFileSync(path);
      const parts = () => readdirSync(sh.cwd).filter((name) => name.endsWith(".part"));
      const child = spawn(process.execPath, [PROGRAM, "compact", ...options], { cwd: sh.cwd });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await eventually(() => parts().length > 0, "a copy that is being made");
      child.kill("SIGKILL");
      await ended;
      assert.deepEqual(readFileSync(path), old);
      assert.equal((await sh("compact", ...options)).exit, EXIT.done);
      assert.deepEqual(parts(), []);
      assert.equal((await sh("doctor")).exit, EXIT.done);
    });
});

describe("a manuscript's name", () => {
  for (const command of ["compact", "restore older.backup"])
    it(`leads to a whole file at whatever step ${command} is killed, and no save is lost that the log held`, async (t) => {
      const sh = await withBook(t);
      const path = join(sh.cwd, "book.manuscript");
      leaveFree(path);
      const title = async (...options: string[]) =>
        (await sh("books", "--json", ...options)).json<{ books: { title: string }[] }>().books[0]?.title;
      await sh("backup", "--to", "copies");
      const [copy = ""] = readdirSync(join(sh.cwd, "copies"));
      copyFileSync(join(sh.cwd, "copies", copy), join(sh.cwd, "older.backup"));
      const older = await title();
      rmSync(join(sh.cwd, "copies"), { recursive: true });
      const killed = openManuscript(path);
      const bookId = String(killed.store.list("SELECT id FROM books")[0]);
      for (const name of ["In the file", "In the log"])
        updateBook(killed, bookId, { title: name }, { source: "cli" });
      const left = ["", "-wal", "-log"].map((ending) => [ending, readFileSync(path + ending)] as const);
      killed.close();
      let steps = 0;
      for (let isKilled = true; isKilled; steps++) {
        for (const name of readdirSync(sh.cwd)) if (name.startsWith("book.")) rmSync(join(sh.cwd, name));
        for (const [ending, bytes] of left) writeFileSync(path + ending, bytes);
        const env = { ...process.env, KILL_AT: String(steps + 1) };
        const words = [PROGRAM, "--file", path, ...command.split(" ")];
        const child = spawn(process.execPath, [...KILLING, ...words], {
          ...{ cwd: sh.cwd, env, stdio: "ignore" },
        });
        const [code] = await once(child, "exit");
        isKilled = code === null;
        assert.ok(isKilled || code === EXIT.done, `step ${steps}: ${code}`);
        assert.ok(existsSync(path), `step ${steps}`);
        const found = await title("--file", path);
        if (command === "compact" || found !== older) {
          assert.equal(found, "In the log", `step ${steps}`);
          continue;
        }
        const aside = readdirSync(sh.cwd).find((name) => /until.*backup$/.test(name));
        assert.equal(await title("--file", String(aside)), "In the log", `step ${steps}`);
      }
      assert.ok(steps > 5);
      assert.equal((await sh("status", "1", "done", "--file", path)).exit, EXIT.done);
    });
});
