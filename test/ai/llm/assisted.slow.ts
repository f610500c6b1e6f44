import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { type Assistant, createAssistant } from "../../../src/ai/assistant.ts";
import { estimateTokens } from "../../../src/ai/llm/tokens.ts";
import type { ReadingBook, ReadingChapter } from "../../../src/reading/reading.ts";
import { seeded } from "../../support/sandbox.ts";
import { EMBEDDED, embedded } from "./answers.ts";
import { type Behave, complete, type FakeModel, fakeModel, json, type Request, refOf } from "./fake-model.ts";

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

/** Findings, and the verdict on each pair. */
function found(request: Request, findings: readonly object[], verdict = "contradiction"): string {
  return JSON.stringify(
    request.asked === "judge" ? { verdicts: [{ reason: "So it is.", verdict }] } : { findings },
  );
}

/** The ferry of the first paragraph of a request, as a new fact. */
function name(request: Request): string {
  const [paragraph] = numbersOf(request);
  const item = {
    type: "new_fact",
    fact: "",
    kind: "thing",
    name: "ferry",
    paragraph,
    quote: "down to the ferry",
  };
  return JSON.stringify({ items: [item] });
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

  it("a passage that fails costs itself alone, and only that one is asked about again", async (t) => {
    let isSick = true;
    const { fake, model } = await assistant(t, (request) =>
      isSick && numbersOf(request).includes(30) ? "I cannot." : name(request),
    );
    const first = await model.detect(embedded, asked(70));
    const { of = 0, ...missed } = first.missed ?? {};
    assert.deepEqual([missed, first.engine], [{ passages: 1, reason: "invalid_answer" }, "llm/fake"]);
    assert.deepEqual(first.answer.map((proposal) => proposal.name).slice(0, 2), ["Night", "ferry"]);
    assert.equal(first.answer[1]?.occurrences.length, of - 1);
    isSick = false;
    fake.requests.length = 0;
    const second = await model.detect(embedded, asked(70));
    assert.equal(second.missed, undefined);
    assert.equal(second.answer[1]?.occurrences.length, of);
    assert.equal(fake.requests.length, 1);
  });

  it("a synopsis tells the parts that it has, and nothing where most are missing", async (t) => {
    const behave = (sick: (numbers: number[]) => boolean) => (request: Request) =>
      sick(numbersOf(request)) ? "I cannot." : tell(request);
    const one = await assistant(
      t,
      behave((numbers) => numbers.includes(30)),
    );
    const { answer, missed } = await one.model.synopsis(embedded, asked(70));
    assert.deepEqual([answer, missed?.passages], ["It is told: It is told: Night 1.", 1]);
    const most = await assistant(
      t,
      behave((numbers) => !numbers.includes(1)),
    );
    assert.equal((await most.model.synopsis(embedded, asked(70))).fallback, "invalid_answer");
    const last = await assistant(
      t,
      behave((numbers) => numbers.length < 10),
    );
    const parts = await last.model.synopsis(embedded, asked(70));
    assert.match(parts.answer, /^It is told: Night 1\. .*It is told: Night \d\d/);
    assert.equal(parts.missed?.passages, 1);
  });

  it("sends smaller passages to a server that reads less, and gives up where that is no help", async (t) => {
    const cutAbove =
      (limit: number): Behave =>
      (request) =>
      (response) =>
        complete(response, tell(request), {}, { prompt_tokens: Math.min(limit, request.user.length / 4) });
    const small = await assistant(t, cutAbove(1100));
    assert.equal((await small.model.synopsis(embedded, asked(40))).fallback, undefined);
    const smaller = await assistant(t, cutAbove(50));
    const { answer, fallback } = await smaller.model.synopsis(embedded, asked(40));
    assert.deepEqual([answer, fallback], [EMBEDDED, "short_context"]);

    const refusing = await assistant(t, (request) => {
      const n_prompt_tokens = Math.ceil((request.user.length + request.system.length) / 4);
      const error = {
        code: 400,
        type: "exceed_context_size_error",
        message: "too long",
        n_prompt_tokens,
        n_ctx: 1400,
      };
      return n_prompt_tokens > 1400 ? json(400, { error }) : name(request);
    });
    const all = await refusing.model.detect(embedded, asked(40));
    assert.deepEqual([all.fallback, all.missed], [undefined, undefined]);
    const read = refusing.fake.requests.filter(({ user }) => user.length / 4 < 1400).flatMap(numbersOf);
    assert.deepEqual(
      [...new Set(read)].sort((a, b) => a - b),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  it("fits what it sends and the answer into 4,096 tokens, whatever the language and however large the cast", async (t) => {
    const languages = [
      SENTENCE,
      "Kiedy następnego ranka otworzyła okiennice, port leżał jeszcze we mgle, a mewy siedziały w milczeniu.",
      "第二天早晨她推开百叶窗的时候，港口还笼罩在雾里，海鸥静静地站在木桩上。",
    ];
    const cast = Array.from({ length: 300 }, (_, index) => `Somebody ${index} of the Long Name`);
    const { fake, model } = await assistant(t, () => "I cannot.");
    for (const text of languages) {
      const blocks = Array.from({ length: 90 }, (_, index) => ({
        blockId: `b_${index}`,
        text: `${text} ${text}`,
      }));
      const request = { ...asked(1, ...cast), chapter: { ...chapter(1), blocks } };
      for (const call of [model.synopsis, model.detect, model.check]) await call(embedded, request);
    }
    assert.ok(fake.requests.length > 9);
    for (const { body, asked: operation } of fake.requests) {
      const contents = (body.messages as { content: string }[]).map(
        ({ content }) => estimateTokens(content) + 8,
      );
      const tokens = contents.reduce((sum, count) => sum + count, Number(body.max_tokens));
      assert.ok(tokens <= 4096, `${operation} ${tokens}`);
    }
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

  it("proposes a name on one line where it stands on two", async (t) => {
    const item = { type: "new_fact", fact: "", kind: "thing", reason: "", name: "Old Bell", paragraph: 1 };
    const items = [{ ...item, quote: "the Old Bell rang" }];
    const { model } = await assistant(t, () => JSON.stringify({ items }));
    const blocks = [{ blockId: "b_1", text: "Then the Old\nBell rang." }];
    const { answer } = await model.detect(
      { ...embedded, detect: async () => [] },
      { ...asked(1), chapter: { ...chapter(1), blocks } },
    );
    assert.deepEqual(
      answer.map(({ name, occurrences }) => [name, occurrences.map(({ text }) => text)]),
      [["Old Bell", ["Old\nBell"]]],
    );
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
      message: "It cannot be.",
      paragraph: 1,
      quote: "the lamp burned on",
      otherParagraph: 2,
      otherQuote: "nobody came down to",
    };
    const findings = [
      one,
      { ...one, otherParagraph: 1, otherQuote: "lamp burned on, and" },
      { ...one, otherQuote: "" },
      { ...one, otherQuote: "somebody came down" },
      { ...one, message: " \n" },
      { ...one, otherParagraph: 9, otherQuote: "" },
      { ...one, paragraph: 3, quote: "", otherParagraph: 2, otherQuote: "the lamp burned on" },
    ];
    const { fake, model } = await assistant(t, (request) => found(request, findings));
    const { answer } = await model.check(embedded, asked(2, "Lamp"));
    assert.match(fake.requests[0]?.user ?? "", /^\[3\] Lamp \(character\)$/m);
    assert.deepEqual(
      answer.map(({ evidence, factId, severity }) => [evidence.length, factId, severity]),
      [
        [2, null, "warn"],
        [1, "fa_Lamp", "warn"],
      ],
    );
  });

  it("shows the check what the book has said before of those who are named, and points at both places", async (t) => {
    const texts = {
      ch_a: ["Nobody spoke.", "Mara sat down. Her eyes were green as the sea.", "Tobit owned a horse."],
      ch_b: [
        "It rained.",
        "Tobit laughed. Mara was born in the north.",
        "Mara turned, and her brown eyes were wet.",
      ],
      ch_c: ["Mara's eyes were grey, years later."],
    };
    const chapters = Object.entries(texts).map(([chapterId, lines]) => {
      const blocks = lines.map((text, index) => ({ blockId: `${chapterId}_${index + 1}`, text }));
      const read: ReadingChapter = { chapterId, revision: 1, title: chapterId, blocks };
      return { ...read, read: () => read };
    });
    const { fake, model } = await assistant(t, (request) => {
      const otherParagraph = Number(/^\[(\d+)\] \(Mara\) Her eyes/m.exec(request.user)?.[1]);
      const finding = {
        message: "Green before, brown here.",
        otherQuote: "Her eyes were green",
        otherParagraph,
      };
      return found(request, [{ ...finding, paragraph: 3, quote: "her brown eyes were" }]);
    });
    const cast = book("Mara", "Tobit", "Zoe").cast;
    const second = chapters[1];
    assert.ok(second !== undefined);
    const request = { chapter: second.read(), book: { bookId: "bk_1", cast, chapters }, timeoutMs: 50_000 };
    const { answer } = await model.check(embedded, request);
    const { user = "" } = fake.requests[0] ?? {};
    assert.match(user, /^\[\d+\] \(Mara\) Her eyes were green as the sea\.$/m);
    assert.match(user, /^\[\d+\] \(Tobit\) Tobit owned a horse\.$/m);
    assert.ok(!user.includes("grey") && !user.includes("Nobody"), user);
    assert.deepEqual(
      answer.map(({ factId, evidence }) => [
        factId,
        ...evidence.map(({ blockId, from, text }) => [blockId, from, text]),
      ]),
      [["fa_Mara", ["ch_b_3", 17, "her brown eyes were"], ["ch_a_2", 15, "Her eyes were green"]]],
    );
    assert.deepEqual(
      answer[0]?.evidence.map(({ chapterId }) => chapterId),
      ["ch_b", "ch_a"],
    );
    const { user: judged = "", asked: what } = fake.requests[1] ?? {};
    assert.equal(what, "judge");
    assert.match(judged, /^\[\d+\] in ch_a: Her eyes were green$/m);
    assert.match(judged, /^\[3\] in ch_b: her brown eyes were$/m);
    assert.deepEqual(judged.match(/^\[\d+\] Mara.+$/gm), ["[3] Mara turned, and her brown eyes were wet."]);
  });

  it("has each pair judged by itself, and keeps what is judged a contradiction alone", async (t) => {
    const [quote, otherQuote] = ["the lamp burned on", "nobody came down to"];
    const finding = { message: "It cannot be.", paragraph: 1, quote, otherParagraph: 2, otherQuote };
    for (const verdict of ["contradiction", "compatible", "change", "another_person", "figure_of_speech"]) {
      const { fake, model } = await assistant(t, (request) => found(request, [finding], verdict));
      const { answer, fallback } = await model.check(embedded, asked(2, "Lamp"));
      assert.deepEqual([answer.length, fallback], [verdict === "contradiction" ? 1 : 0, undefined], verdict);
      assert.deepEqual(
        fake.requests.map((request) => request.asked),
        ["check", "judge"],
      );
    }
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
