import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { shell } from "../cli/shell.ts";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);

const CHAPTERS = [
  "# One\n\nSee ![it](f.png) the *house seemed* to lean. It was very cold. “It is very cold,” he said softly.\n\n* * *\n\nIt began to rain.\n",
  "The boat seemed to sink.\n",
];

async function book(chapters: readonly string[]) {
  const { id } = (await lab.ask("POST", "/books", { body: { title: "Lines" } })).body;
  const ids: string[] = [];
  for (const [at, markdown] of chapters.entries())
    ids.push(
      (await lab.ask("POST", `/books/${id}/chapters`, { body: { title: `C${at}`, markdown } })).body.id,
    );
  return { id, ids, read: (query = "") => lab.ask("GET", `/books/${id}/${query}`) };
}

interface Finding {
  id: string;
  kind: string;
  word: string;
  chapterId: string;
  blockId: string;
  from: number;
  to: number;
}

const said = (findings: readonly Finding[]) => findings.map(({ kind, word }) => `${kind} ${word}`);

describe("GET /books/{bookId}/language", () => {
  it("lists marks in reading order, each with its place in the paragraph's own text, and counts them", async () => {
    const { ids, read } = await book(CHAPTERS);
    const { body } = await read("language");
    assert.deepEqual(said(body.findings), [
      "filter seemed",
      "intensifier very",
      "tag_adverb softly",
      "filter began to",
      "filter seemed",
    ]);
    for (const { sentence, highlights, text } of body.findings)
      assert.equal(sentence.slice(...highlights[0]), text);
    const [{ chapterId, blockId, from, to }] = body.findings;
    const { doc } = (await lab.ask("GET", `/chapters/${chapterId}?format=doc`)).body;
    const block = doc.content.find((node: { attrs: { blockId: string } }) => node.attrs.blockId === blockId);
    const own = block.content.map((node: { text?: string }) => node.text ?? "").join("");
    assert.equal(own.slice(from, to), "seemed");
    const [filter] = body.kinds;
    assert.deepEqual(
      [
        filter.kind,
        filter.count,
        filter.words.map(({ word, count }: { word: string; count: number }) => [word, count]),
      ],
      [
        "filter",
        3,
        [
          ["seemed", 2],
          ["began to", 1],
        ],
      ],
    );
    assert.deepEqual(
      body.chapters.map(({ count }: { count: number }) => count),
      [4, 1],
    );
    assert.equal(filter.perThousand, Math.round((3 / body.wordCount) * 10_000) / 10);
    const one = (await read(`language?chapterId=${ids[1]}&kind=filter`)).body;
    assert.deepEqual([said(one.findings), one.chapters.length], [["filter seemed"], 1]);
    assert.equal((await read("language?kind=nonsense")).status, 400);
    assert.equal((await read("language?chapterId=ch_none")).status, 404);
  });

  it("marks a word where it stands, not within another, however the sentence is broken into lines", async () => {
    const { read } = await book(["“Yes.” Every man was\nvery tired, and  very cold.\n"]);
    const { findings } = (await read("language?kind=intensifier")).body;
    assert.deepEqual(
      findings.map(({ sentence, highlights }: Record<string, never>) => [sentence, highlights]),
      [
        ["Every man was very tired, and very cold.", [[14, 18]]],
        ["Every man was very tired, and very cold.", [[30, 34]]],
      ],
    );
  });

  it("leaves out a place, a word and a kind that are dismissed, whatever else is edited, until that is undone", async () => {
    const { id, ids, read } = await book(CHAPTERS);
    const findings = async () => (await read("language")).body.findings as Finding[];
    const dismiss = (one: string) => lab.ask("POST", `/books/${id}/dismissals`, { body: { ids: [one] } });
    const [first] = await findings();
    await dismiss(first?.id ?? "");
    await lab.ask("PUT", `/chapters/${ids[0]}/prose`, {
      body: `Low water.\n\n${CHAPTERS[0]}`,
      headers: { "Content-Type": "text/markdown" },
    });
    assert.equal((await findings()).filter(({ word }) => word === "seemed").length, 1);
    const { kinds } = (await read("language")).body;
    await dismiss(kinds.find(({ kind }: { kind: string }) => kind === "intensifier").id);
    assert.deepEqual(said(await findings()), ["tag_adverb softly", "filter began to", "filter seemed"]);
    const seemed = kinds[0].words.find(({ word }: { word: string }) => word === "seemed");
    const { act } = (await dismiss(seemed.id)).body;
    assert.deepEqual(said(await findings()), ["tag_adverb softly", "filter began to"]);
    await lab.ask("POST", `/acts/${act}/undo`);
    assert.equal((await findings()).length, 3);
  });

  it("is a report on the command line, as pace and appearances are", async (t) => {
    const sh = shell(t);
    await sh("init", "lines.manuscript");
    await sh("book", "add", "Lines");
    await sh.with({ stdin: CHAPTERS[0] ?? "" })("chapter", "add", "One", "-");
    const printed = async (...words: string[]) => (await sh("report", ...words)).stdout;
    assert.equal(
      await printed("language"),
      `filter       2×  95.2  seemed 1, began to 1
intensifier  1×  47.6  very 1
tag_adverb   1×  47.6  softly 1
`,
    );
    assert.equal(
      await printed("language", "--kind", "filter"),
      "One  seemed    See the house seemed to lean.\nOne  began to  It began to rain.\n",
    );
    assert.equal(
      await printed("pace"),
      `All  22 words            18% speech  5.3 a sentence  ARI -2.4
One  22 words  2 scenes  18% speech  5.3 a sentence  ARI -2.4
`,
    );
    await sh("facts", "add", "Tom");
    await sh("facts", "add", "rain");
    await sh("facts", "add", "the house", "--alias", "house");
    await sh.with({ stdin: "In the rain the house fell.\n" })("chapter", "add", "Two", "-");
    assert.equal(
      await printed("appearances"),
      `rain       2×  in 2 chapters, 1 to 2  with the house 1×
the house  2×  in 2 chapters, 1 to 2  with rain 1×
Tom        0×
`,
    );
  });
});

describe("GET /books/{bookId}/pace", () => {
  it("measures chapters, scenes and sentences, and answers zeros for an empty book", async () => {
    const { ids, read } = await book(CHAPTERS);
    const { body } = await read("pace");
    assert.deepEqual(
      body.chapters.map(({ chapterId, scenes }: { chapterId: string; scenes: number[] }) => [
        chapterId,
        scenes,
      ]),
      [
        [ids[0], [18, 4]],
        [ids[1], [5]],
      ],
    );
    assert.deepEqual([body.sentences, body.longest[0].words, body.medianSentence], [5, 7, 5]);
    assert.equal(
      body.lengths.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
      5,
    );
    const empty = (await (await book([])).read("pace")).body;
    assert.deepEqual([empty.wordCount, empty.readability, empty.medianSentence], [0, null, 0]);
  });
});
