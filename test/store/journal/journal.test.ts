import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Conflict } from "../../../src/refusals.ts";
import { createFact, deleteFact, mergeFacts } from "../../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../../src/service/annotations/snippets.ts";
import { setStatus } from "../../../src/service/books/chapter-fields.ts";
import { createChapter, deleteChapter, updateChapter } from "../../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../../src/service/books/read-chapter.ts";
import { undoAct } from "../../../src/service/history/undo.ts";
import type { Manuscript } from "../../../src/service/manuscript.ts";
import { replaceParagraph } from "../../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../../src/service/prose/replace-prose.ts";
import { dump } from "../../support/dump.ts";
import { firstParagraph, MARKDOWN, OWNER, writeSample } from "../../support/sample.ts";
import { manuscript } from "../../support/sandbox.ts";

type Dump = ReturnType<typeof dump>;

describe("the journal", () => {
  it("aborts a write outside an act, also one that changes nothing, and a change of an id", (t) => {
    const { store } = manuscript(t);
    writeSample({ store } as Manuscript);
    for (const sql of [
      "UPDATE books SET title = title",
      "DELETE FROM snippets",
      "INSERT INTO fact_merges(id, book_id, fact_id) VALUES('a','b','c')",
    ]) {
      assert.throws(() => store.run(sql), /outside an act/);
    }
    assert.throws(
      () => store.act({ kind: "x", source: "cli" }, () => () => store.run("UPDATE books SET id = 'bk_x'")),
      /never changes/,
    );
  });

  it("undoes an older edit of another paragraph", (t) => {
    const own = manuscript(t);
    const { chapterId, blockId } = writeSample(own);
    const first = replaceParagraph(own, { chapterId, blockId }, { markdown: "First." }, OWNER);
    const doc = blocksOf(own, chapterId);
    const other = String(
      doc.find(({ type, attrs }) => type === "paragraph" && attrs?.blockId !== blockId)?.attrs?.blockId,
    );
    replaceParagraph(own, { chapterId, blockId: other }, { markdown: "Second." }, OWNER);
    undoAct(own, String(first.act), OWNER);
    assert.match(markdownOf(own, chapterId), /Mara came down.*Second\./s);
  });

  it("refuses to undo what has changed since, names it and changes nothing", (t) => {
    const own = manuscript(t);
    const { chapterId, blockId } = writeSample(own);
    const first = replaceParagraph(own, { chapterId, blockId }, { markdown: "First." }, OWNER);
    replaceParagraph(own, { chapterId, blockId }, { markdown: "Second." }, OWNER);
    const before = dump(own.store);
    assert.throws(
      () => undoAct(own, String(first.act), OWNER),
      (error: Conflict) =>
        error instanceof Conflict && JSON.stringify(error.extra.standing).includes('"changed"'),
    );
    assert.deepEqual(dump(own.store), before);
  });

  it("refuses an undo that would strand a later mention, snippet or block", (t) => {
    const own = manuscript(t);
    const { bookId } = writeSample(own);
    const made = createChapter(own, bookId, { title: "Three", markdown: "Mara again.\n" }, OWNER);
    const note = createSnippet(
      own,
      bookId,
      { kind: "note", blockId: firstParagraph(own, made.id), text: "x" },
      OWNER,
    );
    assert.throws(() => undoAct(own, String(made.act), OWNER), Conflict);
    undoAct(own, String(note.act), OWNER);
    undoAct(own, String(made.act), OWNER);
  });

  it("never gives a revision number twice, not even to a chapter that was deleted and came back", (t) => {
    const own = manuscript(t);
    const { chapterId } = writeSample(own);
    const seen = new Set<number>();
    const note = () => {
      const { revision } = readChapterAnswer(own, chapterId, {});
      assert.ok(!seen.has(revision), `revision ${revision} came twice`);
      seen.add(revision);
    };
    note();
    undoAct(own, String(replaceProse(own, chapterId, { markdown: "x\n" }, OWNER).act), OWNER);
    note();
    undoAct(own, String(deleteChapter(own, chapterId, OWNER).act), OWNER);
    note();
  });

  it("takes back the words of an undone act from the day's progress", (t) => {
    const own = manuscript(t);
    const { bookId, chapterId } = writeSample(own);
    const sum = () =>
      own.store.get(
        "SELECT sum(added) AS added, sum(removed) AS removed FROM progress WHERE book_id = ?",
        bookId,
      );
    const before = sum();
    const { act } = replaceProse(
      own,
      chapterId,
      { markdown: `${MARKDOWN}\nFive more words right here.\n` },
      OWNER,
    );
    assert.notDeepEqual(sum(), before);
    undoAct(own, String(act), OWNER);
    assert.deepEqual(sum(), before);
  });

  it("any act of any history is undone exactly or refused with nothing changed", (t) => {
    const own = manuscript(t);
    const { bookId } = writeSample(own);
    const history: { act: string; before: Dump; after: Dump }[] = [];
    let refused = 0;
    let exact = 0;
    fc.assert(
      fc.property(fc.nat(9), fc.nat(), fc.nat(), (kind, pick, which) => {
        const before = dump(own.store);
        const act = STEPS[kind % STEPS.length]!(own, bookId, pick); // within STEPS
        if (act === undefined) return;
        const after = dump(own.store);
        history.push({ act, before, after });
        const old = history[history.length - 1 - (which % Math.min(history.length, 6))]!; // within history
        const expected = inverse(old, after);
        try {
          const undo = undoAct(own, old.act, OWNER);
          assert.notEqual(expected, undefined, "it undid what had changed since");
          assert.deepEqual(placed(dump(own.store)), placed(expected!)); // checked in the line before
          assertRanks(own);
          history.push({ act: String(undo.act), before: after, after: dump(own.store) });
          exact++;
        } catch (error) {
          if (!(error instanceof Conflict)) throw error;
          assert.deepEqual(dump(own.store), after);
          assert.equal(expected, undefined, `it refused needlessly: ${error.message}`);
          refused++;
        }
        assertCounts(own);
      }),
      { numRuns: 150, seed: 20_261_121, endOnFailure: true, includeErrorInReport: true },
    );
    assert.ok(exact > 50 && refused > 10, `${exact} exact, ${refused} refused`);
  });
});

/** The dump with each row's place in its list for its rank: two rows that came to one rank are parted. */
function placed(dumped: Dump): Dump {
  return Object.fromEntries(
    Object.entries(dumped).map(([table, rows]) => {
      const order = [...rows].sort((a, b) => (`${a.rank} ${a.id}` < `${b.rank} ${b.id}` ? -1 : 1));
      return [table, rows.map((row) => ("rank" in row ? { ...row, rank: order.indexOf(row) } : row))];
    }),
  );
}

function assertRanks(own: Manuscript): void {
  for (const [table, list] of [
    ["parts", "book_id"],
    ["chapters", "book_id"],
    ["blocks", "chapter_id"],
    ["snippets", "book_id"],
  ] as const) {
    const equal = own.store.all(`SELECT rank FROM ${table} GROUP BY "${list}", rank HAVING count(*) > 1`);
    assert.deepEqual(equal, [], `two ${table} of one rank`);
  }
}

interface Block {
  type: string;
  attrs?: { blockId?: string };
}

function blocksOf(own: Manuscript, chapterId: string): Block[] {
  const answer = readChapterAnswer(own, chapterId, { format: "doc" });
  return ("doc" in answer ? answer.doc.content : []) as Block[];
}

function markdownOf(own: Manuscript, chapterId: string): string {
  const answer = readChapterAnswer(own, chapterId, { format: "markdown" });
  return "markdown" in answer ? answer.markdown : "";
}

type Step = (own: Manuscript, bookId: string, pick: number) => string | undefined;

const pickFrom = (own: Manuscript, table: string, pick: number): string | undefined => {
  const ids = own.store.all<{ id: string }>(`SELECT id FROM ${table} ORDER BY id`);
  return ids[pick % Math.max(ids.length, 1)]?.id;
};
const onChapter =
  (run: (own: Manuscript, chapterId: string, pick: number) => string | null): Step =>
  (own, _, pick) => {
    const chapterId = pickFrom(own, "chapters", pick);
    return chapterId === undefined ? undefined : (run(own, chapterId, pick) ?? undefined);
  };

const STEPS: readonly Step[] = [
  (own, bookId, pick) =>
    createChapter(own, bookId, { title: `T${pick}`, markdown: `Mara ${pick}.\n\nTwo.\n` }, OWNER).act ??
    undefined,
  onChapter(
    (own, id, pick) =>
      replaceProse(own, id, { markdown: `Two.\n\nMara ${pick}.\n\n> quote ${pick}\n` }, OWNER).act,
  ),
  onChapter((own, id, pick) => {
    const leaf = blocksOf(own, id).find(({ type }) => type === "paragraph")?.attrs?.blockId;
    return leaf === undefined
      ? null
      : replaceParagraph(own, { chapterId: id, blockId: leaf }, { markdown: `Mara, p${pick}.` }, OWNER).act;
  }),
  onChapter((own, id, pick) => setStatus(own, id, { status: pick % 2 ? "done" : "revising" }, OWNER).act),
  onChapter((own, id, pick) => updateChapter(own, id, { position: 1 + (pick % 3) }, OWNER).act),
  onChapter((own, id) =>
    own.store.get<{ n: number }>("SELECT count(*) AS n FROM chapters")!.n > 2
      ? deleteChapter(own, id, OWNER).act
      : null,
  ), // an aggregate
  (own, bookId, pick) => createFact(own, bookId, { name: `F${pick % 5}` }, OWNER).act ?? undefined,
  (own, _, pick) => {
    const [keepId, dropId] = [pickFrom(own, "facts", pick), pickFrom(own, "facts", pick + 1)];
    return keepId === undefined || dropId === undefined || keepId === dropId
      ? undefined
      : (mergeFacts(own, { keepId, dropId }, OWNER).act ?? undefined);
  },
  (own, _, pick) => {
    const id = pickFrom(own, "facts", pick);
    return id === undefined || pick % 4 ? undefined : (deleteFact(own, id, OWNER).act ?? undefined);
  },
  (own, bookId) => reanchorMentions(own, bookId, OWNER).act ?? undefined,
];

const RANKS = new Set(["rank"]);

/** What undoing an act must give, or undefined where it must refuse: the oracle, over whole dumps. */
function inverse({ before, after }: { before: Dump; after: Dump }, now: Dump): Dump | undefined {
  const result: Dump = {};
  for (const table of Object.keys(now)) {
    const [was, left, is] = [before, after, now].map(
      (dumped) => new Map(dumped[table]?.map((row) => [row.id, row])),
    );
    const rows = new Map(is);
    for (const id of new Set([...was!.keys(), ...left!.keys()])) {
      // three dumps, three maps
      const [old, done, current] = [was!.get(id), left!.get(id), is!.get(id)]; // as above
      if (JSON.stringify(old) === JSON.stringify(done)) continue;
      const row = inverseRow(old, done, current);
      if (row === undefined) return undefined;
      if (row === null) rows.delete(id);
      else rows.set(id, row);
    }
    result[table] = [...rows.values()].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  }
  return settle(result);
}

type Row = Record<string, unknown>;
const DERIVED = new Set([
  "position",
  "word_count",
  "block_count",
  "mention_count",
  "type",
  "text_derived",
  "words",
]);

function inverseRow(
  old: Row | undefined,
  done: Row | undefined,
  current: Row | undefined,
): Row | null | undefined {
  if (done === undefined) return current === undefined ? old : undefined;
  const changed = Object.keys(done).filter(
    (column) => (old === undefined || old[column] !== done[column]) && !DERIVED.has(column),
  );
  // What only moved, and is gone by now, stays gone and stands in nobody's way.
  if (current === undefined)
    return old !== undefined && changed.every((column) => RANKS.has(column)) ? null : undefined;
  if (changed.some((column) => current[column] !== done[column] && !RANKS.has(column))) return undefined;
  if (old === undefined) return null;
  const kept = changed.filter((column) => current[column] === done[column]);
  const restored = Object.fromEntries(
    Object.keys(done)
      .filter((column) => DERIVED.has(column))
      .map((column) => [column, old[column]]),
  );
  return { ...current, ...restored, ...Object.fromEntries(kept.map((column) => [column, old[column]])) };
}

/** The counters of a dump, computed anew; undefined where a row has lost the one that it names. */
function settle(dumped: Dump): Dump | undefined {
  const ids = (table: string) => new Set(dumped[table]?.map(({ id }) => id));
  const [books, chapters, facts, rows, leaves, parts] = [
    "books",
    "chapters",
    "facts",
    "blocks",
    "leaves",
    "parts",
  ].map(ids);
  const holds = (known: Set<unknown> | undefined, key: unknown) => key === null || known?.has(key);
  const isWhole =
    dumped.blocks?.every((row) => holds(chapters, row.chapter_id)) &&
    dumped.leaves?.every((row) => holds(rows, row.row_id)) &&
    dumped.mentions?.every(
      (row) => holds(facts, row.fact_id) && holds(chapters, row.chapter_id) && holds(leaves, row.block_id),
    ) &&
    dumped.snippets?.every((row) => holds(chapters, row.chapter_id) && holds(leaves, row.block_id)) &&
    dumped.fact_merges?.every((row) => holds(facts, row.fact_id)) &&
    dumped.chapters?.every((row) => holds(books, row.book_id) && holds(parts, row.part_id)) &&
    dumped.mentions?.every(
      (row) => textOf(dumped, row.block_id).slice(Number(row.start), Number(row.end)) === row.text,
    );
  if (!isWhole) return undefined;
  const count = (table: string, id: unknown) => dumped[table]?.filter((row) => row.chapter_id === id) ?? [];
  const ordered = [...(dumped.chapters ?? [])].sort((a, b) =>
    `${a.rank} ${a.id}` < `${b.rank} ${b.id}` ? -1 : 1,
  );
  return {
    ...dumped,
    chapters: (dumped.chapters ?? []).map((row) => ({
      ...row,
      position:
        1 + ordered.filter(({ book_id }) => book_id === row.book_id).findIndex(({ id }) => id === row.id),
      word_count: count("blocks", row.id).reduce((sum, { words }) => sum + Number(words), 0),
      block_count: count("leaves", row.id).length,
      mention_count: count("mentions", row.id).length,
    })),
  };
}

/** The plain text of a leaf in a dump: good enough for the simple paragraphs that these steps write. */
function textOf(dumped: Dump, blockId: unknown): string {
  const row = dumped.blocks?.find(({ node }) => String(node).includes(`"${blockId}"`));
  const found = row === undefined ? undefined : find(JSON.parse(String(row.node)), blockId);
  return (found?.content ?? []).map(({ text = "" }) => text).join("");
}

interface Node {
  attrs?: { blockId?: string };
  content?: Node[];
  text?: string;
}

function find(node: Node, blockId: unknown): Node | undefined {
  if (node.attrs?.blockId === blockId) return node;
  for (const child of node.content ?? []) {
    const found = find(child, blockId);
    if (found !== undefined) return found;
  }
  return undefined;
}

function assertCounts({ store }: Manuscript): void {
  assert.deepEqual(store.all("PRAGMA foreign_key_check"), []);
  const wrong = store.all(
    `SELECT id FROM chapters c WHERE word_count <> (SELECT coalesce(sum(words), 0) FROM blocks WHERE chapter_id = c.id)
     OR block_count <> (SELECT count(*) FROM leaves WHERE chapter_id = c.id)
     OR mention_count <> (SELECT count(*) FROM mentions WHERE chapter_id = c.id)`,
  );
  assert.deepEqual(wrong, []);
}
