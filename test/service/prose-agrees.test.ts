import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { leavesOf } from "../../src/prose/document/leaves.ts";
import { sameNode } from "../../src/prose/document/same-node.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { BadRequest, Conflict } from "../../src/refusals.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { restoreRevision } from "../../src/service/prose/restore-revision.ts";
import { anyMarkdown, nativeDoc } from "../prose/arbitrary.ts";
import { randomly } from "../prose/rewrite.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

const nodesOf = (own: Manuscript, id: string): DocNode[] => {
  const { doc } = readChapterAnswer(own, id, { format: "doc" }) as { doc: { content: DocNode[] } };
  return doc.content;
};
const docOf = (content: DocNode[]) => ({
  type: "doc" as const,
  content: content.map((node) => ({ ...node })),
});
const markdownOf = (own: Manuscript, id: string): string =>
  (readChapterAnswer(own, id, { format: "markdown" }) as { markdown: string }).markdown;

/** Markdown whose blocks lean on their neighbours. */
const leaning = fc
  .array(
    fc.constantFrom(
      ...[
        "- a",
        "- b",
        "* a",
        "1. one",
        "1. two",
        "2) two",
        "-",
        "> q",
        "> [x]: /q",
        "> [x]",
        "[x]: /u",
        "[y]: /v 'w'",
      ],
      ...[
        "```",
        "~~~\ncode",
        "<div>",
        "<!-- a",
        "-->",
        "---",
        "===",
        "title: t",
        "[x]",
        "[y] and [^1]",
        "[^1]: note",
      ],
      ...[
        "plain",
        "more",
        "    in",
        "| a | b |\n|---|---|",
        "# head",
        "&nbsp;",
        "[//]: # (note)",
        "<pre>",
        "- [x]: /l",
      ],
    ),
    { maxLength: 9 },
  )
  .chain((lines) =>
    fc
      .array(fc.constantFrom("\n", "\n\n", "\n\n\n"), { minLength: lines.length, maxLength: lines.length })
      .map((ends) => lines.map((line, index) => line + ends[index]).join("")),
  );
const markdown = fc
  .oneof({ weight: 3, arbitrary: leaning }, anyMarkdown)
  .filter((text) => text.trim() !== "");

/** One write; `seed` chooses the paragraph, act or revision it is about. */
type Write = { seed: number } & (
  | { kind: "put" | "patch"; text: string }
  | { kind: "shuffle"; picks: number[] }
  | { kind: "insert"; doc: DocNode }
  | { kind: "undo" | "restore" }
);

const seed = fc.nat(10_000);
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ seed, kind: fc.constant("put" as const), text: markdown }),
  { weight: 3, arbitrary: fc.record({ seed, kind: fc.constant("patch" as const), text: markdown }) },
  fc.record({ seed, kind: fc.constant("shuffle" as const), picks: fc.array(fc.nat(20), { maxLength: 6 }) }),
  fc.record({ seed, kind: fc.constant("insert" as const), doc: nativeDoc }),
  { weight: 2, arbitrary: fc.record({ seed, kind: fc.constant("undo" as const) }) },
  fc.record({ seed, kind: fc.constant("restore" as const) }),
);

function apply(own: Manuscript, id: string, asked: Write, undoable: readonly string[]): void {
  const nth = (count: number) => asked.seed % count;
  switch (asked.kind) {
    case "put":
      replaceProse(own, id, { markdown: asked.text }, OWNER);
      break;
    case "patch":
      patch(own, id, asked.text, nth);
      break;
    case "shuffle": {
      const nodes = nodesOf(own, id);
      const picked = new Set(asked.picks.map((pick) => pick % Math.max(nodes.length, 1)));
      const content = [...picked].flatMap((at) => nodes[at] ?? []);
      replaceProse(own, id, { doc: docOf(content) }, OWNER);
      break;
    }
    case "insert": {
      const nodes = nodesOf(own, id);
      const content = nodes.toSpliced(nth(nodes.length + 1), 0, ...(asked.doc.content ?? []).slice(0, 2));
      replaceProse(own, id, { doc: docOf(content) }, OWNER);
      break;
    }
    case "undo":
      if (undoable.length > 0) undoAct(own, undoable[nth(undoable.length)]!, OWNER);
      break;
    case "restore": {
      const { revision } = readChapterAnswer(own, id, { format: "markdown" });
      restoreRevision(own, id, { revision: 1 + nth(revision) }, OWNER);
    }
  }
}

function patch(own: Manuscript, id: string, text: string, nth: (count: number) => number): void {
  const before = nodesOf(own, id).flatMap(leavesOf);
  if (before.length === 0) return;
  const index = nth(before.length);
  const blockId = String(before[index]?.attrs?.blockId);
  replaceParagraph(own, { chapterId: id, blockId }, { markdown: text }, OWNER);
  const after = nodesOf(own, id).flatMap(leavesOf);
  const others = (leaves: DocNode[]) => leaves.toSpliced(index, 1).map(withoutIds);
  assert.deepEqual(others(after), others(before), "a paragraph beside the one written has changed");
}

function chapterOf(own: Manuscript, text: string): { id: string; leaf: (holding: string) => string } {
  const { bookId } = writeSample(own);
  const { id } = createChapter(own, bookId, { title: "T", markdown: text }, OWNER);
  const leaf = (holding: string) => {
    const found = nodesOf(own, id)
      .flatMap(leavesOf)
      .find((node) => JSON.stringify(node).includes(holding));
    return String(found?.attrs?.blockId);
  };
  return { id, leaf };
}

test("one entry of a list is written and every other line stays as it was", (t) => {
  const own = manuscript(t);
  const { id, leaf } = chapterOf(own, "> 1. one\n> 1. two\n>    more\n>\n>    * deep\n\nEnd.\n");
  replaceParagraph(own, { chapterId: id, blockId: leaf("two") }, { markdown: "*new*\nlines" }, OWNER);
  assert.equal(markdownOf(own, id), "> 1. one\n> 1. *new*\n>    lines\n>\n>    * deep\n\nEnd.\n");
});

test("a paragraph that would change its neighbours gets a blank line, or is refused", (t) => {
  const own = manuscript(t);
  const { id, leaf } = chapterOf(own, "First.\n# Second\nThird.\n");
  replaceParagraph(own, { chapterId: id, blockId: leaf("Second") }, { markdown: "Other\n===" }, OWNER);
  assert.equal(markdownOf(own, id), "First.\n\nOther\n===\nThird.\n");
  replaceParagraph(own, { chapterId: id, blockId: leaf("First") }, { markdown: "~~~\nopen" }, OWNER);
  assert.equal(markdownOf(own, id), "~~~\nopen\n~~~\n\nOther\n===\nThird.\n");
});

test("an undo parts what would run together and spells out a link whose definition is gone", (t) => {
  const own = manuscript(t);
  const { id } = chapterOf(own, "See [a].\n\n[a]: /x\n");
  const first = replaceProse(own, id, { markdown: "" }, OWNER);
  replaceProse(own, id, { markdown: "New.\n" }, OWNER);
  undoAct(own, String(first.act), OWNER);
  assertAgrees(own, id);
  assert.match(markdownOf(own, id), /See \[a\](\(\/x\))?\./);
  assert.match(markdownOf(own, id), /New\./);
});

test("a document loses no link definition, not even one that nothing uses", (t) => {
  const own = manuscript(t);
  const { id } = chapterOf(own, "One.\n\n[//]: # (a note)\n\n> Two [b].\n>\n> [b]: /y\n\nThree [B].\n");
  const [, , three] = nodesOf(own, id);
  replaceProse(own, id, { doc: docOf([three!]) }, OWNER);
  assert.equal(markdownOf(own, id), "Three [B].\n\n[//]: # (a note)\n[b]: </y>\n");
});

test("a document's text does not become a link by a definition whose line ends otherwise than the others", (t) => {
  const own = manuscript(t);
  const { id } = chapterOf(own, "One.\n\n[x]: /u\r\n");
  const text = { type: "paragraph", content: [{ type: "text", text: "night[x]: y" }] };
  replaceProse(own, id, { doc: docOf([...nodesOf(own, id), text]) }, OWNER);
  assertAgrees(own, id);
});

test("a definition inside a list that is written afresh still comes before the one behind the list", (t) => {
  const own = manuscript(t);
  const { id, leaf } = chapterOf(own, "- a\n- [x]: /inner\n\n[x]: /outer\n\nSee [x].\n");
  replaceParagraph(own, { chapterId: id, blockId: leaf("a") }, { markdown: "b\\\nc" }, OWNER);
  assertAgrees(own, id);
  assert.match(JSON.stringify(nodesOf(own, id)), /"href":"\/inner"/);
});

test("the Markdown of a chapter always reads as its document", (t) => {
  const own = manuscript(t);
  const { bookId } = writeSample(own);
  const settings = randomly(60);
  t.diagnostic(`seed ${settings.seed}`);
  const count = { done: 0, refused: 0 };
  const property = fc.property(markdown, fc.array(write, { minLength: 1, maxLength: 8 }), (text, writes) => {
    const { id, act } = createChapter(own, bookId, { title: "T", markdown: text }, OWNER);
    for (const asked of writes) {
      const undoable = listActs(own, { after: String(act) }).acts.map((later) => later.id);
      try {
        apply(own, id, asked, undoable);
        count.done++;
      } catch (error) {
        if (!(error instanceof BadRequest || error instanceof Conflict)) throw error;
        count.refused++;
      }
      assertAgrees(own, id);
    }
  });
  fc.assert(property, { ...settings, includeErrorInReport: true });
  t.diagnostic(`${count.done} writes, ${count.refused} refused`);
  assert.ok(count.done > count.refused, "most writes are possible");
});

function assertAgrees(own: Manuscript, id: string): void {
  const text = markdownOf(own, id);
  const nodes = nodesOf(own, id);
  const read = parseMarkdown(text).blocks.map(({ node }) => node);
  const agrees = read.length === nodes.length && read.every((node, index) => sameNode(node, nodes[index]!));
  if (!agrees)
    assert.deepEqual(read.map(withoutIds), nodes.map(withoutIds), `read from ${JSON.stringify(text)}`);
  const dry = { ...OWNER, dryRun: true };
  assert.equal(
    replaceProse(own, id, { markdown: text }, dry).changed,
    false,
    `PUT of its own Markdown: ${JSON.stringify(text)}`,
  );
  const doc = docOf(nodes);
  assert.equal(
    replaceProse(own, id, { doc }, dry).changed,
    false,
    `PUT of its own document: ${JSON.stringify(text)}`,
  );
}

function withoutIds(node: DocNode): unknown {
  const { blockId: _, ...attrs } = node.attrs ?? {};
  return { ...node, attrs, ...(node.content ? { content: node.content.map(withoutIds) } : {}) };
}
