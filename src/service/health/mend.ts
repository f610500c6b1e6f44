import { copyFileSync, existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import { createMint } from "../../ids.ts";
import { describeDamage, listDamagedRows } from "../../store/damage.ts";
import { lockFile, openStore, openToExamine } from "../../store/file/open.ts";
import type { Store } from "../../store/file/store.ts";
import { mendRows } from "../../store/mend-rows.ts";
import { deriveStoredBlock } from "../prose/derive-block.ts";

/** What mending came to. */
export type Mended = NonNullable<LocalAnswer<"diagnosis">["mended"]>;

/**
 * Mends what is damaged of a manuscript's rows and can be proved, after copying the file aside. Throws `Unavailable` for a
 * file that is served, or that cannot be opened; `NotFound`.
 */
export function mend(path: string, clock: () => number = Date.now): Mended {
  const unlock = lockFile(path);
  try {
    const store = openStore(path, { clock, mint: createMint() });
    try {
      return mendStore(store, clock());
    } finally {
      store.close();
    }
  } finally {
    unlock();
  }
}

function mendStore(store: Store, at: number): Mended {
  if (listDamagedRows(store).length === 0) return { keptAs: null, mended: [], left: [] };
  store.checkpoint();
  const keptAs = `${store.path}.damaged-${new Date(at).toISOString().replace(/[:.]/g, "-")}`;
  copyFileSync(store.path, keptAs);
  const copies = listCopies(store.path).flatMap((copy) => examined(copy));
  try {
    const rows = store.setAside(() => mendRows({ store, copies, derive: deriveStoredBlock }));
    const left = listDamagedRows(store).map(describeDamage);
    const isLeft = new Set(left);
    const mended = rows
      .map((row) => ({ what: describeDamage(row), from: row.from }))
      .filter(({ what }) => !isLeft.has(what));
    return { keptAs, mended, left };
  } finally {
    for (const copy of copies) copy.close();
  }
}

/** Copies of a manuscript that lie beside it, the newest first: its backups, and what an upgrade has kept. */
function listCopies(path: string): string[] {
  const name = basename(path);
  const folder = `${path.replace(/\.manuscript$/, "")}-backups`;
  const beside = readdirSync(dirname(path))
    .filter((file) => file.startsWith(`${name}-v`) && file.endsWith(".backup"))
    .map((file) => join(dirname(path), file));
  const backups = existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : [];
  const time = (file: string) => statSync(file).mtimeMs;
  return [...backups, ...beside].filter((file) => statSync(file).isFile()).sort((a, b) => time(b) - time(a));
}

function examined(path: string): Store[] {
  try {
    return [openToExamine(path, { clock: Date.now, mint: createMint() })];
  } catch {
    return []; // it proves nothing
  }
}
