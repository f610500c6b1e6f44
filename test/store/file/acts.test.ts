import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createMint } from "../../../src/ids.ts";
import { Busy, Unavailable } from "../../../src/refusals.ts";
import { listDamagedRows } from "../../../src/store/damage.ts";
import type { ActMeta } from "../../../src/store/file/act.ts";
import { connect } from "../../../src/store/file/driver.ts";
import { schemaFaults, VERSIONS } from "../../../src/store/file/migrate.ts";
import { openStore } from "../../../src/store/file/open.ts";
import type { Store, StoreOptions } from "../../../src/store/file/store.ts";
import { readSetting, saveSetting } from "../../../src/store/rows/account.ts";
import { openFilesIn } from "../../support/open-files.ts";
import { folder, manuscriptBytes, ticking } from "../../support/sandbox.ts";

const META: ActMeta = { kind: "x", source: "cli" };
const nothing = () => () => ({});

function lab(t: TestContext, options: Partial<StoreOptions> = {}) {
  const home = folder(t);
  const path = join(home, "a.manuscript");
  writeFileSync(path, manuscriptBytes());
  const store = openStore(path, { clock: ticking(), mint: createMint(), ...options });
  t.after(() => store.close());
  const other = () => {
    const opened = openStore(path, { clock: ticking(), mint: createMint() });
    t.after(() => opened.close());
    return opened;
  };
  return { home, path, store, other };
}

const book = (store: Store, title = "One") =>
  store.run("INSERT INTO books(id, title, created_at, updated_at) VALUES('bk_1', ?, 1, 1)", title);
const titles = (store: Store) => store.list("SELECT title FROM books");
const acts = (store: Store) => store.list<number>("SELECT count(*) FROM acts")[0];
const logSize = (path: string) => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

describe("an act", () => {
  it("says who made it, when and of which format, and who did not say is nobody", (t) => {
    const { store } = lab(t);
    const { act } = store.act({ ...META, keyId: "key_1", byName: "a script", undoes: 7 }, nothing);
    store.act(META, (running) => {
      assert.equal(store.openAct, running.seq);
      return nothing();
    });
    assert.equal(store.openAct, undefined);
    const rows = store.all<Record<string, unknown>>(
      "SELECT seq, id, kind, source, key_id, by_name, undoes, schema FROM acts ORDER BY seq",
    );
    const known = { kind: "x", source: "cli", schema: VERSIONS.length };
    assert.deepEqual(
      rows.map(({ id, ...row }) => row),
      [
        { seq: 1, ...known, key_id: "key_1", by_name: "a script", undoes: 7 },
        { seq: 2, ...known, key_id: null, by_name: null, undoes: null },
      ],
    );
    assert.equal(rows[0]?.id, act);
  });

  it("answers when all is counted, and leaves nothing of a dry run, of one that throws or of an empty one", (t) => {
    const { store } = lab(t);
    const made = (meta: ActMeta, write: () => unknown) =>
      store.act(meta, () => {
        write();
        return () => titles(store);
      });
    assert.deepEqual(
      made({ ...META, dryRun: true }, () => book(store)),
      { act: null, result: ["One"] },
    );
    const wrong = new Error("wrong");
    for (const broken of [
      () => {
        book(store);
        throw wrong;
      },
    ])
      assert.throws(() => store.act(META, broken), wrong);
    assert.throws(
      () =>
        store.act(META, () => {
          book(store);
          return () => {
            throw wrong;
          };
        }),
      wrong,
    );
    assert.equal(store.openAct, undefined);
    assert.deepEqual(
      made({ ...META, skipsEmpty: true }, () => {}),
      { act: null, result: [] },
    );
    assert.deepEqual([titles(store), acts(store)], [[], 0]);
    assert.ok(made({ ...META, skipsEmpty: true }, () => book(store)).act !== null);
    assert.ok(store.act(META, nothing).act !== null);
    assert.deepEqual([titles(store), acts(store)], [["One"], 2]);
  });

  it("leaves every row as its hash says, those too that it made and changed", (t) => {
    const { store } = lab(t);
    store.act(META, () => {
      book(store);
      store.run("UPDATE books SET title = 'Two'");
      store.run(
        "INSERT INTO snippets(id, book_id, rank, kind, text, created_at) VALUES('snip_1', 'bk_1', 'V', 'note', 'A note', 1)",
      );
      return nothing();
    });
    store.act(META, () => {
      store.run("UPDATE books SET title = 'Three'");
      store.run("UPDATE snippets SET text = 'Another'");
      return nothing();
    });
    assert.deepEqual(listDamagedRows(store), []);
    const raw = connect(store.path);
    assert.deepEqual(schemaFaults(raw), { lacking: [], harmful: [], harmless: [] });
    raw.close();
  });

  it("waits for other programs as long as was asked for", (t) => {
    const waits = (options: Partial<StoreOptions>) => lab(t, options).store.list("PRAGMA busy_timeout")[0];
    assert.deepEqual([waits({ busyTimeoutMs: 7 }), waits({})], [7, 5000]);
    const { store } = lab(t, { busyTimeoutMs: 7 });
    store.checkpoint();
    assert.deepEqual(store.list("PRAGMA busy_timeout"), [7]);
    const megabytes = (options: Partial<StoreOptions>) =>
      lab(t, options).store.list<number>("PRAGMA cache_size")[0];
    assert.deepEqual([megabytes({ cacheMib: 2 }), megabytes({})], [-2048, -65_536]);
  });

  it("is written with others or not at all, and by itself afterwards", (t) => {
    const { store } = lab(t);
    const two = () => {
      store.act(META, () => {
        book(store);
        return nothing();
      });
      return store.act(META, nothing).act;
    };
    assert.ok(store.together(two, { dryRun: true }));
    assert.deepEqual([titles(store), acts(store)], [[], 0]);
    const wrong = new Error("wrong");
    assert.throws(
      () =>
        store.together(() => {
          two();
          throw wrong;
        }),
      wrong,
    );
    assert.throws(
      () =>
        store.act(META, () => {
          throw wrong;
        }),
      wrong,
    );
    assert.deepEqual([titles(store), acts(store)], [[], 0]);
    store.together(two);
    assert.deepEqual([titles(store), acts(store)], [["One"], 2]);
    const other = connect(store.path);
    assert.equal(other.prepare("SELECT count(*) FROM acts").pluck().get(), 2);
    other.close();
  });

  it("is refused while another program writes, and in a file that may only be read", (t) => {
    const { store, path } = lab(t, { busyTimeoutMs: 0 });
    const raw = connect(path);
    raw.exec("BEGIN IMMEDIATE");
    for (const write of [
      () => store.act(META, nothing),
      () => store.together(() => 1),
      () => store.setAside(() => 1),
    ])
      assert.throws(write, Busy);
    raw.exec("COMMIT");
    raw.close();
    assert.ok(store.act(META, nothing).act);
  });

  it("is tried again where SQLite has given up waiting, and waits as long the next time", (t) => {
    const { store, path } = lab(t, { busyTimeoutMs: 20 });
    const raw = connect(path);
    raw.exec("BEGIN IMMEDIATE");
    assert.throws(() => store.act(META, nothing), Busy);
    const begin = store.prepare("BEGIN IMMEDIATE");
    const run = begin.run.bind(begin);
    let tries = 0;
    t.mock.method(begin, "run", () => {
      if (++tries === 2) raw.exec("COMMIT");
      return run();
    });
    assert.ok(store.act(META, nothing).act);
    assert.equal(tries, 2);
    assert.equal(store.prepare("PRAGMA busy_timeout").pluck().get(), 20);
    raw.close();
  });
});

describe("what is written aside of the journal", () => {
  it("is kept, or not when it is a dry run, and is part of an act that runs", (t) => {
    const { store } = lab(t);
    const kept = store.setAside(() => {
      saveSetting(store, "a", "1");
      return 7;
    });
    assert.equal(kept, 7);
    store.setAside(() => saveSetting(store, "a", "2"), { dryRun: true });
    assert.equal(readSetting(store, "a"), "1");
    assert.throws(() =>
      store.act(META, () => {
        store.setAside(() => saveSetting(store, "a", "3"));
        throw new Error("taken back");
      }),
    );
    assert.equal(readSetting(store, "a"), "1");
  });
});

describe("what a store tells of its writes", () => {
  it("is a state that grows by every commit, others' as of each turn, and stays when nothing is written", async (t) => {
    const { store, other } = lab(t);
    const states = [store.state()];
    const grown = (what: string) => {
      states.push(store.state());
      assert.ok(Number(states.at(-1)) > Number(states.at(-2)), what);
    };
    const same = (what: string) => assert.equal(store.state(), states.at(-1), what);
    same("at once");
    store.act(META, nothing);
    grown("an act");
    store.setAside(() => saveSetting(store, "a", "1"));
    grown("a setting");
    store.together(() => 1);
    grown("several acts");
    store.snapshot(() => acts(store));
    same("a read");
    await turn();
    await turn();
    const before = store.state();
    states.push(before);
    other().act(META, nothing);
    same("another's, in the same turn");
    await turn();
    await turn();
    grown("another's, a turn later");
    await turn();
    await turn();
    same("nothing since");
  });

  it("is no state of a file that is not there any more", async (t) => {
    const { store, path } = lab(t);
    store.state();
    renameSync(path, `${path}-away`);
    store.state();
    await turn();
    await turn();
    assert.throws(() => store.state(), Unavailable);
    renameSync(`${path}-away`, path);
    assert.ok(store.state() > 0);
  });

  it("has a number that moves with each write of its own, taken back or not, and one with others'", (t) => {
    const { store, other } = lab(t);
    let [writes, version] = [store.writes, store.dataVersion()];
    const moved = () => {
      const has = store.writes > writes;
      writes = store.writes;
      return has;
    };
    store.act(META, nothing);
    assert.ok(moved());
    store.act({ ...META, dryRun: true }, nothing);
    assert.ok(moved());
    store.snapshot(() => 1);
    assert.ok(!moved());
    assert.equal(store.dataVersion(), version);
    other().act(META, nothing);
    assert.ok(!moved());
    assert.notEqual(store.dataVersion(), version);
    version = store.dataVersion();
    store.shrink();
    assert.equal(store.dataVersion(), version);
  });
});

describe("the log", () => {
  /** Waits until something is so, two seconds at most. */
  const until = async (is: () => boolean) => {
    for (let time = 0; time < 400 && !is(); time++) await new Promise((next) => setTimeout(next, 5));
    assert.ok(is());
  };

  it("is taken into the file when asked and when nothing is written for a while, and else stays", async (t) => {
    const { store, path } = lab(t);
    store.act(META, nothing); // the first puts into the file where it lies
    store.act(META, nothing);
    assert.ok(logSize(path) > 0);
    assert.equal(store.checkpoint(), true);
    assert.equal(logSize(path), 0);
    const idle = lab(t, { idleCheckpointMs: 10 });
    idle.store.act(META, nothing);
    for (const write of [
      () => idle.store.act(META, nothing),
      () => idle.store.together(() => idle.store.act(META, nothing)),
    ]) {
      write();
      assert.ok(logSize(idle.path) > 0);
      await until(() => logSize(idle.path) === 0);
    }
    store.act(META, nothing);
    assert.ok(logSize(path) > 0, "by nobody where none is wished for");
  });

  it("is said once to wait for who reads it, is tried again, and said again the next time", async (t) => {
    const said: string[] = [];
    const { store, path } = lab(t, { idleCheckpointMs: 5, warn: (message) => said.push(message) });
    for (const time of [1, 2]) {
      const reader = connect(path);
      reader.exec("BEGIN");
      reader.prepare("SELECT count(*) FROM acts").get();
      store.act(META, nothing);
      assert.equal(store.checkpoint(), false);
      await until(() => said.length === time);
      await new Promise((next) => setTimeout(next, 30));
      assert.equal(said.length, time);
      assert.match(
        said.at(-1) ?? "",
        /a\.manuscript-wal could not be taken into the file yet \(another program reads it\)/,
      );
      reader.exec("COMMIT");
      reader.close();
      await until(() => logSize(path) === 0);
    }
  });

  it("goes when the file is closed, which may be done twice, and stays where the file is not in its place", (t) => {
    const { store, path, home } = lab(t, { idleCheckpointMs: 5 });
    store.act(META, nothing);
    store.close();
    store.close();
    assert.ok(!existsSync(`${path}-wal`));
    assert.deepEqual(openFilesIn(home) ?? [], []);
    const left = lab(t);
    left.store.act(META, nothing);
    const bytes = readFileSync(`${left.path}-wal`);
    copyFileSync(`${left.path}-wal`, `${left.path}-log-copy`);
    rmSync(`${left.path}-wal`);
    copyFileSync(`${left.path}-log-copy`, `${left.path}-wal`);
    assert.equal(left.store.checkpoint(), false);
    left.store.close();
    assert.ok(readFileSync(`${left.path}-wal`).equals(bytes));
  });
});
