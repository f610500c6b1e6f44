import assert from "node:assert/strict";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { exportFolder } from "../../src/files/export.ts";
import { importFiles } from "../../src/files/import.ts";
import { readBookFiles } from "../../src/files/layouts/manuscript.ts";
import { type Leaf, readLeaves } from "../../src/prose/document/leaves.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet, listSnippets } from "../../src/service/annotations/snippets.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { listBlocks } from "../../src/store/rows/blocks.ts";
import { randomly } from "../prose/rewrite.ts";
import { folder, manuscript } from "../support/sandbox.ts";

const caller = { source: "cli" as const };

/** A book of one chapter, exported with its block ids into the folder that it came from. */
async function exchanged(t: Pick<TestContext, "after">, prose: string) {
  const open = manuscript(t);
  const path = realpathSync(folder(t));
  const file = join(path, "01-one.md");
  writeFileSync(file, prose);
  const { bookId, chapters } = await importFiles(open, await readBookFiles(path), {});
  const { id } = chapters[0]!; // one file
  const exported = async () => {
    await exportFolder(open, bookId, path, { plain: true, blockIds: true, force: true });
  };
  await exported();
  return {
    open,
    bookId,
    id,
    exported,
    read: () => readFileSync(file, "utf8"),
    leaves: () => listBlocks(open.store, id).flatMap(({ node }) => readLeaves(JSON.parse(node) as DocNode)),
    take: async (text: string) => {
      writeFileSync(file, text);
      const answer = await importFiles(open, await readBookFiles(path), { bookId, yes: true });
      return answer.chapters[0]!; // one file
    },
    put: (blockId: string, markdown: string) =>
      replaceParagraph(open, { chapterId: id, blockId }, { markdown }, caller),
    note: (blockId: string) =>
      createSnippet(open, bookId, { kind: "note", text: "Look.", blockId }, caller).id,
    anchors: () => listSnippets(open, bookId, {}).snippets.map(({ blockId }) => blockId),
  };
}

const texts = (leaves: readonly Leaf[]) => leaves.map(({ text }) => text);

describe("a paragraph with the mark of a block", () => {
  it("keeps its mentions where its words are the same, wherever it went", async (t) => {
    const { open, bookId, read, take } = await exchanged(t, "Mara rang.\n\nNobody came.\n\nMara left.\n");
    createFact(open, bookId, { name: "Mara" }, caller);
    assert.equal(reanchorMentions(open, bookId, caller).anchored, 2);
    const [first, second, third] = read().trimEnd().split("\n\n");
    const changed = [third, `All was new. ${second!.split(" ").at(-1)}`, first].join("\n\n");
    const { mentionsDropped, paragraphs } = await take(`${changed}\n`);
    assert.deepEqual(mentionsDropped, []);
    assert.equal(paragraphs.new + paragraphs.removed, 0);
  });

  it("leaves scene breaks beside it what they were, which have no marks", async (t) => {
    const { read, take, leaves } = await exchanged(
      t,
      "One.\n\n***\n\nTwo.\n\n***\n\nThree.\n\n***\n\nFour.\n",
    );
    const before = leaves().map(({ blockId }) => blockId);
    const whole = read();
    const removed = await take(whole.replace(/(^Two.*\n\n)\*\*\*\n\n/m, "$1New.\n\n"));
    assert.deepEqual(removed.paragraphs, { kept: 6, moved: 0, edited: 0, new: 1, removed: 1 });
    const after = leaves().map(({ blockId }) => blockId);
    assert.deepEqual(after.toSpliced(3, 1), before.toSpliced(3, 1));
    const added = await take(`***\n\n${whole}`);
    assert.deepEqual(added.paragraphs, { kept: 6, moved: 0, edited: 0, new: 2, removed: 1 });
  });

  it("is known although somebody wrote on behind the mark", async (t) => {
    const { read, take, leaves } = await exchanged(t, "Mara rang.\n\n- one\n- two\n");
    const before = leaves().map(({ blockId }) => blockId);
    const { paragraphs } = await take(
      read()
        .replace(/^(Mara.*)$/m, "$1 The sea lay still.")
        .replace(/^(- one .*)$/m, "$1 more"),
    );
    assert.deepEqual(texts(leaves()), ["Mara rang. The sea lay still.", "one more", "two"]);
    assert.deepEqual(
      leaves().map(({ blockId }) => blockId),
      before,
    );
    assert.equal(paragraphs.edited, 2);
  });

  it("takes the notes of the one along that was joined to it", async (t) => {
    const { read, take, leaves, note, anchors } = await exchanged(
      t,
      "Mara rang the bell on the quay.\n\nNobody answered for an hour.\n\nThe end.\n",
    );
    const [first, second] = leaves();
    note(first!.blockId!);
    const joined = read().replace(/\n\nNobody/, "\nNobody");
    const { snippetsDetached } = await take(joined);
    assert.deepEqual(texts(leaves()), [
      "Mara rang the bell on the quay.\nNobody answered for an hour.",
      "The end.",
    ]);
    assert.deepEqual(snippetsDetached, []);
    assert.equal(leaves()[0]!.blockId, second!.blockId, "the mark at the end says who it is");
    assert.deepEqual(anchors(), [second!.blockId]);
  });

  it("gets back what it had after it was gone for a while", async (t) => {
    const { read, take, leaves, note, anchors } = await exchanged(t, "Mara rang.\n\nNobody came.\n");
    const whole = read();
    const { blockId } = leaves()[1]!;
    note(blockId!);
    await take(`${whole.split("\n\n")[0]}\n`);
    assert.deepEqual(anchors(), [null]);
    await take(whole.replace("Nobody came.", "A gull cried."));
    assert.deepEqual([leaves()[1]!.blockId, anchors()], [blockId, [blockId]]);
  });

  it("is followed by one's own next edit after a merge", async (t) => {
    const { read, take, leaves, put } = await exchanged(t, "One rope.\n\nTwo oars.\n\nThree sails.\n");
    const [one, , three] = leaves();
    put(one!.blockId!, "One long rope.");
    const mark = read().match(/\^b-\w+/g)![2]!; // three paragraphs
    const rewritten = read().replace(/^Three.*$/m, `Rain fell all that week. ${mark}`);
    await take(rewritten);
    await take(rewritten.replace("Rain fell all that week.", "No wind."));
    assert.deepEqual(texts(leaves()), ["One long rope.", "Two oars.", "No wind."]);
    assert.deepEqual([leaves()[0]!.blockId, leaves()[2]!.blockId], [one!.blockId, three!.blockId]);
  });

  it("is the same block although only the marks of two were exchanged", async (t) => {
    const { read, take, leaves } = await exchanged(t, "“Yes.”\n\nHe waited.\n\n“Yes.”\n");
    const before = leaves().map(({ blockId }) => blockId);
    const [first, second, third] = read().trimEnd().split("\n\n");
    assert.equal((await take(`${[third, second, first].join("\n\n")}\n`)).status, "updated");
    assert.deepEqual(
      leaves().map(({ blockId }) => blockId),
      before.toReversed(),
    );
  });
});

const WORDS = [
  "night",
  "Ahab",
  "sea",
  "été",
  "漢字",
  "“So”",
  "rope",
  "gull",
  "lantern",
  "he said",
  "*slowly*",
];
const sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => `${words.join(" ")}.`);
const paragraph = fc.oneof(
  { weight: 5, arbitrary: sentence },
  sentence.map((text) => `## ${text}`),
  sentence.map((text) => `> ${text}`),
  sentence.map((text) => `1. ${text}`),
  sentence.map((text) => `| ${text} |\n|---|`),
);

/** What becomes of each paragraph of a file, and in which order they stand then. */
const edits = fc.record({
  prose: fc.array(paragraph, { minLength: 1, maxLength: 7 }),
  fates: fc.array(
    fc.record({
      mine: fc.oneof(fc.constant("keep"), fc.constant("drop"), fc.constant("unmark"), sentence),
      theirs: fc.option(sentence, { nil: undefined, freq: 2 }),
      place: fc.nat(100),
      before: fc.option(sentence, { nil: undefined, freq: 3 }),
    }),
    { minLength: 7, maxLength: 7 },
  ),
});

describe("random edits of an exported file", () => {
  it("leave every marked paragraph the block that its mark names, also where the manuscript changed", async () => {
    const ends: (() => void)[] = [];
    const { seed, numRuns } = randomly(20);
    try {
      await fc.assert(
        fc.asyncProperty(edits, ({ prose, fates }) =>
          followsMarks({ after: (end) => ends.push(end as () => void) }, prose, fates),
        ),
        { seed, numRuns },
      );
    } finally {
      for (const end of ends.reverse()) end();
    }
  });
});

async function followsMarks(
  t: Pick<TestContext, "after">,
  prose: readonly string[],
  fates: readonly { mine: string; theirs: string | undefined; place: number; before: string | undefined }[],
): Promise<void> {
  const { read, take, leaves, put } = await exchanged(t, `${prose.join("\n\n***\n\n")}\n`);
  const units = read()
    .trimEnd()
    .split("\n\n***\n\n")
    .map((text, index) => ({ text, ...fates[index]! })); // as many fates as paragraphs, or more
  const expected = new Map<string, string>(); // word by block
  const marks = units.map(({ text }) => /\^b-\w{16}$/.exec(text)![0]);
  for (const [index, { mine, theirs, text }] of units.entries()) {
    const blockId = `b_${marks[index]!.slice(3)}`;
    const isMine = mine !== "keep" && mine !== "drop";
    const isTable = text.startsWith("|");
    if (mine === "keep" && theirs !== undefined && !isTable) {
      put(blockId, `Theirs${index} ${theirs}`);
      expected.set(blockId, `Theirs${index}`);
    } else if (mine === "keep") expected.set(blockId, "");
    else if (isMine && mine !== "unmark" && !isTable) expected.set(blockId, `Mine${index}`);
  }
  const file = units
    .map((unit, index) => ({ ...unit, index }))
    .toSorted((a, b) => a.place - b.place)
    .flatMap(({ text, mine, before, index }) => {
      const prefix = /^(?:## |> |1\. |)/.exec(text)![0];
      const added = before === undefined ? [] : [`New${index} ${before}`];
      if (mine === "drop") return added;
      if (mine === "keep" || text.startsWith("|")) return [...added, text];
      if (mine === "unmark") return [...added, text.replace(/\s+\^b-\w{16}$/, "")];
      return [...added, `${prefix}Mine${index} ${mine} ${marks[index]}`];
    });
  await take(`${file.join("\n\n***\n\n")}\n`);
  const after = new Map(leaves().map(({ blockId, text }) => [blockId, text]));
  assert.equal(after.size, leaves().length, "an id stands twice");
  for (const [blockId, start] of expected) {
    assert.ok(after.get(blockId)?.startsWith(start), `${blockId} is ${after.get(blockId)}, not ${start}`);
  }
  for (const { blockId, text } of leaves()) {
    if (/^New\d/.test(text)) assert.ok(!expected.has(String(blockId)), `${text} took another's id`);
    assert.doesNotMatch(text, /\^b-/);
  }
}
