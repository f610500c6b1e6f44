import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { parse, stringify } from "yaml";
import { undoAct } from "../../src/service/acts.ts";
import { createBook } from "../../src/service/books.ts";
import { createChapter } from "../../src/service/chapters.ts";
import { changeFact, createFact, deleteFact, listFacts } from "../../src/service/facts.ts";
import { type Manuscript, write } from "../../src/service/manuscript.ts";
import { createSnippet, deleteSnippet, listSnippets, updateSnippet } from "../../src/service/snippets.ts";
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
const RUNS = Number(process.env.MANUSCRIPT_RUNS ?? 12);
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
  const make = () =>
    said(Object.fromEntries(Object.entries(kind.values).map(([key, values]) => [key, pick(values)])));
  for (let count = 0; count < 4; count++) kind.create(open, bookId, make());
  const path = join(folder(t), "out");
  const files = exchange(open, bookId, path);
  await files.export();

  const base = kind.list(open, bookId);
  const read = (): (Entry & { id?: string })[] => parse(readFileSync(join(path, kind.file), "utf8")) ?? [];
  const mine = new Map(base);
  const theirs = new Map(base);
  for (const side of [mine, theirs]) for (const id of base.keys()) edit(side, id);
  function edit(side: Map<string, Entry>, id: string) {
    const what = pick(["none", "none", "one", "one", "two", "gone"]);
    const entry = { ...side.get(id) };
    if (what === "gone") return side.delete(id);
    const fields = what === "none" ? [] : what === "one" ? [0] : [0, 1];
    for (const _ of fields) {
      const key = pick(Object.keys(kind.values));
      entry[key] = pick(kind.values[key]!); // it is one of them
    }
    return side.set(id, said(entry));
  }
  for (const [id, entry] of theirs) if (same(entry, base.get(id)!) === false) kind.change(open, id, entry);
  for (const id of base.keys()) if (!theirs.has(id)) kind.drop(open, id);
  const brought = make();
  writeMine(path, kind, { mine, base, brought, read });
  const before = dump(open.store);

  const expected = merge({ base, mine, theirs });
  const dry = await files.import({ dryRun: true });
  const done = await files.import();
  const outcomes = kind === FACTS ? done.facts : done.notes;
  const dryOutcomes = kind === FACTS ? dry.facts : dry.notes;
  const created = outcomes.find(({ status }) => status === "created");
  assert.deepEqual(
    dryOutcomes.map((entry) => (entry.status === "created" ? { ...entry, id: created?.id } : entry)),
    outcomes,
  );
  const stands = kind.list(open, bookId);
  assert.deepEqual(stands.get(String(created?.id)), brought);
  stands.delete(String(created?.id));
  assert.deepEqual(Object.fromEntries(stands), Object.fromEntries(expected.entries));
  const conflicts = outcomes.filter(({ status }) => status === "conflict").map(({ id }) => id);
  assert.deepEqual(conflicts.sort(), expected.conflicts.sort());

  const rows = () => open.store.get<{ rows: number }>("SELECT count(*) AS rows FROM journal")?.rows;
  const journaled = rows();
  const again = await files.import();
  assert.equal(rows(), journaled, "a second import writes nothing");
  const conflictsAgain = (kind === FACTS ? again.facts : again.notes).filter(
    ({ status }) => status === "conflict",
  );
  assert.deepEqual(conflictsAgain.map(({ id }) => id).sort(), conflicts.sort(), "a conflict stays one");
  if (conflicts.length === 0) {
    await files.sync();
    const inFile = new Map(read().map(({ id, ...entry }) => [id, entry]));
    for (const [id, entry] of kind.list(open, bookId)) {
      if (base.has(id) && !mine.has(id))
        assert.ok(!inFile.has(id), "what its writer took out is not put back");
      else assert.deepEqual(shown(kind, open, inFile.get(id)), entry);
    }
  }
  undoAct(open, String(done.act), OWNER);
  assert.deepEqual(dump(open.store), before);
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

interface Writing {
  mine: ReadonlyMap<string, Entry>;
  base: ReadonlyMap<string, Entry>;
  brought: Entry;
  read: () => (Entry & { id?: string })[];
}

/** Writes the file as another program would: its own way to write YAML, entries in another order, one of them new. */
function writeMine(path: string, kind: Kind, { mine, base, brought, read }: Writing): void {
  const inWords = (entry: Entry) => {
    if (kind === FACTS) return entry;
    const { place, ...rest } = entry;
    return { ...rest, chapter: "01-one.md", quote: PARAGRAPHS[Number(place) - 1] };
  };
  const entries = read().flatMap(({ id = "", ...old }) => {
    const entry = mine.get(id);
    if (entry === undefined) return [];
    return [same(entry, base.get(id)!) ? { id, ...old } : { ...inWords(entry), id, mine: "kept" }]; // it is of the base
  });
  writeFileSync(join(path, kind.file), stringify([inWords(brought), ...entries.reverse()]));
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
