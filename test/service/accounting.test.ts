import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { AnswerOf } from "../../src/contract/index.ts";
import { readLeaves } from "../../src/prose/document/leaves.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { BadRequest } from "../../src/refusals.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { randomly } from "../prose/rewrite.ts";
import { dump } from "../support/dump.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript, suite } from "../support/sandbox.ts";

const line = fc
  .array(
    fc.constantFrom("Mara", "Tobit", "old Tobit", "the lamp", "rowed", "slowly,", "*home*", "again.", "—"),
    {
      minLength: 1,
      maxLength: 9,
    },
  )
  .map((words) => words.join(" "));
const block = fc.oneof(
  { weight: 4, arbitrary: line },
  line.map((text) => `> ${text}`),
  fc.tuple(line, line).map(([one, two]) => `- ${one}\n- ${two}`),
  line.map((text) => `# ${text}`),
  fc.constant("* * *"),
);
const chapter = fc.array(block, { minLength: 1, maxLength: 7 }).map((blocks) => `${blocks.join("\n\n")}\n`);

/** A whole-chapter write made from what stands there: blocks shuffled, dropped, changed, new ones between. */
interface Edit {
  picks: { at: number; change: "keep" | "edit" | "new"; text: string }[];
  format: "markdown" | "keep" | "doc" | "patch";
}
const edit: fc.Arbitrary<Edit> = fc.record({
  picks: fc.array(
    fc.record({ at: fc.nat(12), change: fc.constantFrom("keep", "keep", "keep", "edit", "new"), text: line }),
    { minLength: 1, maxLength: 8 },
  ) as fc.Arbitrary<Edit["picks"]>,
  format: fc.constantFrom("markdown", "keep", "doc", "patch"),
});

type Answer = Pick<AnswerOf<"replaceProse">, "mentionsDropped" | "act"> &
  Partial<Pick<AnswerOf<"replaceProse">, "snippetsDetached" | "snippetsMoved" | "removed">>;

test("every write keeps or reports each mention and each note, and its undo brings all back", async (t) => {
  const settings = randomly(25);
  t.diagnostic(`seed ${settings.seed}`);
  let writes = 0;
  let reported = 0;
  const property = fc.asyncProperty(
    chapter,
    fc.array(edit, { minLength: 1, maxLength: 6 }),
    async (first, edits) => {
      const scope = suite();
      const own = manuscript(scope);
      const { id: bookId } = createBook(own, { title: "B" }, OWNER);
      for (const name of ["Mara", "Tobit", "the lamp"]) {
        createFact(own, bookId, { name, kind: "other", aliases: [`old ${name}`] }, OWNER);
      }
      const { id } = createChapter(own, bookId, { title: "T", markdown: first }, OWNER);
      annotate(own, bookId, id);
      for (const asked of edits) {
        const before = dump(own.store);
        const answer = apply(own, id, asked);
        if (answer === undefined) continue;
        writes++;
        reported += assertAccounted(before, own, answer);
        assertAnchored(own, id);
        if (answer.act !== null && writes % 3 === 0) {
          undoAct(own, answer.act, OWNER);
          assert.deepEqual(dump(own.store), before);
        }
        annotate(own, bookId, id);
      }
      await scope.end();
    },
  );
  await fc.assert(property, { ...settings, includeErrorInReport: true });
  t.diagnostic(`${writes} writes, ${reported} anchors reported as lost or moved`);
  assert.ok(reported > writes / 4, "the writes cost something, so there is something to account for");
});

/** A mention on every name, a note on every other paragraph that has none. */
function annotate(own: Manuscript, bookId: string, id: string): void {
  reanchorMentions(own, bookId, OWNER);
  const noted = new Set(own.store.all<{ b: string }>("SELECT block_id AS b FROM snippets").map(({ b }) => b));
  leavesOf(own, id).forEach(({ blockId }, index) => {
    if (index % 2 === 0 && blockId !== null && !noted.has(blockId)) {
      createSnippet(own, bookId, { kind: "note", text: `On ${blockId}`, blockId }, OWNER);
    }
  });
}

function nodesOf(own: Manuscript, id: string): DocNode[] {
  return (readChapterAnswer(own, id, { format: "doc" }) as unknown as { doc: { content: DocNode[] } }).doc
    .content;
}

const leavesOf = (own: Manuscript, id: string) => nodesOf(own, id).flatMap(readLeaves);

function apply(own: Manuscript, id: string, { picks, format }: Edit): Answer | undefined {
  const nodes = nodesOf(own, id);
  const sources = own.store
    .all<{ source: string }>("SELECT source FROM blocks WHERE chapter_id = ? ORDER BY rank, id", id)
    .map(({ source }) => source);
  try {
    if (format === "patch") {
      const leaves = leavesOf(own, id);
      const [{ at, text }] = picks as [Edit["picks"][number]];
      const blockId = leaves[at % Math.max(leaves.length, 1)]?.blockId;
      return blockId == null
        ? undefined
        : replaceParagraph(own, { chapterId: id, blockId }, { markdown: text }, OWNER);
    }
    if (format === "doc") {
      const content = picks.flatMap(({ at, change, text }): DocNode[] => {
        const node = nodes[at % Math.max(nodes.length, 1)];
        if (change === "new" || node === undefined)
          return [{ type: "paragraph", content: [{ type: "text", text }] }];
        return change === "edit" && node.type === "paragraph"
          ? [{ ...node, content: [{ type: "text", text }, ...(node.content ?? []).slice(1)] }]
          : [node];
      });
      return replaceProse(
        own,
        id,
        { doc: { type: "doc", content: content.map((node) => ({ ...node })) } },
        OWNER,
      );
    }
    const blocks = picks.map(({ at, change, text }) => {
      const source = sources[at % Math.max(sources.length, 1)];
      if (change === "new" || source === undefined) return text;
      return change === "edit" ? `${source} ${text}` : source;
    });
    const mentions = format === "keep" ? ("keep" as const) : undefined;
    return replaceProse(own, id, { markdown: `${blocks.join("\n\n")}\n` }, { ...OWNER, mentions });
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

/** Old anchors are kept ones and reported ones, no more and no less. Gives how many were reported. */
function assertAccounted(before: ReturnType<typeof dump>, own: Manuscript, answer: Answer): number {
  const after = dump(own.store);
  const ids = (rows: Record<string, unknown>[] | undefined) => (rows ?? []).map(({ id }) => String(id));
  const left = new Set(ids(after.mentions));
  const gone = ids(before.mentions).filter((id) => !left.has(id));
  const dropped = answer.mentionsDropped as { id: string }[];
  assert.deepEqual(
    dropped.map(({ id }) => id).sort(),
    gone.sort(),
    "mentions dropped and not reported, or reported and kept",
  );
  const now = new Map(after.snippets?.map((row) => [row.id, row.block_id]));
  assert.deepEqual(ids(before.snippets), ids(after.snippets), "a note was lost");
  const moved = (before.snippets ?? []).filter(
    (row) => row.block_id !== null && now.get(row.id) !== row.block_id,
  );
  const reported = [
    ...((answer.snippetsDetached ?? []) as { id: string }[]),
    ...((answer.snippetsMoved ?? []) as { id: string }[]),
  ];
  assert.deepEqual(
    reported.map(({ id }) => id).sort(),
    ids(moved).sort(),
    "notes moved and not reported, or reported and kept",
  );
  return gone.length + moved.length;
}

/** Every mention stands on the words it names, every note on a paragraph, and the document sent back changes nothing. */
function assertAnchored(own: Manuscript, id: string): void {
  const texts = new Map(leavesOf(own, id).map(({ blockId, text }) => [String(blockId), text]));
  for (const { block_id, start, end, text } of dump(own.store).mentions as Record<string, never>[]) {
    assert.equal(texts.get(String(block_id))?.slice(Number(start), Number(end)), text);
  }
  const doc = { type: "doc" as const, content: nodesOf(own, id).map((node) => ({ ...node })) };
  assert.equal(replaceProse(own, id, { doc }, { ...OWNER, dryRun: true }).changed, false);
}
