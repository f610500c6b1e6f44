import assert from "node:assert/strict";
import { it } from "node:test";
import { createSnippet, listSnippets } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { listBlocks } from "../../src/store/rows/blocks.ts";
import { randomly } from "../prose/rewrite.ts";
import { inventTwins, type TwinCase } from "../prose/twins.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

const markdownOf = (paragraphs: TwinCase["old"]) =>
  paragraphs
    .map(({ type, text }) => (type === "heading" ? `# ${text}` : text.replace(/^(\d+)([.)])/, "$1\\$2")))
    .join("\n\n");

/** Every paragraph gets a note, and the chapter is overwritten; which notes stand beside another paragraph than theirs. */
function crossedBy(open: Manuscript, bookId: string, { old, next, from }: TwinCase): string[] {
  const { id } = createChapter(open, bookId, { title: "Twins", markdown: markdownOf(old) }, OWNER);
  const blocks = () => listBlocks(open.store, id).map(({ leaves: [first] }) => String(first));
  const notes = blocks().map((blockId, at) => {
    const note = createSnippet(open, bookId, { kind: "note", blockId, text: `Of ${at}` }, OWNER);
    return { id: note.id, at };
  });
  assert.equal(notes.length, old.length, markdownOf(old));
  const { snippetsDetached } = replaceProse(open, id, { markdown: markdownOf(next) }, OWNER);
  const detached = new Set<string>(snippetsDetached.map((one) => one.id));
  const places = new Map(blocks().map((blockId, at) => [blockId, at]));
  const now = new Map(
    listSnippets(open, bookId, {}).snippets.map((note) => [note.id as string, note.blockId]),
  );
  return notes.flatMap(({ id: noteId, at }) => {
    const blockId = now.get(noteId) ?? null;
    const isRight = blockId === null ? detached.has(noteId) : from[places.get(blockId) ?? -1] === at;
    return isRight ? [] : [`${old[at]?.text} → ${next[places.get(blockId ?? "") ?? -1]?.text}`];
  });
}

it("no note crosses to another paragraph, nor is detached in silence, when a chapter of twins is overwritten", (t) => {
  const { seed, numRuns } = randomly(1000);
  const open = manuscript(t, { reader: null });
  open.store.prepare("PRAGMA synchronous = OFF").run(); // nobody cuts the power here
  const crossed = inventTwins(numRuns, seed).flatMap((one) => {
    const { id } = createBook(open, { title: "Twins" }, OWNER);
    return crossedBy(open, id, one).map((what) => `${one.kind}: ${what}`);
  });
  assert.deepEqual(crossed, [], `seed ${seed}`);
});
