import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { weighTokens } from "../../src/text/weigh-tokens.ts";
import { agentOf } from "../../test/mcp/agent.ts";
import { MARKDOWN, OWNER } from "../../test/support/sample.ts";
import { manuscript } from "../../test/support/sandbox.ts";

const LIST_TOKENS = 1800;
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
    const edits = Array.from({ length: 50 }, (_, at) => ({ paragraph: at + 1, text: giant.slice(0, 300) }));
    const said = await ask("propose_edits", {
      chapter: "1",
      revision: 1,
      reason: giant.slice(0, 2000),
      edits,
    });
    const proposed = /prop_\w+/.exec(said)?.[0];
    const calls: [string, Record<string, unknown>][] = [
      ["read_outline", {}],
      ["read_chapter", { chapter: "1", notes: true }],
      ["read_chapter", { chapter: "1", from: 30 }],
      ["read_chapter", { chapter: "2" }],
      ["search", { query: "ferry bell" }],
      ["search", { query: "ferry", chapter: "1" }],
      ["search", { query: "鐘が", chapter: "2" }],
      ["appearances", {}],
      ["read_cast", {}],
      ["read_cast", { name: "Fact 1" }],
      ["list_notes", {}],
      ["history", {}],
      ["list_proposals", {}],
      ["list_proposals", { id: proposed }],
      ["propose_edits", { chapter: "2", revision: 1, edits: [{ find: "鐘が", text: "x" }] }],
      ["read_chapter", { chapter: SENTENCE.repeat(5000) }],
      ["read_cast", { name: giant }],
      ["read_outline", { book: giant }],
    ];
    for (const [name, args] of calls) {
      const { content } = await client.callTool({ name, arguments: args });
      const tokens = encode(JSON.stringify(content)).length;
      assert.ok(tokens <= ANSWER_TOKENS, `${name} ${JSON.stringify(args)}: ${tokens} tokens`);
    }
    assert.match(await ask("read_chapter", { chapter: "1" }), /More: from \d+\./);
    assert.match(await ask("read_chapter", { chapter: "2" }), /characters more: give from 1 and limit 1\)/);
    assert.ok((await ask("read_chapter", { chapter: "2", limit: 1 })).includes(giant));
  });

  it("is no more where all that may stand above the first line weighs most", async (t) => {
    const own = manuscript(t);
    const most = (characters: number) => "㐀".repeat(characters);
    const { id: bookId } = createBook(own, { title: most(500) }, OWNER);
    const chapter = { title: most(500), synopsis: most(2000), markdown: most(40_000) };
    const { id: chapterId } = createChapter(own, bookId, chapter, OWNER);
    for (const text of [most(2000), most(2000)])
      createSnippet(own, bookId, { kind: "note", text, chapterId }, OWNER);
    createFact(own, bookId, { name: most(200), summary: most(2000), attributes: [] }, OWNER);
    const { client, ask } = await agentOf(t, own);
    const edits = [{ paragraph: 1, text: most(20_000) }];
    const said = await ask("propose_edits", { chapter: "1", revision: 1, reason: most(2000), edits });
    const calls: [string, Record<string, unknown>][] = [
      ["list_proposals", { id: /prop_\w+/.exec(said)?.[0] }],
      ["list_proposals", {}],
      ["read_chapter", { chapter: "1", notes: true }],
      ["read_outline", {}],
      ["read_cast", {}],
      ["read_cast", { name: most(200) }],
      ["list_notes", {}],
      ["history", {}],
      ["search", { query: "㐀" }],
    ];
    for (const [name, args] of calls) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const tokens = encode(JSON.stringify(content)).length;
      assert.ok(tokens <= ANSWER_TOKENS, `${name} ${JSON.stringify(args).slice(0, 80)}: ${tokens} tokens`);
      assert.ok(!isError || name === "search", `${name}: ${JSON.stringify(content).slice(0, 300)}`);
    }
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

  it("is weighed so that what looks less stays below the bound, too, in scripts and spellings that few write in", () => {
    for (const text of [
      "Въ началѣ бѣ Слово, и Слово бѣ къ Богу. Мiръ и ѳита.",
      "Въ нача́лѣ бѣ̀ сло́во, и҆ сло́во бѣ̀ къ бг҃ꙋ",
      "Hwæt! Wē Gārdena in geārdagum, þēodcyninga, þrym gefrūnon",
      "ðə ˈkwɪk ˈbɹaʊn ˈfɑks ˈdʒʌmps ˌoʊvɚ ðə ˈleɪzi ˈdɔɡ",
      "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם",
      "ຜູ້ຊາຍຄົນນັ້ນຍ່າງຊ້າໆຢູ່ຖະໜົນ",
      "མི་དེ་སྲང་ལམ་དུ་དལ་བུར་འགྲོ་བཞིན་ཡོད།",
      "帝高陽之苗裔兮，朕皇考曰伯庸。攝提貞于孟陬兮，惟庚寅吾以降。",
      "㐀㐁㐂㐃㐄 𠮷野家 ﾊﾝｶｸ 𒀭𒂗𒆤 𝐁𝐨𝐥𝐝",
      "Příliš žluťoučký kůň úpěl ďábelské ódy.".normalize("NFD"),
      "a1b2c3d4e5f6 QZXJKVWPQZXJ",
    ])
      assert.ok((ANSWER_TOKENS / 5000) * weighTokens(text) >= encode(text).length, text);
  });
});
