import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Copy, chooseExpired, listCopies } from "../../../src/store/copies.ts";
import { folder } from "../../support/sandbox.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const copy = (at: number, kind: Copy["kind"] = "scheduled"): Copy => ({
  path: String(at),
  kind,
  at,
  bytes: 1,
});

describe("chooseExpired", () => {
  it("leaves 24 hourly and 30 daily copies of three months of hourly ones, the newest of each", () => {
    let copies: Copy[] = [];
    for (let hour = 0; hour < 90 * 24; hour++) {
      copies.push(copy(START + hour * HOUR), copy(START + hour * HOUR + 1));
      const gone = new Set(chooseExpired(copies.toReversed()));
      copies = copies.filter((one) => !gone.has(one));
      assert.equal(copies.at(-1)?.at, START + hour * HOUR + 1, "the newest of all stays");
    }
    const ages = copies.map(({ at }) => (START + (90 * 24 - 1) * HOUR + 1 - at) / HOUR);
    assert.deepEqual(
      ages.slice(-24),
      Array.from({ length: 24 }, (_, age) => 23 - age),
    );
    assert.deepEqual(
      ages.slice(0, -24),
      Array.from({ length: 29 }, (_, day) => (29 - day) * 24),
    );
  });

  it("counts hours in which one was made, so that a month without work costs none", () => {
    const old = Array.from({ length: 20 }, (_, hour) => copy(START + hour * HOUR));
    assert.deepEqual(chooseExpired([copy(START + 2000 * HOUR), ...old.toReversed()]), []);
  });

  it("never chooses what was made by hand, before a restore or before an upgrade", () => {
    const others = (["by hand", "before restore", "before upgrade"] as const).flatMap((kind) =>
      Array.from({ length: 80 }, (_, hour) => copy(START + hour * HOUR, kind)),
    );
    assert.deepEqual(chooseExpired([...others, copy(START)]), []);
  });
});

describe("listCopies", () => {
  it("knows the copies of this manuscript by their names, newest first, and nothing else", (t) => {
    const place = folder(t);
    mkdirSync(join(place, "salt-backups"));
    const names = [
      "salt.manuscript-until-2026-03-05T10-00-00Z.backup",
      "salt-backups/salt-2026-03-04T10-00-00Z-2-kept.backup",
      "salt-backups/salt-2026-03-04T10-00-00Z-kept.backup",
      "salt-backups/salt-2026-03-04T09-00-00Z.backup",
    ];
    const others = [
      "salt.manuscript-until-2026-03-05T10-00-00Z.backup-wal",
      "pepper.manuscript-until-2026-03-05T10-00-00Z.backup",
      "salt-backups/salt-and-pepper-2026-03-04T10-00-00Z.backup",
      "salt-backups/salt.backup",
      "salt-backups/.manuscript-1-00000000.part",
    ];
    for (const name of [...names, ...others]) writeFileSync(join(place, name), "");
    const found = listCopies(join(place, "salt.manuscript"));
    assert.deepEqual(
      found.map(({ path, kind }) => [path.slice(place.length + 1), kind]),
      [
        [names[0], "before restore"],
        [names[1], "by hand"],
        [names[2], "by hand"],
        [names[3], "scheduled"],
      ],
    );
    assert.equal(new Date(found[1]?.at ?? 0).toISOString(), "2026-03-04T10:00:00.001Z");
  });
});
