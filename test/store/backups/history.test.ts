import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createMint } from "../../../src/ids.ts";
import { freeName, listCopies } from "../../../src/store/copies.ts";
import { gapBetween, hasParted, orderByWriting } from "../../../src/store/copy-history.ts";
import { openStore } from "../../../src/store/file/open.ts";
import type { Store } from "../../../src/store/file/store.ts";
import { makeCopy } from "../../../src/store/make-copy.ts";
import { folder, ticking } from "../../support/sandbox.ts";

const AT = Date.UTC(2026, 2, 5, 10);
const YEAR_2099 = Date.UTC(2099, 0, 1);

const open = (t: TestContext, path: string) => {
  const store = openStore(path, { clock: ticking(), mint: createMint(), create: true });
  t.after(() => store.close());
  return store;
};
const write = (store: Store, times: number) => {
  for (let time = 0; time < times; time++) store.act({ kind: "x", source: "cli" }, () => () => ({}));
};

/** A file, and what makes copies of any store as if they were its own. */
function lab(t: TestContext) {
  const path = join(folder(t), "salt.manuscript");
  const to = join(dirname(path), "salt-backups");
  const copy = (store: Store, at: number) => {
    const made = makeCopy(store.path, { folder: to, kind: "by hand", at }).path;
    return made.slice(to.length + 1);
  };
  const order = () =>
    orderByWriting(path, listCopies(path)).map(({ path: one, gap }) => [one.slice(to.length + 1), gap]);
  return { path, to, store: open(t, path), copy, order };
}

describe("the copies of a manuscript", () => {
  it("come in the order of what was written, whatever the clock said when they were made", (t) => {
    const { store, copy, order } = lab(t);
    write(store, 2);
    const wrong = copy(store, YEAR_2099);
    write(store, 3);
    const right = copy(store, AT);
    write(store, 1);
    const back = copy(store, AT - 1000);
    const again = copy(store, AT - 2000);
    assert.deepEqual(order(), [
      [back, { behind: 0, ahead: 0 }],
      [again, { behind: 0, ahead: 0 }],
      [right, { behind: 1, ahead: 0 }],
      [wrong, { behind: 4, ahead: 0 }],
    ]);
  });

  it("are last where their history has parted from the file's, and behind them what cannot be read", (t) => {
    const { path, to, store, copy, order } = lab(t);
    const other = join(dirname(path), "other", "salt.manuscript");
    mkdirSync(dirname(other));
    write(store, 5);
    const older = copy(store, AT);
    store.run("VACUUM INTO ?", other);
    const parted = open(t, other);
    write(parted, 9);
    const ahead = copy(parted, AT + 1000);
    assert.deepEqual(order()[0], [ahead, { behind: 0, ahead: 9 }]);
    write(store, 2);
    writeFileSync(freeName(path, "by hand", { folder: to, at: YEAR_2099 }), "torn");
    const [first, second, third] = orderByWriting(path, listCopies(path));
    assert.deepEqual(order().slice(0, 2), [
      [older, { behind: 2, ahead: 0 }],
      [ahead, { behind: 2, ahead: 9 }],
    ]);
    assert.deepEqual(
      [first, second].map((one) => one && hasParted(one)),
      [false, true],
    );
    assert.deepEqual([third?.last, third?.gap], [undefined, undefined]);
  });

  it("are compared with no file that is gone, and come by their writing then, too", (t) => {
    const { path, to, store, copy } = lab(t);
    write(store, 1);
    const first = copy(store, YEAR_2099);
    write(store, 1);
    const second = copy(store, AT);
    const gone = join(folder(t), "salt.manuscript");
    const written = orderByWriting(gone, listCopies(path, to));
    assert.deepEqual(
      written.map(({ path: one, gap }) => [one, gap]),
      [second, first].map((name) => [join(to, name), undefined]),
    );
    assert.equal(gapBetween(gone, join(to, first)), undefined);
    assert.equal(gapBetween(path, gone), undefined);
    assert.deepEqual(gapBetween(path, join(to, first)), { behind: 1, ahead: 0 });
  });
});
