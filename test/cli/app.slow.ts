import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { openManuscript } from "../../src/service/manuscript.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/program.ts";

/** A Chromium that shows nothing, but notes the page of each window under the next free number. */
const CHROMIUM = `#!${process.execPath}
const { linkSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const shown = process.env.HOME + "/shown/";
const page = process.argv.find((word) => word.startsWith("--app=")).slice("--app=".length);
const whole = shown + process.pid + ".part";
writeFileSync(whole, readFileSync(new URL(page)));
for (let n = 0; ; n += 1)
  try {
    linkSync(whole, shown + n + ".html");
    break;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
rmSync(whole);
`;

/** A desktop of its own: a home with documents, and that browser. */
function desktop(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), "desktop & ümlaut 📖 %20 "));
  t.after(() => {
    spawnSync("pkill", ["-KILL", "-f", home]); // by their title: the next program gets the options of node, too
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  });
  for (const folder of ["bin", "shown", "Documents"]) mkdirSync(join(home, folder));
  writeFileSync(join(home, "bin/chromium"), CHROMIUM, { mode: 0o700 });
  const env = { HOME: home, PATH: join(home, "bin"), DISPLAY: ":0" };
  const app = (...argv: string[]) => {
    const child = spawn(process.execPath, [`--title=${home}`, PROGRAM, "app", ...argv], {
      env,
      stdio: "ignore",
    });
    return new Promise<number | null>((resolve) => child.on("exit", resolve));
  };
  return { home, app };
}

/** The page that the window of this number shows. */
async function windowOf(home: string, number: number): Promise<string> {
  const path = join(home, "shown", `${number}.html`);
  await eventually(() => existsSync(path), `window ${number}`);
  return readFileSync(path, "utf8");
}

/** Comes in by the link of a window, as its browser does. */
async function signIn(page: string) {
  const link = /url=([^"]+)"/.exec(page)?.[1];
  assert(link !== undefined, page); // a message of what went wrong
  const { origin, hash } = new URL(link);
  const ask = async (method: string, path: string, body?: object, session = "") => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        Origin: origin,
        "Content-Type": "application/json",
        ...(session === "" ? {} : { Authorization: `Bearer ${session}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: the answers of several rows
    return { status: response.status, answer: (await response.json()) as any };
  };
  const { answer } = await ask("POST", "/session", { token: hash.slice(1) });
  return {
    origin,
    ask: (method: string, path: string, body?: object) => ask(method, path, body, answer.session),
  };
}

describe("app", () => {
  it("makes My books at the first start, lists it, and opens a new one in a window of its own", async (t) => {
    const { home, app } = desktop(t);
    void app();
    const first = await signIn(await windowOf(home, 0));
    const file = join(home, "Documents/My books.manuscript");
    const folder = join(home, "Documents");
    assert.deepEqual(await first.ask("GET", "/owner/manuscripts"), {
      status: 200,
      answer: { manuscripts: [{ file, isThis: true }], folder },
    });
    const { status, answer } = await first.ask("POST", "/owner/manuscripts", { name: "Salt & Öl" });
    assert.deepEqual([status, answer.file], [200, join(folder, "Salt & Öl.manuscript")]);
    const second = await signIn(await windowOf(home, 1));
    assert.notEqual(second.origin, first.origin);
    const listed = await second.ask("GET", "/owner/manuscripts");
    assert.deepEqual(listed.answer.manuscripts, [
      { file: answer.file, isThis: true },
      { file, isThis: false },
    ]);
  });

  it("refuses names that no file can have or whose manuscript is missing, and files that it does not list", async (t) => {
    const { home, app } = desktop(t);
    void app();
    const { ask } = await signIn(await windowOf(home, 0));
    for (const name of ["../out", "a:b", ".hidden", "con", "x."])
      assert.equal((await ask("POST", "/owner/manuscripts", { name })).status, 400, name);
    assert.equal((await ask("POST", "/owner/manuscripts", { name: "My books" })).status, 409);
    const copy = join(home, "Documents/Salt.manuscript-v1.backup");
    writeFileSync(copy, "a copy");
    const lost = await ask("POST", "/owner/manuscripts", { name: "Salt" });
    assert.equal(lost.status, 409);
    assert.match(lost.answer.message, /Salt\.manuscript is missing, .* restore ".+v1\.backup" --file /);
    assert.equal((await ask("POST", "/owner/manuscripts", { file: "/etc/passwd" })).status, 404);
  });

  it("started again opens another window on the same server, and two starts at once are one", async (t) => {
    const { home, app } = desktop(t);
    void Promise.all([app(), app()]);
    const [one, two] = [await windowOf(home, 0), await windowOf(home, 1)];
    const [first, second] = [await signIn(one), await signIn(two)];
    assert.equal(first.origin, second.origin);
    const again = app();
    const third = await signIn(await windowOf(home, 2));
    assert.equal(third.origin, first.origin);
    assert.equal(await again, 0);
  });

  it("moves a manuscript out of a cloud folder, keeps its copies there, and opens it again", async (t) => {
    const { home, app } = desktop(t);
    const cloud = join(home, "Dropbox");
    mkdirSync(cloud);
    openManuscript(join(cloud, "Novel.manuscript"), { create: true }).close();
    writeFileSync(join(home, "Documents/Novel.manuscript"), "another's");
    void app(join(cloud, "Novel.manuscript"));
    const before = await signIn(await windowOf(home, 0));
    const { answer: made } = await before.ask("POST", "/books", { title: "Salt" });
    const to = join(home, "Documents/Novel 2.manuscript");
    const { answer: file } = await before.ask("GET", "/owner/file");
    assert.deepEqual([file.cloud, file.movesTo], ["Dropbox", to]);
    assert.deepEqual(await before.ask("POST", "/owner/file/move"), { status: 200, answer: { file: to } });

    const after = await signIn(await windowOf(home, 1));
    const { answer: moved } = await after.ask("GET", "/owner/file");
    assert.deepEqual([moved.file, moved.cloud, moved.movesTo], [to, null, null]);
    assert.equal((await after.ask("GET", "/books")).answer.books[0].id, made.id);
    const { answer: copies } = await after.ask("GET", "/owner/backups");
    assert.equal(copies.folder, join(cloud, "Novel-backups"));
    assert.deepEqual(readdirSync(cloud), ["Novel-backups"]);
    assert.match(readdirSync(copies.folder).join(), /^Novel-[0-9TZ-]+-kept\.backup$/);
    assert.equal((await after.ask("POST", "/owner/file/move")).status, 404);
  });

  it("shows in a window what is wrong with a file", async (t) => {
    const { home, app } = desktop(t);
    assert.notEqual(await app(join(home, "gone.manuscript")), 0);
    assert.match(
      await windowOf(home, 0),
      /gone\.manuscript not found; it was moved or removed|gone\.manuscript/,
    );
    const broken = join(home, "broken.manuscript");
    writeFileSync(broken, "no manuscript".repeat(100));
    assert.notEqual(await app(broken), 0);
    assert.match(await windowOf(home, 1), /Manuscript could not open this\./);
  });

  it("begins next time with what opened, not with a file that did not", async (t) => {
    const { home, app } = desktop(t);
    const broken = join(home, "broken.manuscript");
    writeFileSync(broken, "no manuscript".repeat(100));
    await app(broken);
    void app();
    const { ask } = await signIn(await windowOf(home, 1));
    const { answer } = await ask("GET", "/owner/manuscripts");
    assert.deepEqual(answer.manuscripts, [
      { file: join(home, "Documents/My books.manuscript"), isThis: true },
    ]);
  });
});
