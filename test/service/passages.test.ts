import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Lab, serve } from "../support/client.ts";
import { OWNER } from "../support/sample.ts";

/** A book with these chapters and facts; a place begins with "@". Returns the ids of the facts. */
function write({ manuscript }: Lab, chapters: readonly string[], names: readonly string[]): string[] {
  const { id } = createBook(manuscript, { title: "Saltmere" }, OWNER);
  for (const [index, markdown] of chapters.entries())
    createChapter(manuscript, id, { title: `Chapter ${index + 1}`, markdown }, OWNER);
  return names.map((name) => {
    const kind = name.startsWith("@") ? "place" : "character";
    return createFact(manuscript, id, { name: name.replace("@", ""), kind }, OWNER).id;
  });
}

/** What is said, by attribute: chapter and sentence. */
async function said(lab: Lab, id: string | undefined): Promise<Record<string, string[]>> {
  const { body } = await lab.ask("GET", `/facts/${id}/passages`);
  type Group = { attribute: string; passages: { chapterTitle: string; text: string }[] };
  return Object.fromEntries(
    body.groups.map(({ attribute, passages }: Group) => [
      attribute,
      passages.map(({ chapterTitle, text }) => `${chapterTitle}: ${text}`),
    ]),
  );
}

describe("GET /facts/{factId}/passages", () => {
  it("shows the sentences that state a trait of somebody, by what they tell of, in reading order", async (t) => {
    const lab = await serve(t);
    const [nora, ellis, saltmere] = write(
      lab,
      [
        "Nora came in out of the rain. She looked up, and her eyes were green as glass. Ellis was a surgeon.\n\nThey went to Saltmere. Saltmere lay two hours north of the river.",
        "“I was an only child,” said Nora. Ellis laughed.\n\n“You’ve not slept,” said Ellis. Nora shook her head. Those brown eyes of hers seemed too large.",
      ],
      ["Nora", "Ellis", "@Saltmere"],
    );
    assert.deepEqual(await said(lab, nora), {
      eyes: [
        "Chapter 1: She looked up, and her eyes were green as glass.",
        "Chapter 2: Those brown eyes of hers seemed too large.",
      ],
      family: ["Chapter 2: “I was an only child,” said Nora."],
    });
    assert.deepEqual((await said(lab, ellis)).profession, ["Chapter 1: Ellis was a surgeon."]);
    assert.deepEqual(await said(lab, saltmere), {
      looks: ["Chapter 1: Saltmere lay two hours north of the river."],
    });
  });

  it("leaves out what states nothing, and what is surely of nobody there", async (t) => {
    const lab = await serve(t);
    const [nora] = write(
      lab,
      [
        "“It was a long road,” said Nora. “Be at the Crillon at five.” Nora handed her a key with a grave face. Five years before, Nora was at work by six o’clock.",
        "Nora’s mother had brown eyes. If only Nora had been tall. Was Nora a doctor? He looked into her blue eyes. Nora was not a nurse.\n\nThe father of Nora was a tall man.",
        "Nora met Edith. Edith was tired. She was a singer. Nora had no brothers.",
      ],
      ["Nora", "Edith"],
    );
    assert.deepEqual(await said(lab, nora), {
      family: ["Chapter 2: Nora’s mother had brown eyes.", "Chapter 3: Nora had no brothers."],
    });
  });

  it("tells a statement once, how often, and first what differs", async (t) => {
    const lab = await serve(t);
    const [nora] = write(
      lab,
      [
        "Nora was a tall woman. Nora had grey eyes.",
        "Nora was tall. Nora’s grey eyes shone. Nora was six.",
        "Nora had blue eyes, and Nora was a girl of nine.",
      ],
      ["Nora"],
    );
    const { body } = await lab.ask("GET", `/facts/${nora}/passages`);
    assert.deepEqual(
      body.groups.map(
        ({
          attribute,
          differs,
          passages,
        }: {
          attribute: string;
          differs: boolean;
          passages: { times: number }[];
        }) => [attribute, differs, passages.map(({ times }) => times)],
      ),
      [
        ["eyes", true, [2, 1]],
        ["age", true, [1, 1]],
        ["looks", false, [2]],
      ],
    );
    assert.equal(body.total, 5);
  });

  it("gives spans of the block's own text, across hard breaks, and follows every edit", async (t) => {
    const lab = await serve(t);
    const [nora] = write(lab, ["One  \ntwo.  \nNora had grey  \neyes."], ["Nora"]);
    const { body } = await lab.ask("GET", `/facts/${nora}/passages`);
    const [{ passages }] = body.groups;
    const { from, to, text, highlights, chapterId } = passages[0];
    assert.deepEqual([from, to, text, highlights], [7, 25, "Nora had greyeyes.", [[9, 17]]]);
    await lab.ask("PUT", `/chapters/${chapterId}/prose`, { body: { markdown: "Nora had blue eyes." } });
    assert.deepEqual(await said(lab, nora), { eyes: ["Chapter 1: Nora had blue eyes."] });
  });

  it("knows whom an anchored mention means, and answers an unknown fact and an empty book", async (t) => {
    const lab = await serve(t);
    const [nora] = write(lab, ["The girl had grey eyes."], ["Nora"]);
    assert.deepEqual(await said(lab, nora), {});
    const { body } = await lab.ask("GET", `/facts/${nora}`);
    const outline = await lab.ask("GET", `/books/${body.fact.bookId}`);
    const [{ id: chapterId, revision }] = outline.body.chapters;
    const chapter = await lab.ask("GET", `/chapters/${chapterId}?format=doc`);
    const { blockId } = chapter.body.doc.content[0].attrs;
    const mentions = [{ factId: nora, blockId, from: 0, to: 8 }];
    await lab.ask("POST", `/chapters/${chapterId}/mentions`, { body: { revision, mentions } });
    assert.deepEqual(await said(lab, nora), { eyes: ["Chapter 1: The girl had grey eyes."] });
    const [nobody] = write(lab, [], ["Nobody"]);
    assert.deepEqual(await said(lab, nobody), {});
    assert.equal((await lab.ask("GET", "/facts/fa_none/passages")).status, 404);
  });
});
