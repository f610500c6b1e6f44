import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { leavesOf } from "../../src/prose/document/leaves.ts";
import { sameNode } from "../../src/prose/document/same-node.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { BadRequest, Conflict } from "../../src/refusals.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { moveParagraphs } from "../../src/service/books/move-paragraphs.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { joinChapters, splitChapter } from "../../src/service/books/split-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { anyMarkdown } from "../prose/arbitrary.ts";
import { randomly } from "../prose/rewrite.ts";
import { dump } from "../support/dump.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";

function nodesOf(own: Manuscript, id: string): DocNode[] {
  return (
    (readChapterAnswer(own, id, { format: "doc" }) as { doc: { content?: DocNode[] } }).doc.content ?? []
  );
}

const idsOf = (nodes: readonly DocNode[]) => nodes.flatMap(leavesOf).map(({ attrs }) => attrs?.blockId);

/** A chapter's blocks, once it is sure that its Markdown reads as them. */
function agreeing(own: Manuscript, id: string): DocNode[] {
  const { markdown } = readChapterAnswer(own, id, { format: "markdown" }) as { markdown: string };
  const nodes = nodesOf(own, id);
  const read = parseMarkdown(markdown).blocks.map(({ node }) => node);
  assert.ok(
    read.length === nodes.length && read.every((node, at) => sameNode(node, nodes[at] as DocNode)),
    `read from ${JSON.stringify(markdown)}`,
  );
  return nodes;
}

test("chapters split and joined anywhere keep every paragraph and its id, and their Markdown reads as they do", (t) => {
  const own = manuscript(t);
  const { bookId } = writeSample(own);
  const settings = randomly(20);
  t.diagnostic(`seed ${settings.seed}`);
  const count = { done: 0, refused: 0 };
  const property = fc.property(anyMarkdown, anyMarkdown, fc.nat(100), (one, other, at) => {
    const { id } = createChapter(own, bookId, { title: "T", markdown: `One.\n\nTwo.\n\n${one}` }, OWNER);
    const next = createChapter(own, bookId, { title: "U", markdown: other }, OWNER);
    const nodes = nodesOf(own, id);
    const ids = idsOf(nodes);
    const blockId = String(idsOf([nodes[1 + (at % (nodes.length - 1))] as DocNode])[0]);
    const before = dump(own.store);
    try {
      const split = splitChapter(own, id, { blockId }, OWNER);
      assert.deepEqual(
        [...idsOf(agreeing(own, id)), ...idsOf(agreeing(own, split.id))].sort(),
        ids.toSorted(),
      );
      undoAct(own, String(split.act), OWNER);
      assert.deepEqual(dump(own.store), before);
      const both = [...ids, ...idsOf(nodesOf(own, next.id))];
      const joined = joinChapters(own, id, {}, OWNER);
      assert.deepEqual(idsOf(agreeing(own, id)), both);
      assertSound(own.store);
      undoAct(own, String(joined.act), OWNER);
      assert.deepEqual(dump(own.store), before);
      count.done++;
    } catch (error) {
      if (!(error instanceof BadRequest || error instanceof Conflict)) throw error;
      count.refused++;
    }
    undoAct(own, String(next.act), OWNER);
  });
  fc.assert(property, { ...settings, includeErrorInReport: true });
  t.diagnostic(`${count.done} done, ${count.refused} refused`);
  assert.ok(count.done > count.refused);
});

test("paragraphs moved anywhere keep their ids, and both chapters' Markdown reads as they do", (t) => {
  const own = manuscript(t);
  const { bookId } = writeSample(own);
  const settings = randomly(20);
  t.diagnostic(`seed ${settings.seed}`);
  const count = { done: 0, refused: 0 };
  const places = fc.tuple(fc.nat(100), fc.nat(100));
  const property = fc.property(
    anyMarkdown,
    anyMarkdown,
    places,
    fc.boolean(),
    (one, other, [from, to], isHere) => {
      const { id } = createChapter(own, bookId, { title: "T", markdown: `One.\n\nTwo.\n\n${one}` }, OWNER);
      const next = createChapter(own, bookId, { title: "U", markdown: `Three.\n\n${other}` }, OWNER);
      const toChapterId = isHere ? id : next.id;
      const blocksOf = (chapter: string) => nodesOf(own, chapter).map((node) => String(idsOf([node])[0]));
      const both = () => [id, next.id].flatMap((chapter) => idsOf(agreeing(own, chapter)));
      const [here, there] = [blocksOf(id), blocksOf(toChapterId)];
      const blockIds = here.slice(from % here.length).slice(0, 1 + (to % 3));
      const after = there.filter((block) => !blockIds.includes(block))[to % there.length] ?? null;
      const [before, ids] = [dump(own.store), both()];
      try {
        const moved = moveParagraphs(own, id, { blockIds, toChapterId, after }, OWNER);
        assert.deepEqual(both().sort(), ids.toSorted());
        const now = blocksOf(toChapterId);
        const at = after === null ? 0 : now.indexOf(after) + 1;
        assert.deepEqual(now.slice(at, at + blockIds.length), blockIds);
        assertSound(own.store);
        undoAct(own, String(moved.act), OWNER);
        assert.deepEqual(dump(own.store), before);
        count.done++;
      } catch (error) {
        if (!(error instanceof BadRequest || error instanceof Conflict)) throw error;
        count.refused++;
      }
      undoAct(own, String(next.act), OWNER);
    },
  );
  fc.assert(property, { ...settings, includeErrorInReport: true });
  t.diagnostic(`${count.done} done, ${count.refused} refused`);
  assert.ok(count.done > count.refused);
});
