import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ImportOptions, importFiles } from "../../../src/files/import.ts";
import { readBookFiles } from "../../../src/files/layouts/manuscript.ts";
import { syncFolder } from "../../../src/files/sync.ts";
import { undoAct } from "../../../src/service/history/undo.ts";
import type { ImportAnswer } from "../../../src/service/interchange/import-book.ts";
import { dump } from "../../../test/support/dump.ts";
import { OWNER } from "../../../test/support/sample.ts";
import { copyOf, type Side } from "./edits.ts";
import {
  blockIds,
  type Chapter,
  type Exchanged,
  fieldsOf,
  inOrderOf,
  markdownOf,
  readMine,
} from "./exchange.ts";
import { type Leaf, linesOf, render } from "./prose.ts";
import { type Truth, truthOf } from "./truth.ts";
import { expectNews, type News } from "./whole-book.ts";

/** What the runs came to. */
export interface Tally {
  edits: Record<string, number>;
  rounds: number;
  /** Chapters that both sides changed, and came to one. */
  merged: number;
  conflicts: number;
  /** Chapters whose outcome nobody can know. */
  open: number;
  undone: number;
  /** Runs at whose end an older copy of the folder was put back. */
  older: number;
}

/** No run yet. */
export const newTally = (): Tally => ({
  edits: {},
  ...{ rounds: 0, merged: 0, conflicts: 0, open: 0, undone: 0, older: 0 },
});

/** Whether two sides say the same. */
export function same(one: Side, other: Side): boolean {
  return (
    render(one.leaves) === render(other.leaves) && JSON.stringify(one.fields) === JSON.stringify(other.fields)
  );
}

/** What a side says of a paragraph. */
export const textIn = ({ leaves }: Side, key: number) => leaves.find((leaf) => leaf.key === key)?.text;

/** Brings both sides together, and looks at what came of it. */
export async function meet(exchanged: Exchanged, news: News, tally: Tally): Promise<void> {
  const { open, words, bookId, path, chapters } = exchanged;
  const { pick } = words;
  const isSync = pick([true, true, false]);
  const run = async (options: Omit<ImportOptions, "bookId"> = {}) => {
    const asked = { bookId, yes: true, ...options };
    const files = await readBookFiles(path);
    return isSync ? syncFolder(open, files, asked) : importFiles(open, files, asked);
  };
  const live = chapters.filter(({ isGone, isDeleted }) => !isGone && !isDeleted);
  const truths = new Map(live.map(({ id, base, mine, theirs }) => [id, truthOf(base, mine, theirs)]));
  const stood = new Map(
    live.map(({ id }) => [id, { ids: blockIds(open, id), markdown: markdownOf(open, id) }]),
  );
  const dry = pick([true, false]) ? await run({ dryRun: true }) : undefined;
  const isUndone = pick([true, false, false, false]) && !isSync;
  const before = isUndone ? dump(open.store) : undefined;
  let answer = await run();
  if (dry !== undefined) assert.deepEqual(told(dry), told(answer), "a dry run answers the same");
  if (before !== undefined && answer.act !== null) {
    tally.undone++;
    undoAct(open, answer.act, OWNER);
    assert.deepEqual(dump(open.store), before, "an undo brings all back");
    answer = await run();
  }
  for (const chapter of chapters.filter(({ isDeleted, isGone }) => isDeleted && !isGone)) {
    adoptAgain(chapter, answer);
  }
  for (const chapter of live) {
    const truth = truths.get(chapter.id)!; // it is live
    expectMet(exchanged, chapter, { truth, answer, stood: stood.get(chapter.id)!, isSync }, tally);
  }
  expectNews(exchanged, news, answer, isSync);
  if (isSync) await expectStill(exchanged, answer);
}

/** A chapter that the manuscript deleted while its file was edited comes back as another. */
function adoptAgain(chapter: Chapter, answer: ImportAnswer): void {
  const again = answer.chapters.find(({ file }) => file === chapter.file);
  const { part } = chapter.base.fields; // to lie in another folder is no edit
  const isEdited = !same(chapter.base, { ...chapter.mine, fields: { ...chapter.mine.fields, part } });
  assert.equal(again !== undefined, isEdited, "a deleted chapter comes back only where its file was edited");
  chapter.isGone = true;
}

interface Met {
  truth: Truth;
  answer: ImportAnswer;
  stood: { ids: Map<string, string>; markdown: string };
  isSync: boolean;
}

function expectMet(
  exchanged: Exchanged,
  chapter: Chapter,
  { truth, answer, stood, isSync }: Met,
  tally: Tally,
): void {
  const { open } = exchanged;
  const { id, base, mine, theirs } = chapter;
  const found = answer.chapters.find((one) => one.id === id);
  assert.ok(found, `the answer tells of ${chapter.file}`);
  const { clashes, fieldClashes } = truth;
  const isClash = clashes.length + fieldClashes.length > 0;
  const isConflict = found.status === "conflict";
  if (truth.isOpen && isConflict && !isClash) tally.open++;
  else {
    const about = JSON.stringify({ clashes, told: found.conflict?.paragraphs, fieldClashes }, null, 1);
    assert.equal(isConflict, isClash, `${isClash ? "a conflict is told of" : "no conflict"}: ${about}`);
  }
  if (isConflict) {
    tally.conflicts++;
    assert.equal(markdownOf(open, id), stood.markdown, "nothing of a conflict is written");
    assert.deepEqual(fieldsOf(open, id), theirs.fields);
    assert.equal(found.conflict?.markdown, stood.markdown);
    // My text is in the file, and theirs is told as a whole.
    assert.ok(fieldClashes.length > 0 || found.conflict?.paragraphs.length, "what clashes is told");
    return;
  }
  const markdown = markdownOf(open, id);
  if (!same(base, mine) && !same(base, theirs)) tally.merged++;
  const leaves = inOrderOf(markdown, truth.leaves);
  assert.deepEqual(fieldsOf(open, id), truth.fields, "each field is as the side has it that changed it");
  for (const [side, other] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    if (!other.isMoved) expectOrder(leaves, side.leaves);
  }
  const ids = blockIds(open, id);
  const untouched = new Set(
    base.leaves.filter(({ key, text }) => textIn(mine, key) === text).map(({ text }) => text),
  );
  const isOne = (said: string) => base.leaves.filter(({ text }) => text === said).length === 1;
  for (const [text, blockId] of stood.ids)
    if (untouched.has(text) && ids.has(text) && isOne(text))
      assert.equal(ids.get(text), blockId, `the id of ${text}`);
  const merged: Side = {
    leaves,
    fields: truth.fields,
    gone: new Map(),
    isMoved: theirs.isMoved || mine.isMoved,
  };
  chapter.theirs = copyOf(merged);
  if (isSync) {
    merged.isMoved = false;
    chapter.theirs.isMoved = false;
    chapter.mine = copyOf(merged);
    chapter.base = copyOf(merged);
    expectFile(exchanged, chapter, markdown);
  } else {
    mine.gone.clear();
    chapter.base = copyOf(mine);
  }
}

/** A file says what the manuscript says. */
function expectFile(exchanged: Exchanged, chapter: Chapter, markdown: string): void {
  const text = readFileSync(join(exchanged.path, chapter.file), "utf8");
  const body = text.replace(/^\ufeff?(?:---\r?\n[\s\S]*?\r?\n---\r?\n\s*)?/, "");
  assert.deepEqual(linesOf(body), linesOf(markdown), "the file says what the manuscript says");
  readMine(exchanged, chapter);
}

function expectOrder(outcome: readonly Leaf[], side: readonly Leaf[]): void {
  const texts = outcome.map(({ text }) => text);
  // A link definition stands nowhere in the prose.
  const own = side.filter(({ kind }) => kind !== "definition").map(({ text }) => text);
  const isOne = (text: string) =>
    [texts, own].every((all) => all.filter((other) => other === text).length === 1);
  const order = own.filter(isOne);
  const inOrder = new Set(order);
  assert.deepEqual(
    texts.filter((text) => inOrder.has(text)),
    order,
    "paragraphs that nobody moved stay in their order",
  );
}

/** Once more changes nothing: neither side has anything left to say. */
async function expectStill({ open, bookId, path }: Exchanged, { chapters }: ImportAnswer): Promise<void> {
  const conflicts = chapters.filter(({ status }) => status === "conflict").length;
  // That a file has a name may be noted later.
  const named = `before NOT LIKE '{"file":%}'`;
  const rows = () =>
    open.store.get<{ last: number }>(`SELECT max(seq) AS last FROM journal WHERE ${named}`)?.last;
  const before = rows();
  const again = await syncFolder(open, await readBookFiles(path), { bookId });
  assert.equal(rows(), before, "a further sync writes nothing");
  assert.equal(again.chapters.filter(({ status }) => status === "conflict").length, conflicts);
  const idle = ["same", "gone", "orphaned", "conflict"];
  assert.deepEqual(
    again.files.filter(({ status }) => !idle.includes(status)),
    [],
    "a further sync writes no file",
  );
  assert.deepEqual(
    again.chapters.filter(({ status }) => !["same", "conflict"].includes(status)).map(({ status }) => status),
    [],
  );
}

/** An answer apart from ids of what it made. */
function told(answer: ImportAnswer): unknown {
  const { act: _, ...rest } = answer;
  const made = answer.chapters.filter(({ status }) => status === "created").map(({ id }) => id);
  return JSON.parse(made.reduce((text, id) => text.replaceAll(id, "made"), JSON.stringify(rest)));
}
