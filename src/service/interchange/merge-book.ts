import { isDeepStrictEqual } from "node:util";
import type { BookId } from "../../ids.ts";
import * as books from "../../store/rows/books.ts";
import { placeRanks } from "../../store/rows/sequence.ts";
import { checkText, TEXTS } from "../field-rules.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import type { AskedBook, AskedImport } from "./import-book.ts";

/** What became of the book's own description: its title, goal, parts, order, and the keys that are not ours. */
export interface BookOutcome {
  /** `left`: only the manuscript has changed since; `conflict`: both sides changed the same, each in its own way. */
  status: "created" | "updated" | "same" | "left" | "conflict";
  /** What was written of it. */
  fields: string[];
  /** What both sides changed; nothing of that was written. */
  conflicts: string[];
}

/** Whose word counts; `same` where it is the same word. */
type Side = "same" | "mine" | "theirs" | "conflict";

/** Collects, key by key, which side of a book's description counts. Without a base the folder's word does. */
export class BookMerge {
  readonly #force: AskedImport["force"];
  readonly #hasBase: boolean;
  readonly #fields: string[] = [];
  readonly #conflicts: string[] = [];
  #isLeft = false;

  constructor({ base, force }: Pick<AskedImport, "base" | "force">) {
    this.#hasBase = base !== undefined;
    this.#force = force;
  }

  /** True where the folder's value is to be written. */
  takes<Value>(key: string, values: { mine: Value; base: Value | undefined; theirs: Value }): boolean {
    return this.#settle(key, sideOf(values, this.#hasBase));
  }

  /** The same for an order: what the sides do not both have does not count. */
  takesOrder(
    key: string,
    { mine, base, theirs }: Record<"mine" | "theirs", readonly string[]> & { base?: readonly string[] },
  ): boolean {
    const both = common(mine, theirs);
    if (isDeepStrictEqual(both(mine), both(theirs))) return false;
    if (base === undefined) return this.#settle(key, "mine");
    const all = common(both(mine), base);
    const mineMoved = !isDeepStrictEqual(all(mine), all(base));
    const theirsMoved = !isDeepStrictEqual(all(theirs), all(base));
    return this.#settle(key, !mineMoved ? "theirs" : theirsMoved ? "conflict" : "mine");
  }

  #settle(key: string, side: Side): boolean {
    if (side === "same") return false;
    if (side === "theirs" || (side === "conflict" && this.#force === "theirs")) {
      this.#isLeft = true;
      return false;
    }
    if (side === "conflict" && this.#force !== "mine") {
      this.#conflicts.push(key);
      return false;
    }
    this.#fields.push(key);
    return true;
  }

  outcome(isNew: boolean): BookOutcome {
    const [fields, conflicts] = [this.#fields, this.#conflicts];
    if (isNew) return { status: "created", fields, conflicts };
    if (conflicts.length > 0) return { status: "conflict", fields, conflicts };
    return { status: fields.length > 0 ? "updated" : this.#isLeft ? "left" : "same", fields, conflicts };
  }
}

function sideOf<Value>(
  { mine, base, theirs }: { mine: Value; base: Value | undefined; theirs: Value },
  hasBase: boolean,
): Side {
  if (isDeepStrictEqual(mine, theirs)) return "same";
  if (!hasBase || isDeepStrictEqual(theirs, base)) return "mine";
  return isDeepStrictEqual(mine, base) ? "theirs" : "conflict";
}

/** Gives of a list what both of these hold. */
function common(one: readonly string[], other: readonly string[]) {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  return (list: readonly string[]) => list.filter((entry) => inOne.has(entry) && inOther.has(entry));
}

/** Brings title, goal, keys and part titles in step with what the folder says of the book. */
export function describeBook(
  manuscript: Manuscript,
  id: BookId,
  { title, book, base }: AskedImport,
  merge: BookMerge,
): void {
  if (book === undefined) return;
  const { store } = manuscript;
  const present = theBook(manuscript, id);
  if (title === undefined && book.title !== undefined) {
    const mine = checkText("The book's title", book.title, TEXTS.title);
    if (merge.takes("title", { mine, base: base?.title, theirs: present.title })) {
      books.setBookTitle(store, id, mine);
    }
  }
  const goal = {
    mine: book.goal ?? null,
    base: base?.goal ?? null,
    theirs: books.findGoal(store, id) ?? null,
  };
  const saysGoal = goal.mine !== null || base !== undefined;
  if (saysGoal && merge.takes("goal", goal)) {
    if (goal.mine === null) books.deleteGoal(store, id);
    else books.saveGoal(store, id, goal.mine);
  }
  const theirs = present.manifest === null ? {} : JSON.parse(present.manifest);
  if (merge.takes("other keys", { mine: book.manifest, base: base?.manifest, theirs })) {
    books.setManifest(
      store,
      id,
      Object.keys(book.manifest).length === 0 ? null : JSON.stringify(book.manifest),
    );
  }
  for (const { from, to } of renamedParts(book, base)) {
    const parts = books.listParts(store, id);
    const part = parts.find((other) => other.title === from);
    if (part === undefined || parts.some((other) => other.title === to)) continue;
    if (merge.takes(`part ${to}`, { mine: to, base: from, theirs: from })) {
      books.updatePart(store, part.id, checkText("A part's title", to, TEXTS.title), part.rank);
    }
  }
}

/** Puts parts and chapters in the order that the folder's list has them in, where that is to be. */
export function reorderParts(
  { store }: Manuscript,
  id: BookId,
  { book, base }: AskedImport,
  merge: BookMerge,
): void {
  if (book === undefined) return;
  const parts = books.listParts(store, id);
  const theirs = parts.map(({ title }) => title);
  if (
    !merge.takesOrder("order of the parts", { mine: book.parts, theirs, ...(base && { base: base.parts }) })
  )
    return;
  const order = inOrder(parts, ({ title }) => title, book.parts);
  placeRanks(order).forEach((rank, index) => {
    const part = order[index]!; // one rank a part
    if (part.rank !== rank) books.updatePart(store, part.id, part.title, rank);
  });
}

/** A list whose named entries, and no others, change places among themselves to be in the order of the names. */
export function inOrder<Entry extends object>(
  list: readonly Entry[],
  nameOf: (entry: Entry) => string | undefined,
  names: readonly string[],
): Entry[] {
  const byName = new Map(
    list.flatMap((entry) => {
      const name = nameOf(entry);
      return name === undefined ? [] : [[name, entry] as const];
    }),
  );
  const wanted = names.flatMap((name) => byName.get(name) ?? []);
  const moving = new Set(wanted);
  let next = 0;
  return list.map((entry) => (moving.has(entry) ? wanted[next++]! : entry)); // as many as are moving
}

/** Parts of the same folder that the folder's list calls otherwise than it did. */
function renamedParts(book: AskedBook, base: AskedBook | undefined): { from: string; to: string }[] {
  return [...book.folders].flatMap(([folder, to]) => {
    const from = base?.folders.get(folder);
    return from === undefined || from === to ? [] : [{ from, to }];
  });
}
