import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { STYLE_LIMITS } from "../../src/contract/limits.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { shell } from "../cli/shell.ts";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);

const BREATH = "She let out a *long* breath.";
const CHAPTERS = [
  `# One\n\n${BREATH}\n\nThe grey sky. “Come,” he said.\n\n* * *\n\nSee ![it](f.png) ${BREATH}\n`,
  `${BREATH} A gray sea.\n`,
];

async function book(chapters: readonly string[]) {
  const { id } = (await lab.ask("POST", "/books", { body: { title: "Style" } })).body;
  const ids: string[] = [];
  for (const [at, markdown] of chapters.entries())
    ids.push(
      (await lab.ask("POST", `/books/${id}/chapters`, { body: { title: `C${at}`, markdown } })).body.id,
    );
  return { id, ids, read: (query = "") => lab.ask("GET", `/books/${id}/style${query}`) };
}

describe("GET /books/{bookId}/style", () => {
  it("answers what comes back with where it stands in its paragraph", async () => {
    const { ids, read } = await book(CHAPTERS);
    const { body } = await read();
    const [phrase] = body.phrases;
    assert.deepEqual([phrase.text, phrase.count, phrase.places.length], ["she let out a long breath", 3, 3]);
    for (const { chapterId, blockId, from, to } of phrase.places) {
      const { doc } = (await lab.ask("GET", `/chapters/${chapterId}?format=doc`)).body;
      const block = doc.content.find(
        (node: { attrs: { blockId: string } }) => node.attrs.blockId === blockId,
      );
      const own = block.content.map((node: { text?: string }) => node.text ?? "").join("");
      assert.equal(own.slice(from, to), "She let out a long breath");
    }
    assert.deepEqual(
      body.variants.map(({ forms }: { forms: { text: string }[] }) => forms.map(({ text }) => text)),
      [["gray", "grey"]],
    );
    assert.deepEqual(
      body.chapters.map(({ scenes }: { scenes: number[] }) => scenes),
      [[13, 7], [9]],
    );
    const one = (await read(`?chapterId=${ids[1]}`)).body;
    assert.deepEqual([one.chapters.length, one.phrases, one.variants, one.sentences.total], [1, [], [], 2]);
  });

  it("follows an edit, and answers 404 for a chapter of another book, and for an empty book zeros", async () => {
    const { id, ids, read } = await book(CHAPTERS);
    await read();
    const body = "The grey sea.\n";
    await lab.ask("PUT", `/chapters/${ids[1]}/prose`, { body, headers: { "Content-Type": "text/markdown" } });
    assert.deepEqual((await read()).body.variants, []);
    const other = await book(["Nothing."]);
    assert.equal((await lab.ask("GET", `/books/${id}/style?chapterId=${other.ids[0]}`)).status, 404);
    const empty = (await (await book([])).read()).body;
    assert.deepEqual([empty.wordCount, empty.sentences.median, empty.phrases], [0, 0, []]);
  });

  it("is as bounded as its row says", async () => {
    const letters = "abcdefghij".split("");
    const words = letters.flatMap((a) => letters.map((b) => `${a}${b}lorn`));
    const text = words.map((word) => `The ${word} of ${word} fell here. `.repeat(5)).join("\n\n");
    const { body } = await (await book([text])).read();
    assert.equal(body.phrases.length, STYLE_LIMITS.phrases);
    assert.ok(body.leftOut.phrases > 0);
    assert.ok(body.echoes.length <= STYLE_LIMITS.echoes);
  });
});

describe("manuscript echoes", () => {
  it("shows it in 80 columns, and with --json the endpoint's answer", async (t) => {
    const sh = shell(t);
    await sh("init", "style.manuscript");
    await sh("book", "add", "Style");
    for (const markdown of CHAPTERS) await sh.with({ stdin: markdown })("chapter", "add", "One", "-");
    const { stdout, exit } = await sh("echoes");
    assert.equal(exit, EXIT.done, stdout);
    assert.match(stdout, /^Style {2}\d+ words, \d+% in quotation marks\n/);
    assert.match(stdout, /\nPhrases\n {2}3× {2}she let out a long breath {2}One\n/);
    assert.match(stdout, /\n {2}gray 1×, grey 1×\n/);
    assert.ok(stdout.split("\n").every((line) => line.length <= 80));
    const { chapters } = (await sh("echoes", "--chapter", "2", "--json")).json<{ chapters: unknown[] }>();
    assert.equal(chapters.length, 1);
  });
});
