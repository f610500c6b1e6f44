import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exportFolder } from "../../../src/files/export.ts";
import { importFiles } from "../../../src/files/import.ts";
import { readBookFiles } from "../../../src/files/layouts/manuscript.ts";
import { createFact } from "../../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../../src/service/annotations/snippets.ts";
import { saveSynopsis, setStatus } from "../../../src/service/books/chapter-fields.ts";
import { updateChapter } from "../../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../../src/service/books/read-chapter.ts";
import type { Manuscript } from "../../../src/service/manuscript.ts";
import { replaceParagraph } from "../../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../../src/service/prose/replace-prose.ts";
import { OWNER } from "../../../test/support/sample.ts";
import { copyOf, type Fields, type Side } from "./edits.ts";
import { chapterOf, type Leaf, linesOf, render, type Words } from "./prose.ts";

/** A chapter as its file, the manuscript and what they last had in common say it. */
export interface Chapter {
  id: string;
  file: string;
  base: Side;
  mine: Side;
  theirs: Side;
  /** What stands in the file before its prose, its line end, and the mark behind each leaf. */
  front: string;
  eol: string;
  marks: Map<number, string>;
  /** Its file was deleted. */
  isGone: boolean;
  /** The manuscript deleted it. */
  isDeleted: boolean;
}

/** A book in a folder, and how its files are written. */
export interface Exchanged {
  open: Manuscript;
  words: Words;
  bookId: string;
  path: string;
  isPlain: boolean;
  chapters: Chapter[];
  /** The manuscript's new chapters that have no file yet, by their ids. */
  waiting: Map<string, Leaf[]>;
  title: Record<"base" | "mine" | "theirs", string>;
}

export const PARTS = ["First", "Second"];

/** Makes a book by an import of files as writers have them, with a cast and notes, and exports it. */
export async function makeBook(open: Manuscript, words: Words, root: string): Promise<Exchanged> {
  const { pick } = words;
  const source = join(root, "source");
  const made = Array.from({ length: pick([2, 3, 4]) }, (_, index) => {
    const part = index === 0 ? null : pick(PARTS);
    const file = `${part === null ? "" : `p${PARTS.indexOf(part) + 1}/`}${index + 1}0-c.md`;
    return { file, part, leaves: chapterOf(words) };
  });
  const list = [
    "title: Book",
    "parts:",
    ...PARTS.flatMap((title, index) => [`  - title: ${title}`, `    folder: p${index + 1}`]),
    "chapters:",
    // Some have a title of their own; the others' follows every edit of the heading, and the other way round.
    ...made.map(({ file }) => `  - file: ${file}${pick(["", "", `\n    title: Chapter ${words.key()}`])}`),
  ];
  writeIn(source, "book.yaml", `${list.join("\n")}\n`);
  for (const { file, leaves } of made) {
    const front = pick(["", "", "---\n# mine\nmood: dark # very\n---\n\n"]);
    writeIn(
      source,
      file,
      pick(["", "", "\ufeff"]) + withEnds(front + render(leaves), pick(["\n", "\n", "\r\n"])),
    );
  }
  const { bookId, chapters: ids } = await importFiles(open, await readBookFiles(source), {});
  for (const name of ["Mara", "Tobit"]) createFact(open, bookId, { name, kind: "character" }, OWNER);
  reanchorMentions(open, bookId, OWNER);
  const chapters = made.map(({ file, leaves }): Chapter => {
    const id = ids.find((chapter) => chapter.file === file)!.id; // each was imported
    const side = { leaves, fields: fieldsOf(open, id), gone: new Map(), isMoved: false };
    for (const blockId of [...blockIds(open, id).values()].filter(() =>
      pick([true, false, false, false, false, false]),
    ))
      createSnippet(open, bookId, { kind: "note", blockId, text: `Note ${words.key()}` }, OWNER);
    const sides = { base: side, mine: copyOf(side), theirs: copyOf(side) };
    return { id, file, ...sides, front: "", eol: "\n", marks: new Map(), isGone: false, isDeleted: false };
  });
  const title = { base: "Book", mine: "Book", theirs: "Book" };
  const isPlain = pick([true, false, false, false, false]);
  const blockIds_ = !isPlain && pick([true, false, false]);
  const exchanged = {
    open,
    words,
    bookId,
    path: join(root, "out"),
    isPlain,
    chapters,
    waiting: new Map(),
    title,
  };
  const options = { plain: isPlain, blockIds: blockIds_ };
  const { book, files } = await exportFolder(open, bookId, exchanged.path, options);
  for (const chapter of chapters) {
    chapter.file = files[book.chapters.findIndex(({ id }) => id === chapter.id)]!.file; // one a chapter
    readMine(exchanged, chapter);
  }
  return exchanged;
}

function writeIn(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

const withEnds = (text: string, eol: string) => text.replaceAll("\n", eol);

/** Learns how a file is written; what it says must be what the chapter's own side says. */
export function readMine({ path }: Pick<Exchanged, "path">, chapter: Chapter): void {
  const text = readFileSync(join(path, chapter.file), "utf8");
  const front = /^\ufeff?(?:---\r?\n[\s\S]*?\r?\n---\r?\n\s*)?/.exec(text)?.[0] ?? "";
  const body = text.slice(front.length);
  chapter.front = front;
  chapter.eol = text.includes("\r\n") ? "\r\n" : "\n";
  chapter.marks.clear();
  const lines = body.split(/\r?\n/).filter((line) => linesOf(line).length > 0);
  for (const { key, text: said } of chapter.mine.leaves) {
    const own = lines.splice(0, linesOf(said).length);
    const mark = /\s\^b-\S+$/.exec(own.at(-1) ?? "")?.[0];
    if (mark !== undefined) chapter.marks.set(key, mark);
  }
}

/** Writes my side into its file. */
export function writeMine({ path }: Exchanged, chapter: Chapter): void {
  const { file, front, eol, marks, base, mine } = chapter;
  const keys: [keyof Fields, string][] = [
    ["title", mine.fields.title],
    ["status", mine.fields.status],
    ["synopsis", JSON.stringify(mine.fields.synopsis)],
  ];
  const isBare = !front.includes("---") && keys.some(([key]) => mine.fields[key] !== base.fields[key]);
  let block = isBare ? `${front}---${eol}---${eol}${eol}` : front;
  for (const [key, value] of keys) {
    if (mine.fields[key] === base.fields[key] && mine.fields[key] === said(front, key)) continue;
    if (new RegExp(`^${key}:`, "m").test(block))
      block = block.replace(new RegExp(`^${key}:.*?(\r?)$`, "m"), `${key}: ${value}$1`);
    else if (mine.fields[key] !== base.fields[key]) block = block.replace("---", `---${eol}${key}: ${value}`);
  }
  chapter.front = block;
  writeIn(
    path,
    file,
    block +
      withEnds(
        render(mine.leaves, ({ key }) => marks.get(key) ?? ""),
        eol,
      ),
  );
}

function said(front: string, key: string): string | undefined {
  const value = new RegExp(`^${key}: *(.*?)\r?$`, "m").exec(front)?.[1];
  return value?.startsWith('"') ? JSON.parse(value) : value;
}

/** A chapter's fields as the manuscript has them. */
export function fieldsOf(open: Manuscript, id: string): Fields {
  const row = open.store.get<Fields>(
    "SELECT c.title, c.status, c.synopsis, p.title AS part FROM chapters c LEFT JOIN parts p ON p.id = c.part_id WHERE c.id = ?",
    id,
  );
  return { ...row! }; // the chapter is there
}

/** A chapter's Markdown as the manuscript has it. */
export function markdownOf(open: Manuscript, id: string): string {
  const answer = readChapterAnswer(open, id, { format: "markdown" });
  return "markdown" in answer ? answer.markdown : "";
}

/** The block id of each text that only one paragraph has. */
export function blockIds(open: Manuscript, id: string): Map<string, string> {
  const ids = new Map<string, string>();
  const twice = new Set<string>();
  const answer = readChapterAnswer(open, id, { format: "doc" });
  const visit = ({ attrs, content = [], text }: Node): string => {
    const all = content.map(visit).join("");
    if (typeof attrs?.blockId === "string" && all !== "") {
      if (ids.has(all)) twice.add(all);
      ids.set(all, attrs.blockId);
    }
    return text ?? all;
  };
  if ("doc" in answer) visit(answer.doc as Node);
  for (const text of twice) ids.delete(text);
  return ids;
}

interface Node {
  attrs?: Record<string, unknown>;
  content?: Node[];
  text?: string;
}

/** Brings the manuscript to what its side says: paragraph by paragraph where that goes, the rest as one text. */
export function writeTheirs({ open, bookId, words }: Exchanged, chapter: Chapter, before: Side): void {
  const { id, theirs } = chapter;
  const was = new Map(before.leaves.map((leaf) => [leaf.key, leaf.text]));
  const { title, status, synopsis, part } = theirs.fields;
  const retitle = () => {
    if (title !== before.fields.title) updateChapter(open, id, { title }, OWNER);
  };
  const isTitledFirst = words.pick([true, false]);
  if (isTitledFirst) retitle();
  if (words.pick([true, false])) {
    const ids = blockIds(open, id);
    for (const { key, kind, text } of theirs.leaves) {
      const blockId = ids.get(was.get(key) ?? "");
      if (kind !== "paragraph" || blockId === undefined || was.get(key) === text) continue;
      replaceParagraph(open, { chapterId: id, blockId }, { markdown: text }, OWNER);
    }
  }
  const markdown = markdownOf(open, id);
  const wanted = render(theirs.leaves);
  if (linesOf(markdown).join("\n") !== linesOf(wanted).join("\n")) {
    const eol = markdown.includes("\r\n") ? "\r\n" : "\n";
    replaceProse(open, id, { markdown: withEnds(wanted, eol) }, { ...OWNER, mentions: "keep" });
  }
  assert.deepEqual(linesOf(markdownOf(open, id)), linesOf(wanted), "the manuscript takes an edit");
  if (!isTitledFirst) retitle();
  assert.equal(fieldsOf(open, id).title, title, "title and heading stay alike");
  if (status !== before.fields.status) setStatus(open, id, { status: status as "draft" }, OWNER);
  if (synopsis !== before.fields.synopsis) saveSynopsis(open, id, { synopsis }, OWNER);
  if (part !== before.fields.part) {
    const row = open.store.get<{ id: string }>(
      "SELECT id FROM parts WHERE book_id = ? AND title = ?",
      bookId,
      part,
    );
    updateChapter(open, id, { partId: row?.id ?? null }, OWNER);
  }
}

/** The leaves in the order in which a text has them. Throws where it has others. */
export function inOrderOf(markdown: string, leaves: readonly Leaf[]): Leaf[] {
  const lines = linesOf(markdown);
  const rest = leaves.map((leaf) => ({ leaf, lines: linesOf(leaf.text) }));
  const sorted: Leaf[] = [];
  let at = 0;
  while (at < lines.length) {
    const found = rest.findIndex((one) => one.lines.every((line, index) => line === lines[at + index]));
    const [next] = found < 0 ? [] : rest.splice(found, 1);
    assert.ok(next, `${JSON.stringify(lines[at])} is what no side says`);
    sorted.push(next.leaf);
    at += next.lines.length;
  }
  assert.deepEqual(
    rest.map(({ leaf }) => leaf.text),
    [],
    "what a side says is lost",
  );
  return sorted;
}
