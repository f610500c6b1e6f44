import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { deleteChapter } from "../../../src/service/books/chapters.ts";
import type { Manuscript } from "../../../src/service/manuscript.ts";
import { OWNER } from "../../../test/support/sample.ts";
import { copyOf, editProse, headingOf, isTitled } from "./edits.ts";
import { type Chapter, type Exchanged, makeBook, PARTS, writeMine, writeTheirs } from "./exchange.ts";
import { meet, same, type Tally, textIn } from "./meet.ts";
import { type Leaf, titleOf, type Words } from "./prose.ts";
import { putBackOlder } from "./stale.ts";
import { editBook } from "./whole-book.ts";

/** One book, edited on both sides and brought together, several times. Throws where anything is not as it must be. */
export async function runOnce(
  { open, root, words }: { open: Manuscript; root: string; words: Words },
  tally: Tally,
): Promise<void> {
  const exchanged = await makeBook(open, words, root);
  for (let left = words.pick([1, 1, 2, 3]); left > 0; left--) {
    tally.rounds++;
    for (const chapter of exchanged.chapters) editBoth(exchanged, chapter, tally);
    const news = editBook(exchanged, tally.edits);
    for (const [id, leaves] of news.ids) exchanged.waiting.set(id, leaves);
    await meet(exchanged, news, tally);
  }
  if (words.pick([true, false, false]) && (await putBackOlder(exchanged))) tally.older++;
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
  // Among equal lines only their neighbours say which is which.
  const { leaves } = chapter.base;
  const isTwin = (at: number) => twins.has(leaves[at]?.text ?? "");
  const nearTwins = new Set(
    leaves.flatMap(({ key }, at) => ([-1, 0, 1].some((step) => isTwin(at + step)) ? [key] : [])),
  );
  const ofTwins = pick(["mine", "theirs"] as const);
  const isLeft = (side: "mine" | "theirs") => (leaf: Leaf) => {
    if (twins.has(leaf.text) || nearTwins.has(leaf.key)) return side !== ofTwins;
    if (way === "mine" || way === "theirs" || way === "equal") return false;
    if (!owner.has(leaf.key)) owner.set(leaf.key, pick(["mine", "theirs"]));
    return owner.get(leaf.key) !== side;
  };
  const count = () => pick([1, 1, 2, 3, 5]);
  if (way === "clash") clash(chapter, words, edits, owner);
  // A piece that both cut off alike has no place of its own: merge.test.ts looks at those.
  const texts = new Set(chapter.base.leaves.map(({ text }) => text));
  const mine = new Set(chapter.mine.leaves.map(({ text }) => text).filter((text) => !texts.has(text)));
  if (chapter.theirs.leaves.some(({ text }) => mine.has(text))) chapter.theirs = copyOf(before.theirs);
  if (way === "mine" || way === "equal" || way === "apart")
    editProse(chapter.mine, count(), { words, isLeft: isLeft("mine") }, edits);
  if (way === "theirs" || way === "apart")
    editProse(chapter.theirs, count(), { words, isLeft: isLeft("theirs") }, edits);
  // The same edits on both sides, where both were the same.
  if (way === "equal" && same(before.mine, before.theirs)) chapter.theirs = copyOf(chapter.mine);
  const heading = headingOf(chapter.theirs);
  if (isTitled(before.theirs) && heading !== undefined) chapter.theirs.fields.title = heading.text;
  for (const side of ["mine", "theirs"] as const) {
    if (pick([true, true, true, false])) continue;
    if (side === "mine" && (isPlain || chapter.isGone)) continue;
    const { fields } = chapter[side];
    const key = pick(["title", "status", "synopsis"] as const);
    edits[key] = (edits[key] ?? 0) + 1;
    const follows = side === "theirs" && key === "title" && isTitled(chapter.theirs);
    fields[key] = key === "status" ? pick(["draft", "revising", "done"]) : titleOf(words);
    if (follows && heading !== undefined) heading.text = fields.title;
  }
  if (!chapter.isGone && /^id: ch_/m.test(chapter.front)) moveFile(exchanged, chapter, edits);
  if (!chapter.isGone && !same(before.mine, chapter.mine)) writeMine(exchanged, chapter);
  writeTheirs(exchanged, chapter, before.theirs);
  if (
    chapter.isGone ||
    exchanged.chapters.filter(({ isGone, isDeleted }) => !isGone && !isDeleted).length < 2
  )
    return;
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
function clash(
  chapter: Chapter,
  words: Words,
  edits: Tally["edits"],
  owner: Map<number, "mine" | "theirs">,
): void {
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
function moveFile({ path, words }: Exchanged, chapter: Chapter, edits: Tally["edits"]): void {
  const { pick } = words;
  const kind = pick([...Array.from({ length: 14 }, () => "stay" as const), "rename", "part"]);
  if (kind === "stay") return;
  const list = readFileSync(join(path, "book.yaml"), "utf8");
  const folders = PARTS.filter((part, index) => list.includes(`title: ${part}\n    folder: p${index + 1}\n`));
  const part = kind === "part" && folders.length > 0 ? pick(folders) : chapter.mine.fields.part;
  const folder =
    part === chapter.mine.fields.part ? dirname(chapter.file) : `p${PARTS.indexOf(String(part)) + 1}`;
  const name = kind === "part" ? basename(chapter.file) : `${words.key()}-renamed.md`;
  const file = folder === "." ? name : `${folder}/${name}`;
  if (existsSync(join(path, file))) return;
  mkdirSync(join(path, folder), { recursive: true });
  renameSync(join(path, chapter.file), join(path, file));
  chapter.file = file;
  chapter.mine.fields.part = part;
  edits[kind] = (edits[kind] ?? 0) + 1;
}
