import { copyFileSync } from "node:fs";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import { createMint } from "../../ids.ts";
import { nodeOf } from "../../prose/document/leaves.ts";
import { rescuing, Unavailable } from "../../refusals.ts";
import { listCopies } from "../../store/copies.ts";
import { describeDamage, listDamagedRows } from "../../store/damage.ts";
import { listBrokenReferences, listDamage } from "../../store/examine.ts";
import { schemaFaults, whyReadOnly } from "../../store/file/migrate.ts";
import { lockFile, mendSchemaOf, openStore, openToExamine } from "../../store/file/open.ts";
import type { Store } from "../../store/file/store.ts";
import { mendRows, tablesThatLostRows } from "../../store/mend-rows.ts";
import type { DerivedBlock } from "../../store/rows/blocks.ts";
import { deriveBlock, deriveBlockAsBefore } from "../prose/stored-prose.ts";

/** What mending came to. */
export type Mended = NonNullable<LocalAnswer<"diagnosis">["mended"]>;

/**
 * Mends what is damaged of a manuscript's file and can be proved, after copying it aside: its schema, its indexes, its rows.
 * Throws `Unavailable` for a file that is served, cannot be opened, or has rows that mending would hide; `NotFound`.
 */
export function mend(path: string, clock: () => number = Date.now): Mended {
  const unlock = lockFile(path);
  const options = { clock, mint: createMint() };
  const withStore = <Result>(work: (store: Store) => Result): Result => {
    const store = openStore(path, options);
    try {
      return work(store);
    } finally {
      store.close();
    }
  };
  try {
    const keptAs = withStore((store) => {
      if (isSound(store)) return null;
      assertNoneLost(store);
      return keepAside(store, clock());
    });
    if (keptAs === null) return { keptAs, schema: [], mended: [], left: [] };
    const schema = mendSchemaOf(path);
    return { keptAs, schema, ...withStore(mendStore) };
  } finally {
    unlock();
  }
}

function isSound(store: Store): boolean {
  return (
    whyReadOnly(schemaFaults(store)) === undefined &&
    listDamage(store).length === 0 &&
    listDamagedRows(store).length === 0
  );
}

function assertNoneLost(store: Store): void {
  const lost = tablesThatLostRows(store);
  if (lost.length === 0) return;
  throw new Unavailable(
    `${store.path} has lost rows of ${lost.join(", ")}, which only its indexes still tell of. Nothing was mended, for that would hide it. Run: ${rescuing(store.path)}.`,
  );
}

/** In an index made anew, a row that names nothing stands under no list any more. */
function assertNoneHidden(store: Store): void {
  const broken = listBrokenReferences(store);
  if (broken.length > 0)
    throw new Unavailable(
      `${store.path} has damaged rows that nothing brings back, and that no list would show: ${broken.join("; ")}. None was mended, for that would hide it. Run: ${rescuing(store.path)}.`,
    );
}

function keepAside(store: Store, at: number): string {
  store.checkpoint();
  const keptAs = `${store.path}.damaged-${new Date(at).toISOString().replace(/[:.]/g, "-")}`;
  copyFileSync(store.path, keptAs);
  return keptAs;
}

function mendStore(store: Store): Pick<Mended, "mended" | "left"> {
  const copies = listCopies(store.path).flatMap((copy) => examined(copy.path));
  try {
    const rows = store.setAside(() => {
      const mended = mendRows({ store, copies, derivations });
      assertNoneHidden(store);
      return mended;
    });
    const left = listDamagedRows(store).map(describeDamage);
    const isLeft = new Set(left);
    const mended = rows
      .map((row) => ({ what: describeDamage(row), from: row.from }))
      .filter(({ what }) => !isLeft.has(what));
    return { mended, left: [...left, ...listDamage(store)] };
  } finally {
    for (const copy of copies) copy.close();
  }
}

function derivations(stored: string): DerivedBlock[] {
  const node = nodeOf({ node: stored });
  return [deriveBlock(node), deriveBlockAsBefore(node)];
}

function examined(path: string): Store[] {
  try {
    return [openToExamine(path, { clock: Date.now, mint: createMint() })];
  } catch {
    return []; // it proves nothing
  }
}
