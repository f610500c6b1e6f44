import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import * as program from "../src/index.ts";
import { connect } from "../src/store/file/driver.ts";
import { missingFrom, readSchema, replay, VERSIONS } from "../src/store/file/migrate.ts";
import { type Shell, shell } from "./cli/shell.ts";
import { folder } from "./support/sandbox.ts";
import { type Recorded, recordOf, type View, viewOf } from "./support/written-by.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/manuscripts");
const RELEASES = readdirSync(FIXTURES)
  .filter((name) => name.endsWith(".manuscript.gz"))
  .map((name) => name.replace(".manuscript.gz", ""));

const bytesOf = (name: string) => gunzipSync(readFileSync(join(FIXTURES, name)));
const expectedOf = (release: string): Recorded =>
  JSON.parse(readFileSync(join(FIXTURES, `${release}.expected.json`), "utf8"));

/** A release's manuscript in a folder of its own, with a folder of it beside it, and the command line there. */
function copied(t: { after(clean: () => void): void }, release: string, kind?: "folder" | "synced"): Shell {
  const sh = shell(t);
  writeFileSync(join(sh.cwd, "old.manuscript"), bytesOf(`${release}.manuscript.gz`), { mode: 0o600 });
  if (kind !== undefined)
    cpSync(join(FIXTURES, `${release}-${kind}`), join(sh.cwd, "out"), { recursive: true });
  return sh;
}

const viewIn = (sh: Shell): Promise<View> => viewOf(async (path) => (await sh("api", "GET", path)).json());

describe("a version's SQL", () => {
  const versions = new Map(
    RELEASES.map((release) => {
      const file = connect(bytesOf(`${release}.manuscript.gz`).fill(1, 18, 20)); // out of WAL, as memory wants it
      const found = { release, schema: readSchema(file) };
      const version = file.pragma("user_version", { simple: true }) as number;
      file.close();
      return [version, found];
    }),
  );

  for (const [version, { release, schema }] of versions) {
    it(`${version} makes what ${release} made, for it is frozen`, () => {
      const frozen = replay(VERSIONS.slice(0, version));
      const mended = [...missingFrom(frozen, schema), ...missingFrom(schema, frozen)];
      const message = `v${version}.ts was changed after ${release} wrote files by it. Put it back and write the next version.`;
      assert.deepEqual(mended, [], message);
    });
  }

  it("is proved by a file that a release wrote, for every version but the newest", () => {
    const missing = VERSIONS.map((_, index) => index + 1).filter((version) => !versions.has(version));
    const unproved = missing.filter((version) => version < VERSIONS.length);
    assert.deepEqual(unproved, [], "fixtures/manuscripts/ wants a file of these versions: see its README.");
    assert.ok(versions.has(1));
  });
});

for (const release of RELEASES) {
  describe(`a manuscript written by ${release}`, () => {
    it("is read, its revisions too, and every act is undone as it was then", async (t) => {
      const expected = expectedOf(release);
      const path = join(folder(t), "old.manuscript");
      writeFileSync(path, bytesOf(`${release}.manuscript.gz`));
      const found = await recordOf(program, path, expected.key);
      assert.ok(expected.undone.length > 30);
      assertHolds(found, expected, "");
    });

    it("is sound, before it is opened for the first time and after", async (t) => {
      const sh = copied(t, release);
      for (const open of [() => sh("books"), () => sh("undo")]) {
        const { exit, stdout } = await sh("doctor");
        assert.doesNotMatch(stdout, /^fail/m);
        assert.equal(exit, 0);
        assert.equal((await open()).exit, 0);
      }
      assert.equal((await sh("doctor", "--json")).json().status, "ok");
    });

    it("comes back from its bundle, history and all", async (t) => {
      const { view, undone } = expectedOf(release);
      const sh = shell(t);
      writeFileSync(join(sh.cwd, "old.json"), bytesOf(`${release}.json.gz`));
      assert.equal((await sh("init", "new.manuscript")).exit, 0);
      const ran = await sh("import", "old.json");
      assert.equal(ran.exit, 0, ran.stderr);
      assertHolds(await viewIn(sh), view, "");
      assert.equal((await sh("undo", String(undone[0]?.act))).exit, 0);
      assertHolds(await viewIn(sh), undone[0]?.changed, "");
    });
  });
}

describe("the manuscript written by 0.1.0", () => {
  const release = "0.1.0";

  it("keeps its account and its keys", async (t) => {
    const sh = copied(t, release);
    const { writer, subscription, credits } = (await sh("account", "show", "--json")).json();
    assert.ok(expectedOf(release).key.startsWith(`msk_${writer}_`));
    assert.deepEqual({ subscription, credits }, { subscription: { active: true, until: null }, credits: 40 });
    const { keys } = (await sh("key", "list", "--json")).json<{ keys: { revokedAt: string | null }[] }>();
    assert.deepEqual(
      keys.map(({ revokedAt }) => revokedAt === null),
      [true, false],
    );
  });

  it("is in step with its folder, wherever that was copied to", async (t) => {
    const sh = copied(t, release, "folder");
    const before = await viewIn(sh);
    const files = filesIn(join(sh.cwd, "out"));
    for (const command of ["import", "sync"]) {
      const ran = await sh(command, "out", "--exit-code");
      assert.equal(ran.exit, 0, `${command}: ${ran.stdout}${ran.stderr}`);
      assert.deepEqual(await viewIn(sh), before, command);
      assert.deepEqual(filesIn(join(sh.cwd, "out")), files, command);
    }
  });

  for (const command of ["import", "sync"]) {
    it(`takes one edited paragraph of its folder by ${command}, and nothing else`, async (t) => {
      const sh = copied(t, release, "folder");
      const before = await viewIn(sh);
      editFile(sh, "01-out/02-the-lamp.md", "went out at five", "went out at six");
      assert.equal((await sh(command, "out")).exit, 0);
      const edited = JSON.parse(JSON.stringify(before).replaceAll("went out at five", "went out at six"));
      assert.notDeepEqual(edited, before);
      assert.deepEqual(await viewIn(sh), edited);
    });
  }

  // Its front matter names older revisions: what both sides last had is in the manuscript alone, under its path.
  it("goes on with the folder that it was kept in step with", async (t) => {
    const sh = copied(t, release, "synced");
    const file = connect(join(sh.cwd, "old.manuscript"));
    for (const table of ["exchanges", "exchanged_files"]) {
      const moved = file.prepare(`UPDATE ${table} SET folder = ? WHERE folder = '/home/mara/ferry'`);
      assert.ok(moved.run(join(sh.cwd, "out")).changes > 0, table);
    }
    file.close();
    const before = await viewIn(sh);
    const files = filesIn(join(sh.cwd, "out"));
    // A file says its revision now also where the folder alone had edited it, so that an older copy of it is known as such.
    assert.equal((await sh("sync", "out")).exit, 0);
    const unstamped = (texts: Record<string, string>) =>
      Object.entries(texts).map(([name, text]) => [name, text.replace(/^revision: \d+$/m, "")]);
    const stamped = filesIn(join(sh.cwd, "out"));
    assert.deepEqual([await viewIn(sh), unstamped(stamped)], [before, unstamped(files)]);
    assert.equal((await sh("sync", "out", "--exit-code")).exit, 0);
    assert.deepEqual([await viewIn(sh), filesIn(join(sh.cwd, "out"))], [before, stamped]);
    editFile(sh, "01-out/02-the-lamp.md", "went out at five", "went out at six");
    editFile(sh, "facts.yaml", "and the ledger", "and the book");
    assert.equal((await sh("sync", "out")).exit, 0);
    const edited = JSON.stringify(before).replaceAll("went out at five", "went out at six");
    assert.deepEqual(await viewIn(sh), JSON.parse(edited.replaceAll("and the ledger", "and the book")));
  });
});

function editFile(sh: Shell, name: string, from: string, to: string): void {
  const path = join(sh.cwd, "out", name);
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from), `${name} holds "${from}"`);
  writeFileSync(path, text.replace(from, to));
}

function filesIn(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => !existsSync(join(path, name, ".")));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

/** Everything that was expected is there; what a later version tells besides is welcome. */
function assertHolds(found: unknown, expected: unknown, path: string): void {
  if (typeof expected !== "object" || expected === null) {
    // What went is null in a difference, and absent from a view.
    assert.equal(found ?? null, expected, path);
    return;
  }
  assert.ok(typeof found === "object" && found !== null, `${path} is missing`);
  if (Array.isArray(expected)) assert.equal((found as unknown[]).length, expected.length, path);
  for (const [key, value] of Object.entries(expected)) {
    assertHolds((found as Record<string, unknown>)[key], value, `${path}/${key}`);
  }
}
