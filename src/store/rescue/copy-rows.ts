import { createMint } from "../../ids.ts";
import type { Copy } from "../copies.ts";
import { formatOf } from "../examine.ts";
import { openToExamine } from "../file/open.ts";
import type { Store } from "../file/store.ts";
import { findWhole } from "../rows/pictures.ts";
import type { CopyRows } from "./candidates.ts";
import type { Row } from "./past.ts";

/** Other copies of a file, each opened when the first row is asked for. */
export class OpenedCopies {
  readonly #copies: readonly Copy[];
  readonly #version: number;
  readonly #opened: Store[] = [];
  #rows: readonly CopyRows[] | undefined;

  /** Of these, those that open and have this format are asked. */
  constructor(copies: readonly Copy[], version: number) {
    this.#copies = copies;
    this.#version = version;
  }

  /** What they hold, the newest first. */
  rows(): readonly CopyRows[] {
    this.#rows ??= this.#copies.flatMap((copy) => orNothing(() => this.#open(copy)) ?? []);
    return this.#rows;
  }

  close(): void {
    for (const store of this.#opened) store.close();
  }

  #open({ path, at }: Copy): CopyRows | undefined {
    const store = openToExamine(path, { clock: Date.now, mint: createMint() });
    this.#opened.push(store);
    if (formatOf(store) !== this.#version) return undefined;
    const [lastAct = 0] = store.list<number>("SELECT max(seq) FROM acts");
    const rowOf: CopyRows["rowOf"] = (table, id) =>
      orNothing(() => store.get<Row>(`SELECT * FROM ${table} WHERE id = ?`, id));
    const pictureOf: CopyRows["pictureOf"] = (hash) => orNothing(() => findWhole(store, hash));
    return { path, at, lastAct, rowOf, pictureOf };
  }
}

function orNothing<Found>(read: () => Found): Found | undefined {
  try {
    return read();
  } catch {
    return undefined; // it is damaged, too
  }
}
