import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBookFiles } from "../../../src/files/layouts/manuscript.ts";
import { inFolder } from "../../../src/files/own-folder.ts";
import { type SyncAnswer, syncFolder } from "../../../src/files/sync.ts";
import { listSnippets, updateSnippet } from "../../../src/service/annotations/snippets.ts";
import { setStatus } from "../../../src/service/books/chapter-fields.ts";
import { updateChapter } from "../../../src/service/books/chapters.ts";
import { updatePart } from "../../../src/service/books/parts.ts";
import { replaceProse } from "../../../src/service/prose/replace-prose.ts";
import { OWNER } from "../../../test/support/sample.ts";
import { type Exchanged, fieldsOf, markdownOf } from "./exchange.ts";
import { linesOf } from "./prose.ts";

/**
 * Goes on in the manuscript, brings the folder up to date, and puts an older state of it back, whole or some files of it, with or
 * without an edit: nothing but that edit may come of it, by however many syncs at once. Returns whether there was anything
 * to put back.
 */
export async function putBackOlder(exchanged: Exchanged): Promise<boolean> {
  const { open, path, words, bookId } = exchanged;
  const { pick } = words;
  const first = await syncTogether(exchanged, 1);
  if (first.some(({ chapters }) => chapters.some(({ status }) => status === "conflict"))) return false;
  const older = filesIn(path);
  const changed = goOn(exchanged, first[0]!); // one was asked for
  await syncTogether(exchanged, pick([1, 3]));
  const newer = filesIn(path);
  const told = [...older.keys()].filter((file) => newer.get(file) !== older.get(file));
  const isWhole = pick([true, false]);
  const files = isWhole ? [...older.keys()] : told.filter(() => pick([true, false]));
  if (files.length === 0) return false;
  if (isWhole) for (const file of newer.keys()) rmSync(join(path, file));
  for (const file of files) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), older.get(file) ?? "");
  }
  const before = stateOf(exchanged);
  // Of a file that names no revision, a plain one or one that came in as it is, only the list says which it is of.
  const isTold = (file: string) => isWhole || /^revision: \d/m.test(older.get(file) ?? "");
  const mayEdit = changed.filter(({ file }) => files.includes(file) && isTold(file));
  const edited = pick([true, false]) ? pick(mayEdit) : undefined;
  const added = `An edit of an older copy, ${words.key()}.`;
  if (edited !== undefined) {
    const text = readFileSync(join(path, edited.file), "utf8");
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    writeFileSync(join(path, edited.file), `${text.trimEnd()}${eol}${eol}${added}${eol}`);
  }
  const answers = await syncTogether(exchanged, pick([1, 3]));
  const about = JSON.stringify({ isWhole, files, edited, answers: answers.map(({ chapters }) => chapters) });
  const wanted = { ...before, chapters: before.chapters.map((one) => ({ ...one })) };
  for (const chapter of wanted.chapters)
    if (chapter.id === edited?.id) chapter.lines = [...chapter.lines, added].sort();
  assert.deepEqual(stateOf(exchanged), wanted, `an older copy takes nothing out: ${about}`);
  const last = open.store.get("SELECT max(seq) AS last FROM journal");
  await syncTogether(exchanged, 3);
  assert.deepEqual(open.store.get("SELECT max(seq) AS last FROM journal"), last, "a further sync is still");
  assert.equal(listSnippets(open, bookId, {}).snippets.length, before.notes.length);
  return true;
}

/** As many syncs at once, each as a command runs it. */
function syncTogether({ open, path, bookId }: Exchanged, count: number): Promise<SyncAnswer[]> {
  const work = { who: "two-sided", locks: join(path, "..", "locks"), patienceMs: 60_000 };
  const sync = () =>
    inFolder(open, path, work, async () =>
      syncFolder(open, await readBookFiles(path), { bookId, yes: true }),
    );
  return Promise.all(Array.from({ length: count }, sync));
}

/** Edits the manuscript: prose, status and parts of chapters, a part's title, a note. Returns the chapters whose prose changed. */
function goOn({ open, words, bookId }: Exchanged, { chapters }: SyncAnswer): { id: string; file: string }[] {
  const { pick } = words;
  const parts = open.store.all<{ id: string }>("SELECT id FROM parts WHERE book_id = ?", bookId);
  const changed = chapters.flatMap(({ id, file }) => {
    if (file === null || pick([true, false])) return [];
    const markdown = markdownOf(open, id);
    const more = `${markdown.trimEnd()}\n\nOnly the manuscript says ${words.key()}.\n`;
    replaceProse(open, id, { markdown: more }, { ...OWNER, mentions: "keep" });
    if (pick([true, false, false]))
      setStatus(open, id, { status: pick(["draft", "revising", "done"] as const) }, OWNER);
    if (pick([true, false, false]))
      updateChapter(open, id, { partId: pick([null, ...parts])?.id ?? null }, OWNER);
    return [{ id, file }];
  });
  const part = pick([undefined, ...parts]);
  if (part !== undefined) updatePart(open, part.id, { title: `Part ${words.key()}` }, OWNER);
  const note = listSnippets(open, bookId, {}).snippets.find(() => pick([true, false]));
  if (note !== undefined)
    updateSnippet(open, note.id, { kind: note.kind, text: `Noted anew ${words.key()}` }, OWNER);
  return changed;
}

/** What the manuscript says of a book, the paragraphs of a chapter in no order. */
function stateOf({ open, bookId }: Exchanged) {
  const ids = open.store.all<{ id: string }>(
    "SELECT id FROM chapters WHERE book_id = ? ORDER BY rank",
    bookId,
  );
  return {
    chapters: ids.map(({ id }) => ({
      id,
      ...fieldsOf(open, id),
      lines: linesOf(markdownOf(open, id)).sort(),
    })),
    parts: open.store.all("SELECT id, title FROM parts WHERE book_id = ? ORDER BY rank", bookId),
    notes: listSnippets(open, bookId, {}).snippets.map(({ id, text }) => ({ id, text })),
  };
}

function filesIn(path: string): Map<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(path, name)).isFile(),
  );
  return new Map(names.map((name) => [name, readFileSync(join(path, name), "utf8")]));
}
