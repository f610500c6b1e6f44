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
  it("shows every sentence that describes somebody, by what it tells of, in reading order", async (t) => {
    const lab = await serve(t);
    const [nora, ellis, saltmere] = write(
      lab,
      [
        "Nora came in out of the rain. She looked up, and her eyes were green as glass. Ellis was a surgeon.\n\nThey went to Saltmere. It lay two hours north of the river.",
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
      place: ["Chapter 1: They went to Saltmere."],
    });
    assert.deepEqual((await said(lab, ellis)).profession, ["Chapter 1: Ellis was a surgeon."]);
    assert.deepEqual((await said(lab, saltmere)).place, ["Chapter 1: It lay two hours north of the river."]);
  });

  it("leaves out what tells of nobody there", async (t) => {
    const lab = await serve(t);
    const [nora, , saltmere] = write(
      lab,
      [
        "Nora had been at Saltmere for his letters. He kept his hat on. Mrs. Long of Saltmere had left. Nora handed her a key with a grave face. Five years before, Nora was at work by six o’clock, engaged in a quarrel of general interest to a high degree.",
        "Nora was six. She was engaged. Saltmere was his. It was a long street.\n\nThe road to the old grave of her father lay open before Nora.",
      ],
      ["Nora", "Mrs. Long", "@Saltmere"],
    );
    assert.deepEqual(await said(lab, saltmere), {
      looks: ["Chapter 2: It was a long street."],
      possessions: ["Chapter 2: Saltmere was his."],
      place: ["Chapter 2: It was a long street."],
    });
    const { age, family, death, body, title } = await said(lab, nora);
    assert.deepEqual(
      [age, family, body, title],
      [
        ["Chapter 2: Nora was six."],
        [
          "Chapter 2: She was engaged.",
          "Chapter 2: The road to the old grave of her father lay open before Nora.",
        ],
        undefined,
        undefined,
      ],
    );
    assert.deepEqual(death, ["Chapter 2: The road to the old grave of her father lay open before Nora."]);
  });

  it("gives spans of the block's own text, across hard breaks, and follows every edit", async (t) => {
    const lab = await serve(t);
    const [nora] = write(lab, ["One  \ntwo.  \nNora had grey  \neyes."], ["Nora"]);
    const { body } = await lab.ask("GET", `/facts/${nora}/passages`);
    const [{ passages }] = body.groups;
    const { from, to, text, highlights, chapterId } = passages[0];
    assert.deepEqual([from, to, text, highlights], [7, 25, "Nora had greyeyes.", [[13, 17]]]);
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
