import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { BadRequest } from "../../src/refusals.ts";
import { createFact, readFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { renameFact } from "../../src/service/prose/rename-fact.ts";
import { dump } from "../support/dump.ts";
import { OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";

interface Story {
  name: string;
  aliases?: string[];
  /** Another fact of the book. */
  other?: { name: string; aliases?: string[] };
  /** Names are anchored before the renaming. */
  anchored?: boolean;
  markdown: string;
}

/** A book of one chapter, a fact in it, and the ways to rename and read. */
function told(t: TestContext, { name, aliases = [], other, anchored = true, markdown }: Story) {
  const own = manuscript(t);
  const { id: bookId } = createBook(own, { title: "Book" }, OWNER);
  const { id: chapterId } = createChapter(own, bookId, { title: "Chapter", markdown }, OWNER);
  const { id } = createFact(own, bookId, { name, aliases }, OWNER);
  if (other !== undefined) createFact(own, bookId, other, OWNER);
  if (anchored) reanchorMentions(own, bookId, OWNER);
  return {
    own,
    bookId,
    id,
    rename: (to: string, more: { prose?: boolean; alias?: boolean; dryRun?: boolean } = {}) => {
      const { dryRun = false, ...renaming } = more;
      return renameFact(own, id, { name: to, prose: true, alias: true, ...renaming }, { ...OWNER, dryRun });
    },
    prose: () => {
      const answer = readChapterAnswer(own, chapterId, { format: "markdown" });
      return "markdown" in answer ? answer.markdown : "";
    },
    mentions: () => readFact(own, id).mentions.map(({ from, to, text }) => [from, to, text]),
  };
}

describe("renaming a fact in the prose", () => {
  const cases: [promise: string, story: Story, to: string, after: string][] = [
    [
      "changes mentions and whole words, possessives and capitals with them, and no part of a word",
      {
        name: "Mara",
        anchored: false,
        markdown: "Mara’s lamp. *Mara* and MARA! Tamara, Maras, Mara-like.\n",
      },
      "Nora",
      "Nora’s lamp. *Nora* and NORA! Tamara, Maras, Nora-like.\n",
    ],
    [
      "keeps marks, escapes, and every byte beside it",
      { name: "Mara", markdown: "* **Mara** [Mara](mara.md)  \n  Mara \\* x\n\n1) `Mara`\n" },
      "Nora",
      "* **Nora** [Nora](mara.md)  \n  Nora \\* x\n\n1) `Mara`\n",
    ],
    [
      "finds a name over a line end, and gives a possessive what the new name needs",
      { name: "Old James", markdown: "I saw Old\nJames’ hat, and Old James.\n" },
      "Peter",
      "I saw Peter’s hat, and Peter.\n",
    ],
    [
      "leaves a quote that ends behind a name as it is",
      { name: "James", markdown: "‘I saw James’ said he.\n" },
      "Peter",
      "‘I saw Peter’ said he.\n",
    ],
    [
      "leaves the verb alone, and a sentence’s first word that may be one, unless it is a mention",
      {
        name: "Will",
        anchored: false,
        markdown: "I will ask Will. Will he come? “Will you?” I saw Will’s hat.\n",
      },
      "Tom",
      "I will ask Tom. Will he come? “Will you?” I saw Tom’s hat.\n",
    ],
    [
      "takes a slip of the pen for no word, and leaves it",
      { name: "Mara", anchored: false, markdown: `Mara came. mara went.${" Mara.".repeat(12)}\n` },
      "Nora",
      `Nora came. mara went.${" Nora.".repeat(12)}\n`,
    ],
    [
      "takes the case of a name that is no proper one",
      { name: "the bell", markdown: "The bell rang. He heard the bell.\n" },
      "the gong",
      "The gong rang. He heard the gong.\n",
    ],
    [
      "leaves what is a mention of another fact",
      {
        name: "Mara",
        other: { name: "Mara Sound" },
        markdown: "Mara sailed into Mara Sound.\n",
      },
      "Nora",
      "Nora sailed into Mara Sound.\n",
    ],
  ];
  for (const [promise, story, to, after] of cases)
    it(promise, (t) => {
      const { own, rename, prose, mentions } = told(t, story);
      const before = mentions();
      const done = rename(to);
      assert.equal(prose(), after);
      assert.equal(mentions().length, before.length, "no mention is lost");
      assert.deepEqual(
        done.chapters.flatMap(({ mentionsDropped }) => mentionsDropped),
        [],
      );
      assertSound(own.store);
    });

  it("keeps each mention on its words: those of the name, and those that the name is a part of", (t) => {
    const story = {
      name: "Tobit",
      aliases: ["old Tobit", "the keeper"],
      markdown: "Tobit, old Tobit: the keeper, Tobit.\n",
    };
    const { rename, mentions, prose, own } = told(t, story);
    assert.deepEqual(mentions(), [
      [0, 5, "Tobit"],
      [7, 16, "old Tobit"],
      [18, 28, "the keeper"],
      [30, 35, "Tobit"],
    ]);
    const before = dump(own.store);
    const tried = rename("Barnabas", { dryRun: true });
    assert.deepEqual([tried.act, dump(own.store)], [null, before]);
    const { act, fact, replaced, left } = rename("Barnabas");
    assert.equal(prose(), "Barnabas, old Barnabas: the keeper, Barnabas.\n");
    assert.deepEqual(mentions(), [
      [0, 8, "Barnabas"],
      [10, 22, "old Barnabas"],
      [24, 34, "the keeper"],
      [36, 44, "Barnabas"],
    ]);
    assert.deepEqual(
      [fact.name, fact.aliases, replaced],
      ["Barnabas", ["old Tobit", "the keeper", "Tobit"], 3],
    );
    assert.deepEqual(left, [{ text: "the keeper", is: "alias", places: 1 }]);
    undoAct(own, String(act), OWNER);
    assert.deepEqual(dump(own.store), before);
  });

  it("says what it leaves: parts of the name, doubtful places, mentions of others, texts beside", (t) => {
    const { own, bookId, rename, prose } = told(t, {
      name: "Mara Vane",
      other: { name: "Mara Vane Bridge" },
      markdown: "Mara Vane came. Mara sat; Vane’s horse. Mara Vane Bridge. `Mara Vane`\n",
    });
    createSnippet(own, bookId, { kind: "note", text: "Is Mara Vane late?" }, OWNER);
    const { left, others, skipped, beside, chapters } = rename("Nora Vane");
    assert.equal(prose(), "Nora Vane came. Mara sat; Vane’s horse. Mara Vane Bridge. `Mara Vane`\n");
    assert.deepEqual(left, [{ text: "Mara", is: "part", places: 2 }]);
    assert.deepEqual([others, skipped, beside], [1, 1, { notes: 1, synopses: 0, summaries: 0 }]);
    assert.deepEqual(
      chapters.flatMap(({ paragraphs }) =>
        paragraphs.map(({ before, after }) => [before.length, after.length]),
      ),
      [[67, 67]],
    );
    const will = told(t, { name: "Will", anchored: false, markdown: "I will. Will? WILL!\n" });
    assert.equal(will.rename("Tom").doubtful, 2);
  });

  it("without the prose changes the fact alone; the old name becomes an alias, or does not", (t) => {
    const { rename, prose, own, bookId } = told(t, {
      name: "Mara",
      aliases: ["Nora"],
      markdown: "Mara came.\n",
    });
    const { fact, replaced } = rename("Nora", { prose: false });
    assert.deepEqual([fact.name, fact.aliases, replaced], ["Nora", ["Mara"], 0]);
    assert.equal(prose(), "Mara came.\n");
    assert.deepEqual(rename("Mara", { alias: false, prose: false }).fact.aliases, []);
    assert.throws(() => rename("Mara"), BadRequest);
    createFact(own, bookId, { name: "Lena" }, OWNER);
    assert.deepEqual(rename("Lena").warnings, ["same_name"]);
  });
});
