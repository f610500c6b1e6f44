import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { Refusal } from "../../src/refusals.ts";
import { createFact, deleteFact, mergeFacts } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet, deleteSnippet, listSnippets } from "../../src/service/annotations/snippets.ts";
import { deleteGoal, setGoal, updateBook } from "../../src/service/books/books.ts";
import { saveSynopsis, setStatus } from "../../src/service/books/chapter-fields.ts";
import { createChapter, deleteChapter, updateChapter } from "../../src/service/books/chapters.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { createPart, deletePart, updatePart } from "../../src/service/books/parts.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { joinChapters, splitChapter } from "../../src/service/books/split-chapter.ts";
import { lastAct } from "../../src/service/history/acts.ts";
import { compareBooks } from "../../src/service/history/compare-books.ts";
import { createMilestone, listMilestones } from "../../src/service/history/milestones.ts";
import { restoreBook } from "../../src/service/history/restore-book.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { parseReady } from "../../src/service/present.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { randomly } from "../prose/rewrite.ts";
import { dump } from "../support/dump.ts";
import { randomFrom } from "../support/random.ts";
import { OWNER, withSample } from "../support/sample.ts";
import { assertSound } from "../support/sound.ts";

const WORDS = "Mara old Tobit lamp ferry bell rope fog came went sat rang late again".split(" ");

interface Node {
  attrs?: { blockId?: string };
  content?: Node[];
}

const idsIn = (node: Node): string[] =>
  node.attrs?.blockId === undefined ? (node.content ?? []).flatMap(idsIn) : [node.attrs.blockId];

const outlineOf = (own: Manuscript, bookId: string) => parseReady(readOutline(own, bookId));

function idsOf(own: Manuscript, chapterId: string): string[] {
  const { doc } = readChapterAnswer(own, chapterId, { format: "doc" }) as { doc: Node };
  return idsIn(doc);
}

/** What reads say of a book: nothing of it comes from the journal. */
function record(own: Manuscript, bookId: string) {
  const { title, goal, parts, chapters } = outlineOf(own, bookId);
  return {
    title,
    goal: goal === null ? null : [goal.targetWords, goal.deadline, goal.dailyWords],
    parts,
    chapters: chapters.map(({ revision: _, updatedAt: __, ...chapter }) => ({
      ...chapter,
      ids: idsOf(own, chapter.id),
      prose: (readChapterAnswer(own, chapter.id, { format: "markdown" }) as { markdown: string }).markdown,
    })),
  };
}

/** Something a writer does, at random; what is refused is as good as nothing. */
function writeSomething(own: Manuscript, bookId: string, random: () => number): void {
  const below = (count: number) => Math.floor(random() * count);
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const sentence = () => `${Array.from({ length: 3 + below(6) }, () => one(WORDS)).join(" ")}.`;
  const { chapters, parts } = outlineOf(own, bookId);
  const chapter = one(chapters);
  const paragraph = () => one(idsOf(own, chapter.id));
  const anyPart = () => (parts.length === 0 || random() < 0.3 ? null : one(parts).id);
  const { snippets } = listSnippets(own, bookId, {});
  const facts = own.store.list<string>("SELECT id FROM facts ORDER BY id");
  const markdown = () =>
    (readChapterAnswer(own, chapter.id, { format: "markdown" }) as { markdown: string }).markdown;
  const rewrite = () => {
    const blocks = markdown().split(/\n{2,}/);
    blocks.splice(below(blocks.length), below(3), ...Array.from({ length: below(3) }, sentence));
    if (random() < 0.4) blocks.unshift(...blocks.splice(below(blocks.length), 1));
    return `${blocks.join("\n\n").trim() || sentence()}\n`;
  };
  const place = () => ({ position: 1 + below(chapters.length), partId: anyPart() });
  const acts: (() => unknown)[] = [
    () =>
      replaceProse(own, chapter.id, { markdown: rewrite() }, { ...OWNER, mentions: one(["keep", "drop"]) }),
    () =>
      replaceParagraph(own, { chapterId: chapter.id, blockId: paragraph() }, { markdown: sentence() }, OWNER),
    () =>
      createChapter(
        own,
        bookId,
        { title: sentence(), ...place(), markdown: `${sentence()}\n\n${sentence()}\n` },
        OWNER,
      ),
    () => chapters.length > 1 && deleteChapter(own, chapter.id, OWNER),
    () => updateChapter(own, chapter.id, random() < 0.5 ? { title: sentence() } : place(), OWNER),
    () => splitChapter(own, chapter.id, { blockId: paragraph() }, OWNER),
    () => chapters.length > 2 && joinChapters(own, chapter.id, {}, OWNER),
    () => createPart(own, bookId, { title: sentence(), position: 1 + below(3) }, OWNER),
    () => updatePart(own, one(parts).id, { position: 1 + below(3), title: sentence() }, OWNER),
    () => random() < 0.4 && deletePart(own, one(parts).id, OWNER),
    () => setStatus(own, chapter.id, { status: one(["draft", "revising", "done"]) }, OWNER),
    () => saveSynopsis(own, chapter.id, { synopsis: sentence() }, OWNER),
    () =>
      random() < 0.6
        ? setGoal(own, bookId, { targetWords: below(900) }, OWNER)
        : deleteGoal(own, bookId, OWNER),
    () => updateBook(own, bookId, { title: sentence() }, OWNER),
    () => createFact(own, bookId, { name: one(WORDS) }, OWNER),
    () => reanchorMentions(own, bookId, OWNER),
    () => random() < 0.3 && deleteFact(own, one(facts), OWNER),
    () => random() < 0.5 && mergeFacts(own, { keepId: one(facts), dropId: one(facts) }, OWNER),
    () => createSnippet(own, bookId, { kind: "note", blockId: paragraph(), text: sentence() }, OWNER),
    () => createSnippet(own, bookId, { kind: "note", chapterId: chapter.id, text: sentence() }, OWNER),
    () => random() < 0.2 && deleteSnippet(own, one(snippets).id, OWNER),
    () => undoAct(own, lastAct(own), OWNER),
  ];
  try {
    one(acts)();
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof TypeError)) throw error; // a list may be empty
  }
}

/**
 * Random histories of a book with milestones at random points: restored to each, by its name or its act, reads say what they
 * said then, with every id; no note is lost; a dry run answers the same and writes nothing; undo and redo are exact.
 */
export function assertRestores(t: TestContext, runs: number): void {
  const { numRuns, seed } = randomly(runs);
  t.diagnostic(`${numRuns} histories, seed ${seed}`);
  const count = { restores: 0, back: 0 };
  for (let run = 0; run < numRuns; run++) {
    const random = randomFrom(seed + run);
    const { own, sample } = withSample(t);
    const { bookId } = sample;
    const marked: { id: string; act: string; was: ReturnType<typeof record> }[] = [];
    for (let act = 0; act < 24; act++) {
      writeSomething(own, bookId, random);
      if (random() < 0.12) {
        const { id, milestone } = createMilestone(own, bookId, { name: `After ${act}` }, OWNER);
        marked.push({ id, act: milestone.act, was: record(own, bookId) });
      }
    }
    const notes = () =>
      listSnippets(own, bookId, {})
        .snippets.map(({ id, text }) => `${id} ${text}`)
        .sort();
    for (const { id: milestone, act: after, was } of marked) {
      const words = was.chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
      const size = listMilestones(own, bookId).milestones.find((one) => one.id === milestone);
      // Its making may have been undone: then the act names the same moment.
      const id = size === undefined ? after : milestone;
      if (size !== undefined)
        assert.deepEqual([size.wordCount, size.chapterCount], [words, was.chapters.length]);
      const before = dump(own.store);
      const [kept, now] = [notes(), record(own, bookId)];
      const told = compareBooks(own, bookId, { from: id });
      assert.deepEqual(
        [told.totals.from.wordCount, told.totals.to.chapterCount],
        [words, now.chapters.length],
      );
      const dry = restoreBook(own, bookId, { to: id }, { ...OWNER, dryRun: true });
      assert.deepEqual(dump(own.store), before);
      const done = restoreBook(own, bookId, { to: id }, OWNER);
      assert.deepEqual({ ...dry, act: done.act }, done);
      assert.deepEqual(record(own, bookId), was);
      assert.deepEqual(notes(), kept);
      assertSound(own.store);
      const again = restoreBook(own, bookId, { to: id }, OWNER);
      assert.equal(again.changed, false);
      const restored = dump(own.store);
      const { act } = undoAct(own, String(done.act), OWNER);
      assert.deepEqual(dump(own.store), before);
      assert.deepEqual(record(own, bookId), now);
      undoAct(own, String(act), OWNER);
      assert.deepEqual(dump(own.store), restored);
      assertSound(own.store);
      if (random() < 0.5) undoAct(own, lastAct(own), OWNER);
      count.restores++;
      count.back += done.mentionsRestored;
    }
  }
  t.diagnostic(JSON.stringify(count));
  assert.ok(count.restores > numRuns);
}
