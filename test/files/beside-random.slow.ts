import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { parse, stringify } from "yaml";
import { changeFact, createFact, deleteFact, listFacts } from "../../src/service/annotations/facts.ts";
import {
  createSnippet,
  deleteSnippet,
  listSnippets,
  updateSnippet,
} from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { type Manuscript, write } from "../../src/service/manuscript.ts";
import { dump } from "../support/dump.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript, seeded } from "../support/sandbox.ts";
import { exchange } from "./exchange.ts";

/** An entry as either side has it; what is blank is left out. */
type Entry = Record<string, unknown>;

interface FactWords {
  name: string;
  kind: string;
  aliases: string[];
  attributes: Record<string, string>;
  summary: string;
}

interface NoteWords {
  text: string;
  url: string;
  items: { text: string; done: boolean }[];
  place: number;
}

/** A kind of entries: what its fields may say, and how the manuscript is told. */
interface Kind {
  file: string;
  /** The field by which an entry without an id is known. */
  key: string;
  values: Readonly<Record<string, readonly unknown[]>>;
  list(open: Manuscript, bookId: string): Map<string, Entry>;
  change(open: Manuscript, id: string, entry: Entry): void;
  create(open: Manuscript, bookId: string, entry: Entry): string;
  drop(open: Manuscript, id: string): void;
}

const said = (entry: object): Entry =>
  Object.fromEntries(
    Object.entries(entry).filter(
      ([, value]) =>
        value != null && value !== "" && JSON.stringify(value) !== "[]" && JSON.stringify(value) !== "{}",
    ),
  );

const FACTS: Kind = {
  file: "facts.yaml",
  key: "name",
  values: {
    name: ["Mara", "Tobit", "The Bell", "no", "1850"],
    kind: ["", "character", "place", "yes"],
    aliases: [[], ["a"], ["a", "b: c"], ["- d"]],
    attributes: [{}, { eyes: "grey" }, { eyes: "blue", born: "1850-01-02" }],
    summary: ["", "One line.", "Two\nlines # here", "x ".repeat(90).trim(), "trailing \nspace"],
  },
  list: (open, bookId) =>
    new Map(
      listFacts(open, bookId).facts.map(({ id, name, kind, aliases, attributes, summary }) => [
        id,
        said({
          name,
          kind,
          aliases,
          attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value])),
          summary,
        }),
      ]),
    ),
  change: (open, id, entry) => {
    const { name = "", kind = "", aliases = [], attributes = {}, summary = "" } = entry as Partial<FactWords>;
    const pairs = Object.entries(attributes).map(([key, value]) => ({ key, value: String(value) }));
    write(open, "updateFact", OWNER, () => {
      changeFact(open, id, { name, kind, aliases, attributes: pairs, summary });
      return () => ({});
    });
  },
  create: (open, bookId, entry) => {
    const { id } = createFact(open, bookId, { name: "New" }, OWNER);
    FACTS.change(open, id, entry);
    return id;
  },
  drop: (open, id) => deleteFact(open, id, OWNER),
};

const NOTES: Kind = {
  file: "notes.yaml",
  key: "text",
  values: {
    text: ["", "Too dark?", "Why\nnot?", "null"],
    url: ["", "https://example.org/a", "mailto:a@example.org"],
    items: [[{ text: "a", done: false }], [{ text: "a", done: true }], [{ text: "b # c", done: false }]],
    place: [1, 2, 3],
  },
  list: (open, bookId) =>
    new Map(
      listSnippets(open, bookId, {}).snippets.map(({ id, text, url, items, blockId }) => [
        id,
        said({ text, url, items, place: placeOf(open, blockId) }),
      ]),
    ),
  change: (open, id, entry) => {
    const { text = null, url = null, items, place = 0 } = entry as Partial<NoteWords>;
    const blockId = PLACES.get(open)?.[place] ?? null;
    updateSnippet(open, id, { kind: "todo", text, url, items, blockId }, OWNER);
  },
  create: (open, bookId, entry) => {
    const { id } = createSnippet(open, bookId, { kind: "todo" }, OWNER);
    NOTES.change(open, id, entry);
    return id;
  },
  drop: (open, id) => deleteSnippet(open, id, OWNER),
};

/** The paragraphs of a manuscript's one chapter that notes may stand beside, the first at 1. */
const PLACES = new WeakMap<Manuscript, string[]>();
const PARAGRAPHS = ["Nobody rang the bell that day.", "Nobody rang it after.", "Then it rang."];

// Other runs of it: MANUSCRIPT_RUNS=500 MANUSCRIPT_SEED=2.
const RUNS = Number(process.env.MANUSCRIPT_RUNS ?? 3);
const SEED = Number(process.env.MANUSCRIPT_SEED ?? 7);

for (const kind of [FACTS, NOTES]) {
  describe(`${kind.file}, edited on both sides at random`, () => {
    it("merges different fields, reports the same, and loses nothing", async (t) => {
      const open = manuscript(t);
      const random = dice(SEED);
      for (let run = 0; run < RUNS; run++) await exchangeOnce(t, { open, kind }, random);
    });
  });
}

type Dice = <Value>(values: readonly Value[]) => Value;

function dice(seed: number): Dice {
  const bytes = seeded(seed);
  return (values) => {
    const [high = 0, low = 0] = bytes(2);
    return values[(high * 256 + low) % values.length]!; // none is empty
  };
}

/** A book in a folder, and what the two last had in common. */
interface Common {
  open: Manuscript;
  kind: Kind;
  bookId: string;
  path: string;
  pick: Dice;
  /** What the file says, and what it said at the last import; entries in conflict as they were before. */
  mine: Map<string, Entry>;
  base: Map<string, Entry>;
  /** Entries that have no id in the file. */
  unmarked: Set<string>;
  /** Entries of the file that are not in the manuscript yet. */
  brought: Entry[];
}

const ROUNDS = 3;

async function exchangeOnce(
  t: TestContext,
  { open, kind }: { open: Manuscript; kind: Kind },
  pick: Dice,
): Promise<void> {
  const { id: bookId } = createBook(open, { title: "Book" }, OWNER);
  createChapter(open, bookId, { title: "One", markdown: `# One\n\n${PARAGRAPHS.join("\n\n")}\n` }, OWNER);
  const leaves = open.store.all<{ id: string }>(
    "SELECT l.id FROM leaves l JOIN blocks b ON b.id = l.row_id JOIN chapters c ON c.id = l.chapter_id WHERE c.book_id = ? ORDER BY b.rank",
    bookId,
  );
  PLACES.set(
    open,
    leaves.map(({ id }) => id),
  );
  for (let count = 0; count < 4; count++) kind.create(open, bookId, anyEntry(kind, pick));
  const path = join(folder(t), "out");
  await exchange(open, bookId, path).export();
  const base = kind.list(open, bookId);
  const common = { open, kind, bookId, path, pick, base, mine: new Map(base), unmarked: new Set<string>() };
  let state: Common = { ...common, brought: [] };
  for (let round = 0; round < ROUNDS; round++) state = await importOnce(state);
  await syncOnce(state);
}

function anyEntry(kind: Kind, pick: Dice): Entry {
  return said(Object.fromEntries(Object.entries(kind.values).map(([key, values]) => [key, pick(values)])));
}

function edited({ kind, pick }: Common, side: ReadonlyMap<string, Entry>): Map<string, Entry> {
  const keys = Object.keys(kind.values);
  return new Map(
    [...side].flatMap(([id, entry]): [string, Entry][] => {
      const count = pick([0, 0, 0, 1, 1, 2, -1]);
      if (count < 0) return [];
      const changed = keys.filter((_, index) => index < count).map(() => pick(keys));
      const values = changed.map((key) => [key, pick(kind.values[key]!)]); // it is one of them
      return [[id, said({ ...entry, ...Object.fromEntries(values) })]];
    }),
  );
}

/** Edits both sides, imports the file, and gives what they have in common then. */
async function importOnce(state: Common): Promise<Common> {
  const { open, kind, bookId, path, pick, base, unmarked } = state;
  const another = { ...anyEntry(kind, pick), [kind.key]: `New ${state.base.size}-${state.brought.length}` };
  const brought = [...state.brought, said(another)];
  const mine = edited(state, state.mine);
  for (const id of unmarked) mine.set(id, state.mine.get(id)!); // without an id only what it says tells what it is
  const stood = kind.list(open, bookId);
  const theirs = edited(state, stood);
  for (const [id, entry] of stood) {
    const next = theirs.get(id);
    if (next === undefined) kind.drop(open, id);
    else if (!same(next, entry)) kind.change(open, id, next);
  }
  writeMine({ ...state, mine, brought });
  const before = dump(open.store);

  const files = exchange(open, bookId, path);
  const expected = merge({ base, mine, theirs });
  const outcomesOf = (answer: Awaited<ReturnType<typeof files.import>>) =>
    kind === FACTS ? answer.facts : answer.notes;
  const dry = outcomesOf(await files.import({ dryRun: true }));
  const done = await files.import();
  const outcomes = outcomesOf(done);
  const created = outcomes.filter(({ status }) => status === "created").map(({ id }) => id);
  assert.deepEqual(
    dry.map((entry, index) => (entry.status === "created" ? { ...entry, id: outcomes[index]?.id } : entry)),
    outcomes,
    "a dry run answers the same",
  );
  const stands = kind.list(open, bookId);
  assert.deepEqual(
    created.map((id) => stands.get(id)),
    brought,
  );
  for (const id of created) stands.delete(id);
  assert.deepEqual(Object.fromEntries(stands), Object.fromEntries(expected.entries));
  const conflicts = outcomes.filter(({ status }) => status === "conflict").map(({ id }) => id);
  assert.deepEqual(conflicts.toSorted(), expected.conflicts.toSorted());

  const rows = () => open.store.get<{ rows: number }>("SELECT count(*) AS rows FROM journal")?.rows;
  const journaled = rows();
  const again = outcomesOf(await files.import());
  assert.equal(rows(), journaled, "a second import writes nothing");
  const still = again.filter(({ status }) => status === "conflict").map(({ id }) => id);
  assert.deepEqual(still.toSorted(), conflicts.toSorted(), "a conflict stays one");
  if (pick(["keep", "keep", "undo"]) === "undo") {
    undoAct(open, String(done.act), OWNER);
    assert.deepEqual(dump(open.store), before);
    return { ...state, mine, brought };
  }
  const next = new Map([...base].filter(([id]) => mine.has(id) || stands.has(id)));
  for (const [id, entry] of mine) if (!conflicts.includes(id) && stands.has(id)) next.set(id, entry);
  created.forEach((id, index) => {
    for (const side of [next, mine]) side.set(id, brought[index]!); // one a new entry
    unmarked.add(id);
  });
  return { ...state, mine, base: next, brought: [] };
}

/** Brings the folder in step: where nothing is in conflict the file then says what the manuscript does. */
async function syncOnce({ open, kind, bookId, path, base, mine }: Common): Promise<void> {
  const files = exchange(open, bookId, path);
  const { facts, notes } = await files.sync();
  if ([...facts, ...notes].some(({ status }) => status === "conflict")) return;
  const inFile = new Map(readEntries(path, kind).map(({ id, ...entry }) => [id, entry]));
  const stands = kind.list(open, bookId);
  for (const [id, entry] of stands) {
    if (base.has(id) && !mine.has(id)) assert.ok(!inFile.has(id), "what its writer took out is not put back");
    else assert.deepEqual(shown(kind, open, inFile.get(id)), entry);
  }
  for (const id of inFile.keys())
    assert.ok(stands.has(String(id)), "what the manuscript gave up is taken out");
  const { files: again } = await files.sync();
  assert.ok(again.every(({ status }) => status === "same"));
}

function readEntries(path: string, { file }: Kind): (Entry & { id?: string })[] {
  return parse(readFileSync(join(path, file), "utf8")) ?? [];
}

/** An entry of the file in the words of the test. */
function shown(kind: Kind, open: Manuscript, entry: Entry = {}): Entry {
  const { mine: _, block, quote, chapter, ...rest } = entry;
  if (kind === FACTS) return said(rest);
  const place = block === undefined ? PARAGRAPHS.indexOf(String(quote)) + 1 : placeOf(open, block);
  const { text, url, items } = rest;
  return said({ text, url, items, place });
}

function placeOf(open: Manuscript, block: unknown): number | undefined {
  return PLACES.get(open)?.indexOf(String(block));
}

/** Writes the file as another program would: its own way to write YAML, entries in another order, some of them new. */
function writeMine({ open, path, kind, mine, unmarked, brought }: Common): void {
  const inWords = (entry: Entry): Entry => {
    if (kind === FACTS) return entry;
    const { place, ...rest } = entry;
    return { ...rest, kind: "todo", chapter: "01-one.md", quote: PARAGRAPHS[Number(place) - 1] };
  };
  const old = new Map(readEntries(path, kind).map(({ id, ...entry }) => [id, entry]));
  const entries = [...mine].map(([id, entry]) => {
    const before = old.get(id);
    if (before !== undefined && same(sorted(shown(kind, open, before)), sorted(entry)))
      return { id, ...before };
    return unmarked.has(id) ? inWords(entry) : { ...inWords(entry), id, mine: "kept" };
  });
  writeFileSync(join(path, kind.file), stringify([...brought.map(inWords), ...entries.reverse()]));
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What both sides' edits must come to, worked out field by field. */
function merge({ base, mine, theirs }: Record<"base" | "mine" | "theirs", ReadonlyMap<string, Entry>>) {
  const entries = new Map<string, Entry>();
  const conflicts: string[] = [];
  for (const [id, was] of base) {
    const [my, their] = [mine.get(id), theirs.get(id)];
    if (their === undefined) {
      if (my !== undefined && !same(sorted(my), sorted(was))) conflicts.push(id);
      continue;
    }
    const merged: Entry = {};
    let isConflict = false;
    for (const key of new Set([...Object.keys(was), ...Object.keys(my ?? {}), ...Object.keys(their)])) {
      const [a, b, c] = [was[key], my === undefined ? was[key] : my[key], their[key]];
      if (!same(a, b) && !same(a, c) && !same(b, c)) isConflict = true;
      merged[key] = same(a, b) ? c : b;
    }
    if (isConflict) conflicts.push(id);
    entries.set(id, isConflict ? their : said(merged));
  }
  return { entries, conflicts };
}

function sorted(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
}
