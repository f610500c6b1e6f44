import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type ImportOptions, importFiles } from "../../../src/files/import.ts";
import { readBook } from "../../../src/files/read-book.ts";
import { syncFolder } from "../../../src/files/sync.ts";
import { undoAct } from "../../../src/service/acts.ts";
import { deleteChapter } from "../../../src/service/chapters.ts";
import type { ImportAnswer } from "../../../src/service/import-book.ts";
import type { Manuscript } from "../../../src/service/manuscript.ts";
import { dump } from "../../support/dump.ts";
import { OWNER } from "../../support/sample.ts";
import { copyOf, editProse, type Side } from "./edits.ts";
import {
  blockIds,
  type Chapter,
  type Exchanged,
  fieldsOf,
  inOrderOf,
  makeBook,
  markdownOf,
  PARTS,
  readMine,
  writeMine,
  writeTheirs,
} from "./exchange.ts";
import { type Leaf, linesOf, render, type Words } from "./prose.ts";
import { type Truth, truthOf } from "./truth.ts";

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
}

/** No run yet. */
export const newTally = (): Tally => ({ edits: {}, rounds: 0, merged: 0, conflicts: 0, open: 0, undone: 0 });

/** One book, edited on both sides and brought together, several times. Throws where anything is not as it must be. */
export async function runOnce(
  { open, root, words }: { open: Manuscript; root: string; words: Words },
  tally: Tally,
): Promise<void> {
  const exchanged = await makeBook(open, words, root);
  for (let left = words.pick([1, 2, 3]); left > 0; left--) {
    tally.rounds++;
    for (const chapter of exchanged.chapters) editBoth(exchanged, chapter, tally);
    await meet(exchanged, tally);
  }
}

type Way = "none" | "mine" | "theirs" | "apart" | "clash" | "equal";
const WAYS: readonly Way[] = ["none", "mine", "theirs", "apart", "apart", "apart", "clash", "clash", "equal"];

function editBoth(exchanged: Exchanged, chapter: Chapter, { edits }: Tally): void {
  const { words, isPlain } = exchanged;
  const { pick } = words;
  if (chapter.isDeleted) return;
  const before = { mine: copyOf(chapter.mine), theirs: copyOf(chapter.theirs) };
  const way = chapter.isGone ? "theirs" : pick(WAYS);
  const owner = new Map<number, "mine" | "theirs">();
  const twins = twinsOf(chapter);
  const ofTwins = pick(["mine", "theirs"] as const);
  const isLeft = (side: "mine" | "theirs") => (leaf: Leaf) => {
    if (twins.has(leaf.text) || twins.has(textIn(chapter.base, leaf.key) ?? "")) return side !== ofTwins;
    if (way === "mine" || way === "theirs" || way === "equal") return false;
    if (!owner.has(leaf.key)) owner.set(leaf.key, pick(["mine", "theirs"]));
    return owner.get(leaf.key) !== side;
  };
  const count = () => pick([1, 1, 2, 3, 5]);
  if (way === "clash") clash(chapter, words, edits, owner);
  if (way === "mine" || way === "equal" || way === "apart")
    editProse(chapter.mine, count(), { words, isLeft: isLeft("mine") }, edits);
  if (way === "theirs" || way === "apart")
    editProse(chapter.theirs, count(), { words, isLeft: isLeft("theirs") }, edits);
  // The same edits on both sides, where both were the same.
  if (way === "equal" && same(before.mine, before.theirs)) chapter.theirs = copyOf(chapter.mine);
  for (const side of ["mine", "theirs"] as const) {
    if (pick([true, true, true, false])) continue;
    if (side === "mine" && (isPlain || chapter.isGone)) continue;
    const { fields } = chapter[side];
    const key = pick(["title", "status", "synopsis"] as const);
    edits[key] = (edits[key] ?? 0) + 1;
    fields[key] = key === "status" ? pick(["draft", "revising", "done"]) : words.sentence().slice(0, -1).replaceAll("*", "");
  }
  if (!chapter.isGone && /^id: ch_/m.test(chapter.front)) moveFile(exchanged, chapter, edits);
  if (!chapter.isGone && !same(before.mine, chapter.mine)) writeMine(exchanged, chapter);
  writeTheirs(exchanged, chapter, before.theirs);
  if (chapter.isGone || exchanged.chapters.filter(({ isGone, isDeleted }) => !isGone && !isDeleted).length < 2) return;
  const end = pick([...Array.from({ length: 30 }, () => ""), "file", "chapter"]);
  if (end === "file") {
    rmSync(join(exchanged.path, chapter.file));
    chapter.isGone = true;
    chapter.mine = copyOf(chapter.base);
  } else if (end === "chapter") {
    deleteChapter(exchanged.open, chapter.id, OWNER);
    chapter.isDeleted = true;
  }
  if (end !== "") edits[`delete ${end}`] = (edits[`delete ${end}`] ?? 0) + 1;
}

function same(one: Side, other: Side): boolean {
  return render(one.leaves) === render(other.leaves) && JSON.stringify(one.fields) === JSON.stringify(other.fields);
}

const textIn = ({ leaves }: Side, key: number) => leaves.find((leaf) => leaf.key === key)?.text;

/** Texts that more than one paragraph has. */
function twinsOf({ base, mine, theirs }: Chapter): Set<string> {
  const twins = new Set<string>();
  for (const { leaves } of [base, mine, theirs]) {
    const texts = leaves.map(({ text }) => text);
    for (const [index, text] of texts.entries()) if (texts.indexOf(text) < index) twins.add(text);
  }
  return twins;
}

/** Edits one paragraph on both sides, and a few others on either. */
function clash(chapter: Chapter, words: Words, edits: Tally["edits"], owner: Map<number, "mine" | "theirs">): void {
  const { base, mine, theirs } = chapter;
  const twins = twinsOf(chapter);
  const untouched = base.leaves.filter(
    ({ key, text, kind }) =>
      kind !== "break" && !twins.has(text) && textIn(mine, key) === text && textIn(theirs, key) === text,
  );
  if (untouched.length === 0) return;
  const { key } = words.pick(untouched);
  const isOnly = (leaf: Leaf) => leaf.key !== key;
  for (let left = 20; left > 0 && textIn(mine, key) === textIn(base, key); left--)
    editProse(mine, 10, { words, isLeft: isOnly }, edits);
  for (let left = 20; left > 0 && textIn(theirs, key) === textIn(base, key); left--)
    editProse(theirs, 10, { words, isLeft: isOnly }, edits);
  owner.set(key, "mine");
}

/** Gives a file another name, or puts it into another part's folder. */
function moveFile({ path, words, chapters }: Exchanged, chapter: Chapter, edits: Tally["edits"]): void {
  const { pick } = words;
  const kind = pick([...Array.from({ length: 14 }, () => "stay" as const), "rename", "part"]);
  if (kind === "stay") return;
  // A part has a folder as long as a chapter of it has its file there.
  const folders = PARTS.filter((part, index) =>
    chapters.some(({ base, file }) => base.fields.part === part && dirname(file) === `p${index + 1}`),
  );
  const part = kind === "part" && folders.length > 0 ? pick(folders) : chapter.mine.fields.part;
  const folder = part === chapter.mine.fields.part ? dirname(chapter.file) : `p${PARTS.indexOf(String(part)) + 1}`;
  const name = kind === "part" ? basename(chapter.file) : `${words.key()}-renamed.md`;
  const file = folder === "." ? name : `${folder}/${name}`;
  if (existsSync(join(path, file))) return;
  mkdirSync(join(path, folder), { recursive: true });
  renameSync(join(path, chapter.file), join(path, file));
  chapter.file = file;
  chapter.mine.fields.part = part;
  edits[kind] = (edits[kind] ?? 0) + 1;
}

/** Brings both sides together, and looks at what came of it. */
async function meet(exchanged: Exchanged, tally: Tally): Promise<void> {
  const { open, words, bookId, path, chapters } = exchanged;
  const { pick } = words;
  const isSync = pick([true, true, false]);
  const run = async (options: Omit<ImportOptions, "bookId"> = {}) => {
    const asked = { bookId, yes: true, ...options };
    const files = await readBook(path);
    return isSync ? syncFolder(open, files, asked) : importFiles(open, files, asked);
  };
  const live = chapters.filter(({ isGone, isDeleted }) => !isGone && !isDeleted);
  const truths = new Map(live.map(({ id, base, mine, theirs }) => [id, truthOf(base, mine, theirs)]));
  const stood = new Map(live.map(({ id }) => [id, { ids: blockIds(open, id), markdown: markdownOf(open, id) }]));
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
  if (isSync) await expectStill(exchanged, answer);
}

/** A chapter that the manuscript deleted while its file was edited comes back as another. */
function adoptAgain(chapter: Chapter, answer: ImportAnswer): void {
  const again = answer.chapters.find(({ file }) => file === chapter.file);
  const isEdited = !same(chapter.base, chapter.mine);
  assert.equal(again !== undefined, isEdited, "a deleted chapter comes back only where its file was edited");
  chapter.isGone = true;
}

interface Met {
  truth: Truth;
  answer: ImportAnswer;
  stood: { ids: Map<string, string>; markdown: string };
  isSync: boolean;
}

function expectMet(exchanged: Exchanged, chapter: Chapter, { truth, answer, stood, isSync }: Met, tally: Tally): void {
  const { open } = exchanged;
  const { id, base, mine, theirs } = chapter;
  const found = answer.chapters.find((one) => one.id === id);
  assert.ok(found, `the answer tells of ${chapter.file}`);
  const { clashes, fieldClashes } = truth;
  const isClash = clashes.length + fieldClashes.length > 0;
  const isConflict = found.status === "conflict";
  if (truth.isOpen && isConflict && !isClash) tally.open++;
  else {
    if (process.env.TRACE) for (const side of [base, mine, theirs]) console.error(side.leaves.map(({ key, kind, text }) => `${key} ${kind} ${text.slice(0, 60)}`).join("\n") + "\n");
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
  assert.deepEqual(fieldsOf(open, id), truth.fields, `each field is as the side has it that changed it ${exchanged.path} ${chapter.file} ${found.status} ${isSync}`);
  for (const [side, other] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    if (!other.isMoved) expectOrder(leaves, side.leaves);
  }
  const ids = blockIds(open, id);
  const untouched = new Set(base.leaves.filter(({ key, text }) => textIn(mine, key) === text).map(({ text }) => text));
  for (const [text, blockId] of stood.ids)
    if (untouched.has(text) && ids.has(text)) assert.equal(ids.get(text), blockId, `the id of ${text}`);
  const merged: Side = { leaves, fields: truth.fields, gone: new Map(), isMoved: theirs.isMoved || mine.isMoved };
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
  const own = side.map(({ text }) => text);
  const isOne = (text: string) => [texts, own].every((all) => all.filter((other) => other === text).length === 1);
  const order = own.filter(isOne);
  const inOrder = new Set(order);
  assert.deepEqual(texts.filter((text) => inOrder.has(text)), order, "paragraphs that nobody moved stay in their order");
}

/** Once more changes nothing: neither side has anything left to say. */
async function expectStill({ open, bookId, path }: Exchanged, { chapters }: ImportAnswer): Promise<void> {
  const conflicts = chapters.filter(({ status }) => status === "conflict").length;
  const before = dump(open.store);
  const again = await syncFolder(open, await readBook(path), { bookId });
  assert.deepEqual(dump(open.store), before, "a further sync writes nothing");
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
