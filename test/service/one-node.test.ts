import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { leavesOf, mapLeaves } from "../../src/prose/document/leaves.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { Refusal } from "../../src/refusals.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { anyMarkdown, nativeDoc } from "../prose/arbitrary.ts";
import { randomly } from "../prose/rewrite.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";

type Doc = { type: "doc"; content: { type: string }[] };

function documentOf(own: Manuscript, id: string): Doc & DocNode {
  return (readChapterAnswer(own, id, { format: "doc" }) as { doc: Doc & DocNode }).doc;
}

/** What a write came to: its answer and the chapter behind it, or its refusal; taken back again. */
function outcome(own: Manuscript, id: string, write: () => Record<string, unknown>): unknown {
  try {
    const { wordCount, mentionsDropped, changed, warnings, title, act } = write();
    const { markdown } = readChapterAnswer(own, id, { format: "markdown" }) as { markdown: string };
    const doc = documentOf(own, id);
    assertSound(own.store);
    undoAct(own, String(act), OWNER);
    return { wordCount, mentionsDropped, changed, warnings, title, markdown, doc };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.message;
  }
}

/** A leaf as an editor leaves it: letters typed or taken out, a mark set, or another leaf in its place. */
type Edit = { at: number } & ({ letters: string; to: number } | { mark: "em" | "strong" } | { doc: DocNode });

const at = fc.nat(1000);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      at,
      letters: fc.constantFrom("", "x", " Mara ", "*", "# ", "- ", "[", "|"),
      to: fc.nat(3),
    }),
  },
  fc.record({ at, mark: fc.constantFrom("em" as const, "strong" as const) }),
  fc.record({ at, doc: nativeDoc }),
);

function edited(leaf: DocNode, change: Edit): DocNode {
  if ("doc" in change) {
    const [other] = (change.doc.content ?? []).flatMap(leavesOf);
    return other === undefined
      ? { ...leaf, content: [] }
      : { ...other, attrs: { ...other.attrs, blockId: null } };
  }
  const content = (leaf.content ?? []).map((child): DocNode => {
    if (child.text === undefined) return child;
    if ("mark" in change) return { ...child, marks: [...(child.marks ?? []), { type: change.mark }] };
    const from = change.at % (child.text.length + 1);
    return {
      ...child,
      text: child.text.slice(0, from) + change.letters + child.text.slice(from + change.to),
    };
  });
  return { ...leaf, content: content.filter(({ text }) => text !== "") };
}

test("a node does to its paragraph what the whole document with it would, whatever that is", (t) => {
  const own = manuscript(t);
  const { bookId, factId } = writeSample(own);
  const settings = randomly(60);
  t.diagnostic(`seed ${settings.seed}`);
  const count = { done: 0, refused: 0 };
  const texts = anyMarkdown.filter((text) => text.trim() !== "");
  const property = fc.property(texts, edit, (markdown, change) => {
    const { id } = createChapter(own, bookId, { title: "T", markdown: `Mara.\n\n${markdown}` }, OWNER);
    const doc = documentOf(own, id);
    const named = (leaf: DocNode) => ({
      ...leaf,
      content: [
        { type: "text", text: "Mara", marks: [{ type: "mention", attrs: { factId } }] },
        { type: "text", text: "." },
      ],
    });
    const [first, ...others] = doc.content as DocNode[];
    replaceProse(
      own,
      id,
      { doc: { ...doc, content: [named(first as DocNode), ...others] as Doc["content"] } },
      OWNER,
    );
    const whole = documentOf(own, id);
    const leaves = (whole.content as DocNode[]).flatMap(leavesOf);
    const leaf = leaves[change.at % leaves.length] as DocNode;
    const blockId = String(leaf.attrs?.blockId);
    const node = edited(leaf, change);
    const put = (next: DocNode) => (next === leaf ? { ...node, attrs: { ...node.attrs, blockId } } : next);
    const mentions = change.at % 2 === 0 ? ("keep" as const) : ("drop" as const);
    const content = (whole.content as DocNode[]).map((block) => mapLeaves(block, put));
    const [one, all] = [
      outcome(own, id, () =>
        replaceParagraph(own, { chapterId: id, blockId }, { node: { ...node }, mentions }, OWNER),
      ),
      outcome(own, id, () =>
        replaceProse(
          own,
          id,
          { doc: { type: "doc", content: content.map((block) => ({ ...block })) }, mentions },
          OWNER,
        ),
      ),
    ];
    if (typeof one === "string" || typeof all === "string") {
      assert.equal(typeof one, typeof all, JSON.stringify([one, all]));
      count.refused++;
    } else {
      assert.deepEqual(one, all);
      count.done++;
    }
  });
  fc.assert(property, { ...settings, includeErrorInReport: true });
  t.diagnostic(`${count.done} writes, ${count.refused} refused`);
  assert.ok(count.done > count.refused);
});
