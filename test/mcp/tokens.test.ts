import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { weighTokens } from "../../src/text/weigh-tokens.ts";
import { MARKDOWN, OWNER } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";
import { agentOf } from "./agent.ts";

const LIST_TOKENS = 1500;
const ANSWER_TOKENS = 6000;
const SENTENCE = "Mara came down to the ferry before light, and the bell was already ringing. ";

describe("what an agent has to read", () => {
  for (const allowed of ["propose", "write"] as const)
    it(`is at most ${LIST_TOKENS} tokens for all tools of one that may ${allowed}, of several books too`, async (t) => {
      const own = manuscript(t);
      createBook(own, { title: "One" }, OWNER);
      createBook(own, { title: "Two" }, OWNER);
      const { client } = await agentOf(t, own, { allowed });
      const { tools } = await client.listTools();
      const tokens = encode(JSON.stringify({ tools })).length;
      assert.ok(tokens <= LIST_TOKENS, `${tokens} tokens`);
      assert.deepEqual(
        tools.filter(({ annotations, outputSchema }) => annotations?.title === undefined || outputSchema),
        [],
      );
    });

  it(`is at most ${ANSWER_TOKENS} tokens in one answer, unless more was asked for`, async (t) => {
    const own = manuscript(t);
    const { id: bookId } = createBook(own, { title: "Long" }, OWNER);
    const markdown = `${SENTENCE.repeat(20).trim()}\n\n`.repeat(60);
    const { id: chapterId } = createChapter(own, bookId, { title: "Longest", markdown }, OWNER);
    const giant = "夜の港で鐘が鳴っていた。".repeat(2000);
    createChapter(own, bookId, { title: "One paragraph", markdown: giant }, OWNER);
    for (let at = 0; at < 12; at++) {
      const text = SENTENCE.repeat(30);
      createSnippet(own, bookId, { kind: "note", text, chapterId }, OWNER);
      createFact(
        own,
        bookId,
        { name: `Fact ${at}`, summary: text, attributes: [{ key: "k", value: SENTENCE }] },
        OWNER,
      );
    }
    const { client, ask } = await agentOf(t, own);
    const calls: [string, Record<string, unknown>][] = [
      ["read_outline", {}],
      ["read_chapter", { chapter: "1", notes: true }],
      ["read_chapter", { chapter: "1", from: 30 }],
      ["read_chapter", { chapter: "2" }],
      ["search", { query: "ferry bell" }],
      ["read_cast", {}],
      ["read_cast", { name: "Fact 1" }],
      ["list_notes", {}],
      ["history", {}],
      ["list_proposals", {}],
      ["propose_edits", { chapter: "2", revision: 1, edits: [{ find: "鐘が", text: "x" }] }],
    ];
    for (const [name, args] of calls) {
      const { content } = await client.callTool({ name, arguments: args });
      const tokens = encode(JSON.stringify(content)).length;
      assert.ok(tokens <= ANSWER_TOKENS, `${name} ${JSON.stringify(args)}: ${tokens} tokens`);
    }
    assert.match(await ask("read_chapter", { chapter: "1" }), /More: from \d+\./);
    assert.match(await ask("read_chapter", { chapter: "2" }), /characters more: give limit 1\)/);
    assert.ok((await ask("read_chapter", { chapter: "2", limit: 1 })).includes(giant));
  });

  it("is weighed as no less than it is", () => {
    for (const text of [
      MARKDOWN,
      SENTENCE,
      "ch_80s9mbqy50xkvtcw act_rs27nkj3y5vvv8qh",
      "夜の港で鐘が鳴っていた。",
      "Он вошёл, и увидел письмо.",
      "🦊👩‍👩‍👧‍👦",
    ])
      assert.ok(weighTokens(text) >= 0.95 * encode(text).length, text);
  });
});
