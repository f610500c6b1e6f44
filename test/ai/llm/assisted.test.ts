import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { type Assistant, createAssistant } from "../../../src/ai/llm/assisted.ts";
import type { ReadingBook, ReadingChapter } from "../../../src/reading/reading.ts";
import { seeded } from "../../support/sandbox.ts";
import { EMBEDDED, embedded } from "./answers.ts";
import {
  type Behave,
  complete,
  type FakeModel,
  fakeModel,
  type Request,
  refOf,
  status,
} from "./fake-model.ts";

const SENTENCE = "The tide went out and the lamp burned on, and nobody came down to the ferry that night.";

/** A chapter of so many paragraphs, each about 100 tokens and with a number of its own. */
function chapter(paragraphs: number): ReadingChapter {
  const blocks = Array.from({ length: paragraphs }, (_, index) => ({
    blockId: `b_${index + 1}`,
    text: `Night ${index + 1}. ${SENTENCE} ${SENTENCE} ${SENTENCE} ${SENTENCE}`,
  }));
  return { chapterId: "ch_1", revision: 1, title: "Nights", blocks };
}

const fact = { kind: "character", aliases: [], attributes: [], summary: "" };
const book = (...names: string[]): ReadingBook => ({
  bookId: "bk_1",
  chapters: [],
  cast: names.map((name) => ({ ...fact, id: `fa_${name}`, name })),
});

async function assistant(
  t: TestContext,
  behave: Behave,
  key?: string,
): Promise<{ fake: FakeModel; model: Assistant }> {
  const fake = await fakeModel(t, behave);
  return { fake, model: createAssistant({ base: fake.url, model: "fake", key, fetch }, seeded()) };
}

/** The numbers of the paragraphs that a request holds. */
const numbersOf = ({ user }: Request) =>
  [...user.matchAll(/^\[(\d+)\] /gm)].map(([, number]) => Number(number));

/** A sentence for the first paragraph of a request, with a quote of it. */
function tell(request: Request): string {
  const [line = ""] = request.user.split("\n").filter((candidate) => candidate.startsWith("["));
  const [, number, text = ""] = /^\[(\d+)\] (.*)$/.exec(line) ?? [];
  const quote = text.split(" ").slice(0, 5).join(" ");
  return JSON.stringify({ sentences: [{ text: `It is told: ${quote}`, paragraph: Number(number), quote }] });
}

const asked = (paragraphs: number, ...cast: string[]) => ({
  chapter: chapter(paragraphs),
  book: book(...cast),
  timeoutMs: 50_000,
});

describe("the language model beside the embedded engine", () => {
  it("reads a long chapter in whole paragraphs, each once, and tells the telling of the parts", async (t) => {
    const { fake, model } = await assistant(t, tell);
    const { answer, engine } = await model.synopsis(embedded, asked(70));
    const parts = fake.requests.slice(0, -1);
    assert.ok(parts.length >= 3);
    const all = Array.from({ length: 70 }, (_, index) => index + 1);
    assert.deepEqual(parts.flatMap(numbersOf), all);
    assert.deepEqual(
      numbersOf(fake.requests.at(-1)!),
      parts.map((_, index) => index + 1),
    ); // there are some
    assert.equal(answer, "It is told: It is told: Night 1.");
    assert.equal(engine, "llm/fake");
  });

  it("asks again only for what it was not told: a second try after a failure, an unchanged passage", async (t) => {
    let isDown = true;
    const { fake, model } = await assistant(t, (request, count) =>
      isDown && count > 2 ? status(503) : tell(request),
    );
    assert.equal((await model.synopsis(embedded, asked(70))).fallback, "http_503");
    const before = fake.requests.length;
    isDown = false;
    assert.equal((await model.synopsis(embedded, asked(70))).fallback, undefined);
    const again = fake.requests.slice(before);
    assert.ok(!again.flatMap(numbersOf).includes(30), "the second passage was told before");
    assert.equal((await model.synopsis(embedded, asked(70))).answer, "It is told: It is told: Night 1.");
    assert.equal(fake.requests.length, before + again.length);
  });

  it("sends passages of half the size to a server that cut one off, and gives up where that is no help", async (t) => {
    const cutAbove =
      (limit: number): Behave =>
      (request) =>
      (response) =>
        complete(response, tell(request), {}, { prompt_tokens: Math.min(limit, request.user.length / 4) });
    const small = await assistant(t, cutAbove(1100));
    assert.equal((await small.model.synopsis(embedded, asked(40))).fallback, undefined);
    const smaller = await assistant(t, cutAbove(300));
    const { answer, fallback } = await smaller.model.synopsis(embedded, asked(40));
    assert.deepEqual([answer, fallback], [EMBEDDED, "short_context"]);
  });

  it("tells the model of facts by refs, those that are named first, and as many as fit", async (t) => {
    const { fake, model } = await assistant(t, () => '{"items": []}');
    const others = Array.from({ length: 400 }, (_, index) => `Other${index}`);
    await model.detect(embedded, asked(2, ...others, "Night"));
    const [request] = fake.requests;
    assert.ok(request !== undefined);
    assert.equal(refOf(request, "Night"), "f1");
    const facts = request.user.match(/^f\d+: /gm) ?? [];
    assert.ok(facts.length > 20 && facts.length < 200, String(facts.length));
    assert.ok(!JSON.stringify(request).includes("fa_"), "ids stay here");
  });

  it("says of a name where it stands, joins what is said twice, and drops what is known", async (t) => {
    const item = { type: "new_fact", fact: "", kind: "thing", reason: "", name: "ferry" };
    const items = [
      { ...item, paragraph: 1, quote: "down to the ferry" },
      { ...item, paragraph: 1, quote: "to the ferry that" },
      { ...item, paragraph: 2, quote: "came down to the ferry" },
      { ...item, paragraph: 2, name: "lamp", quote: "the lamp burned" },
      { ...item, paragraph: 2, name: "Tide", quote: "The tide went" },
      { ...item, type: "mention", paragraph: 2, name: "tide", quote: "The tide went", fact: "f1" },
      { ...item, type: "new_alias", paragraph: 2, name: "tide", quote: "The tide went", fact: "" },
    ];
    const { model } = await assistant(t, () => JSON.stringify({ items }));
    const { answer } = await model.detect({ ...embedded, detect: async () => [] }, asked(2, "Lamp"));
    const seen = answer.map(({ type, name, factId, occurrences }) => [
      type,
      name,
      factId,
      occurrences.length,
    ]);
    assert.deepEqual(seen, [
      ["new_fact", "ferry", null, 2],
      ["mention", "Lamp", "fa_Lamp", 1],
    ]);
    assert.deepEqual(
      answer[0]?.occurrences.map(({ blockId, from }) => [blockId, from]),
      [1, 2].map((number) => [`b_${number}`, chapter(2).blocks[0]?.text.indexOf("ferry")]),
    );
  });

  it("wants both sides of a finding: two quotes that stand apart, or one and a fact", async (t) => {
    const one = {
      type: "contradiction",
      severity: "error",
      message: "It cannot be.",
      fact: "",
      paragraph: 1,
      quote: "the lamp burned on",
      otherParagraph: 2,
      otherQuote: "nobody came down to",
      suggestion: "",
    };
    const findings = [
      one,
      { ...one, otherParagraph: 1, otherQuote: "lamp burned on, and" },
      { ...one, otherQuote: "" },
      { ...one, otherQuote: "somebody came down" },
      { ...one, message: " \n" },
      { ...one, fact: "f7", otherQuote: "" },
      { ...one, fact: "f1", otherParagraph: 0, otherQuote: "", suggestion: "The lamp\u0000 went\nout." },
    ];
    const { model } = await assistant(t, () => JSON.stringify({ findings }));
    const { answer } = await model.check(embedded, asked(2, "Lamp"));
    assert.deepEqual(
      answer.map(({ evidence, factId, severity, suggestion }) => [
        evidence.length,
        factId,
        severity,
        suggestion,
      ]),
      [
        [2, null, "warn", null],
        [1, "fa_Lamp", "warn", "The lamp went out."],
      ],
    );
  });

  it("leaves to the embedded engine what that one speaks of", async (t) => {
    const item = {
      type: "new_fact",
      fact: "",
      kind: "",
      reason: "",
      name: "Night",
      paragraph: 1,
      quote: "Night 1.",
    };
    const { model } = await assistant(t, () => JSON.stringify({ items: [item] }));
    const { answer, engine } = await model.detect(embedded, asked(1));
    assert.deepEqual([answer.map(({ id }) => id), engine], [["own"], "llm/fake"]);
  });

  it("sends the key as a bearer token, and none where there is none", async (t) => {
    const withKey = await assistant(t, tell, "secret");
    await withKey.model.synopsis(embedded, asked(1));
    assert.equal(withKey.fake.requests[0]?.headers.authorization, "Bearer secret");
    const without = await assistant(t, tell);
    await without.model.synopsis(embedded, asked(1));
    assert.equal(without.fake.requests[0]?.headers.authorization, undefined);
  });
});
