import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { DocNode } from "../../src/prose/document/types.ts";
import { doc, mention, p } from "../build.ts";
import { type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { assertSound } from "../support/sound.ts";

const FERRY = "Mara came down to the ferry before light, and the bell was already ringing.";

describe("mentions of a native document", () => {
  it("a mark that the document no longer has is dropped as unmarked", async (t) => {
    const lab = await serve(t);
    const { blockId, factId } = lab.sample;
    const put = await putDoc(lab, p(`#${blockId}`, FERRY));
    const { id: _, ...dropped } = dropOf(put, "Mara");
    assert.deepEqual(dropped, {
      factId,
      name: "Mara",
      blockId,
      from: 0,
      to: 4,
      text: "Mara",
      reason: "unmarked",
    });
    assert.equal(dropOf(put, "Tobit").reason, "removed");
  });

  it("a mark on edited text is dropped as edited, and the one sent with it is warned of", async (t) => {
    const lab = await serve(t);
    const { blockId, factId } = lab.sample;
    const [stored] = await mentionsOf(lab, factId);
    const put = await putDoc(lab, p(`#${blockId}`, mention(factId, "Mara", stored?.id), " came up."));
    assert.equal(dropOf(put, "Mara").reason, "edited");
    assert.deepEqual(put.warnings, [`marks_on_edited_text: ${blockId}`]);
    assert.equal((await mentionsOf(lab, factId)).length, 1, "the other chapter's");
  });

  it("a mark whose fact nobody knows, or of another book, is dropped as unknown_fact", async (t) => {
    const lab = await serve(t);
    const { blockId, factId } = lab.sample;
    const foreign = await factOfAnotherBook(lab);
    const [stored] = await mentionsOf(lab, factId);
    const put = await putDoc(
      lab,
      p(`#${blockId}`, mention("fa_none", "Mara", stored?.id), FERRY.slice(4)),
      p(mention(foreign, "Bell"), " rang."),
    );
    assert.equal(dropOf(put, "Mara").reason, "unknown_fact");
    assert.deepEqual(put.warnings, [
      `unknown_fact: fa_none in ${blockId}`,
      `unknown_fact: ${foreign} in ${put.blocks[1].blockId}`,
    ]);
    assert.deepEqual(await mentionsOf(lab, foreign), []);
  });

  it("is shown in its sentence, of a long one in whole words", async (t) => {
    const lab = await serve(t);
    const { factId } = lab.sample;
    const mara = mention(factId, "Mara");
    await putDoc(
      lab,
      p("Dr. Quill slept. At dawn ", mara, " rose; nobody saw it. It rained."),
      p(`${"along the quay ".repeat(20)}went `, mara, "."),
    );
    const [short, long] = await mentionsOf(lab, factId);
    assert.deepEqual([short?.before, short?.after], ["At dawn ", " rose; nobody saw it."]);
    assert.match(long?.before ?? "", /^ ?(?:along|the|quay) .* went $/);
    assert.ok((long?.before ?? "").length <= 200);
    assert.equal(long?.after, ".");
  });

  it("a new mark is accepted on unchanged and on new text, with an unknown mentionId and with none", async (t) => {
    const lab = await serve(t);
    const { blockId, factId, otherFactId } = lab.sample;
    const [stored] = await mentionsOf(lab, factId);
    const put = await putDoc(
      lab,
      p(
        `#${blockId}`,
        mention(factId, "Mara", stored?.id),
        " came down to the ",
        mention(otherFactId, "ferry", "me_mine"),
        " before light, and the bell was already ringing.",
      ),
      p("Then ", mention(otherFactId, "Tobit"), " woke."),
    );
    assert.deepEqual(put.warnings, []);
    assert.equal((await mentionsOf(lab, factId))[0]?.id, stored?.id, "the old mark keeps its mention");
    const added = (await mentionsOf(lab, otherFactId)).slice(0, 2);
    assert.deepEqual(
      added.map(({ text, from, to, blockId: at }) => [at, from, to, text]),
      [
        [blockId, 22, 27, "ferry"],
        [put.blocks[1].blockId, 5, 10, "Tobit"],
      ],
    );
    for (const { id } of added) assert.match(id, /^me_(?!mine)/);
  });

  it("a mark of a fact that was merged away, even twice, stays and names its keeper", async (t) => {
    const lab = await serve(t);
    const { factId, otherFactId, bookId } = lab.sample;
    const before = await documentOf(lab);
    const { id } = (await lab.ask("POST", `/books/${bookId}/facts`, { body: { name: "The Ferryman" } })).body;
    await merge(lab, otherFactId, factId);
    await merge(lab, id, otherFactId);
    const put = await lab.ask("PUT", `/chapters/${lab.sample.chapterId}/prose`, { body: { doc: before } });
    assert.deepEqual([put.body.mentionsDropped, put.body.warnings, put.body.changed], [[], [], false]);
    assert.deepEqual(
      (await mentionsOf(lab, id)).slice(0, 2).map(({ text }) => text),
      ["Mara", "old Tobit"],
    );
  });
});

describe("facts", () => {
  it("a name is trimmed, and a second one of the same name is warned of", async (t) => {
    const lab = await serve(t);
    const made = await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: { name: "  Mara " } });
    assert.deepEqual([made.status, made.body.fact.name, made.body.warnings], [201, "Mara", ["same_name"]]);
    assert.equal(made.headers.get("location"), `/api/v1/facts/${made.body.id}`);
    const other = await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: { name: "mara II" } });
    assert.deepEqual(other.body.warnings, []);
  });

  it("PATCH of attributes is 400 and says that they are for create only", async (t) => {
    const lab = await serve(t);
    const { status, body } = await lab.ask("PATCH", `/facts/${lab.sample.factId}`, {
      body: { attributes: [{ key: "eyes", value: "green" }] },
    });
    assert.equal(status, 400);
    assert.match(body.message, /on create only/);
    assert.equal(body.details[0].path, "/attributes");
  });

  it("setAttributes sets single attributes, and null takes one out; undo brings them back", async (t) => {
    const lab = await serve(t);
    const path = `/facts/${lab.sample.factId}`;
    const set = async (...setAttributes: { key: string; value: string | null }[]) =>
      (await lab.ask("PATCH", path, { body: { setAttributes } })).body;
    const before = [{ key: "eyes", value: "grey" }];
    const { fact, act } = await set({ key: " eyes ", value: "green" }, { key: "hair", value: "" });
    assert.deepEqual(fact.attributes, [
      { key: "eyes", value: "green" },
      { key: "hair", value: "" },
    ]);
    assert.equal(fact.summary, "She keeps the lamp.", "nothing else changes");
    await lab.ask("POST", `/acts/${act}/undo`);
    assert.deepEqual((await lab.ask("GET", path)).body.fact.attributes, before);
    assert.deepEqual(
      (await set({ key: "eyes", value: null }, { key: "none", value: null })).fact.attributes,
      [],
    );
    const own = { name: "Two", attributes: [...before, { key: "eyes", value: "green" }] };
    const { id } = (await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: own })).body;
    const hair = { key: "hair", value: "red" };
    const other = await lab.ask("PATCH", `/facts/${id}`, { body: { setAttributes: [hair] } });
    assert.deepEqual(other.body.fact.attributes, [...own.attributes, hair], "a key that came twice stays");
    const many = Array.from({ length: 150 }, (_, index) => ({ key: `a${index}`, value: "" }));
    await set(...many);
    const more = await set(...many.map(({ key, value }) => ({ key: `b${key}`, value })));
    assert.deepEqual([more.error, /at most 200, got 300/.test(more.message)], ["bad_request", true]);
  });

  it("a merge makes names aliases, fills blanks, lets the keeper's values win and moves mentions", async (t) => {
    const lab = await serve(t);
    const { bookId, factId } = lab.sample;
    const attributes = [
      { key: "eyes", value: "brown" },
      { key: "hair", value: "red" },
    ];
    const summary = "Nobody’s daughter.";
    const girl = { name: "The Girl", kind: "place", aliases: ["Mara", "Mrs. Vane"], attributes, summary };
    const { id } = (await lab.ask("POST", `/books/${bookId}/facts`, { body: girl })).body;
    const { body } = await merge(lab, factId, id);
    assert.deepEqual(body.aliasesAdded, ["The Girl", "Mrs. Vane"]);
    assert.deepEqual(body.attributesAdded, [{ key: "hair", value: "red" }]);
    assert.deepEqual([body.mentionsMoved, body.fact.kind], [0, "character"]);
    assert.equal(body.fact.summary, "She keeps the lamp.");
    const { kind: note, chapterId, text } = body.snippet;
    assert.deepEqual([note, chapterId], ["note", null]);
    assert.equal(text, "From “The Girl”:\n\nkind: place\n\neyes: brown\n\nNobody’s daughter.");
    assert.deepEqual(body.fact.attributes, [
      { key: "eyes", value: "grey" },
      { key: "hair", value: "red" },
    ]);
    assert.equal((await lab.ask("GET", `/facts/${id}`)).status, 404);
    await lab.ask("POST", `/acts/${body.act}/undo`);
    assert.equal((await lab.ask("GET", `/snippets/${body.snippet.id}`)).status, 404);
    const alike = { name: "M.", kind: "character", attributes: [{ key: "eyes", value: "grey" }] };
    const again = (await lab.ask("POST", `/books/${bookId}/facts`, { body: alike })).body;
    assert.equal((await merge(lab, factId, again.id)).body.snippet, null);
    assert.equal((await merge(lab, lab.sample.otherFactId, factId)).body.mentionsMoved, 2);
  });

  it("a merge or an accepted alias that would pass 200 aliases or attributes is 400", async (t) => {
    const lab = await serve(t);
    const { bookId, factId, chapterId } = lab.sample;
    const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
    const add = async (more: object) =>
      (await lab.ask("POST", `/books/${bookId}/facts`, { body: { name: "Much", ...more } })).body.id;
    const attributes = many(200).map((key) => ({ key, value: "" }));
    for (const [more, key] of [
      [{ aliases: many(200) }, "aliases"],
      [{ attributes }, "attributes"],
    ] as const) {
      const id = await add(more);
      const before = dump(lab.manuscript.store);
      const { status, body } = await merge(lab, factId, id);
      assert.equal(status, 400);
      assert.match(body.message, new RegExp(`“Mara”: ${key} must be at most 200, got 201`));
      assert.deepEqual(dump(lab.manuscript.store), before);
    }
    const full = await add({ aliases: many(200) });
    const proposal = { id: "1", type: "new_alias", factId: full, name: "Toby", occurrences: [] };
    const path = `/chapters/${chapterId}/proposals`;
    const accepted = await lab.ask("POST", path, { body: { revision: 1, proposals: [proposal] } });
    assert.deepEqual([accepted.status, accepted.body.error], [400, "bad_request"], accepted.text);
    assert.match(accepted.body.message, /aliases must be at most 200, got 201/);
  });

  it("a merge of two facts on one span leaves one mention, counted once; so does a document with both marks", async (t) => {
    const lab = await serve(t);
    const { factId, otherFactId, chapterId, blockId } = lab.sample;
    const read = async () => (await lab.ask("GET", `/facts/${factId}`)).body;
    const before = await read();
    const { revision } = (await lab.ask("GET", `/chapters/${chapterId}`)).body;
    await lab.ask("POST", `/chapters/${chapterId}/mentions`, {
      body: { revision, mentions: [{ factId: otherFactId, blockId, from: 0, to: 4 }] },
    });
    const { doc: both } = (await lab.ask("GET", `/chapters/${chapterId}?format=doc`)).body;
    const others = (await lab.ask("GET", `/facts/${otherFactId}`)).body.mentions;
    const { body } = await merge(lab, factId, otherFactId);
    const merged = await read();
    assert.equal(body.mentionsMoved, others.length - 1, "the one on the same span does not move");
    assert.equal(merged.fact.mentionCount, before.mentions.length + others.length - 1);
    assert.equal(merged.mentions.length, merged.fact.mentionCount);
    await lab.ask("PUT", `/chapters/${chapterId}/prose`, { body: { doc: both } });
    assert.deepEqual((await read()).mentions, merged.mentions);
    await lab.ask("POST", `/acts/${body.act}/undo`);
    assert.deepEqual((await lab.ask("GET", `/facts/${otherFactId}`)).body.mentions, others);
    assert.deepEqual((await read()).mentions, before.mentions);
  });

  it("a merge of facts of two books is 400, and of one that is missing 404", async (t) => {
    const lab = await serve(t);
    const { factId } = lab.sample;
    const two = await merge(lab, factId, await factOfAnotherBook(lab));
    assert.deepEqual([two.status, two.body.error], [400, "bad_request"]);
    for (const [keepId, dropId] of [
      [factId, "fa_none"],
      ["fa_none", factId],
    ] as const) {
      const missing = await merge(lab, keepId, dropId);
      assert.deepEqual([missing.status, missing.body.error], [404, "not_found"]);
    }
  });
});

describe("marginalia", () => {
  it("items are kept where they are not sent and the kind stays todo; text and url become null", async (t) => {
    const lab = await serve(t);
    const path = `/snippets/${lab.sample.todoId}`;
    const sent = { kind: "todo", text: "For Monday", url: "mailto:tides@example.org" };
    const first = (await lab.ask("PATCH", path, { body: sent })).body.snippet;
    assert.deepEqual([first.text, first.url], [sent.text, sent.url]);
    const second = (await lab.ask("PATCH", path, { body: { kind: "todo" } })).body.snippet;
    assert.deepEqual(
      [second.text, second.url, second.items],
      [null, null, [{ text: "tide table", done: false }]],
    );
    assert.equal(second.chapterId, lab.sample.chapterId, "the anchor stays");
  });

  it("what leaves todo drops its items and lists them, with items null or without; undo brings them back", async (t) => {
    const lab = await serve(t);
    const { todoId, bookId } = lab.sample;
    const items = [{ text: "tide table", done: false }];
    for (const sent of [{}, { items: null }]) {
      const { status, body } = await lab.ask("PATCH", `/snippets/${todoId}`, {
        body: { kind: "note", text: "Read it.", ...sent },
      });
      assert.deepEqual([status, body.snippet.kind, body.snippet.items], [200, "note", null]);
      assert.deepEqual(body.itemsDropped, items);
      await lab.ask("POST", `/acts/${body.act}/undo`);
      const { snippets } = (await lab.ask("GET", `/books/${bookId}/snippets`)).body;
      assert.deepEqual(snippets.find(({ id }: { id: string }) => id === todoId).items, items);
    }
    const kept = (await lab.ask("PATCH", `/snippets/${todoId}`, { body: { kind: "todo" } })).body;
    assert.ok(!("itemsDropped" in kept));
  });

  it("the anchor moves where it is sent: to a paragraph, a chapter, the book", async (t) => {
    const lab = await serve(t);
    const { snippetId, chapterId, otherChapterId, blockId } = lab.sample;
    const anchor = async (asked: object) => {
      const { body } = await lab.ask("PATCH", `/snippets/${snippetId}`, { body: { kind: "note", ...asked } });
      return [body.snippet?.chapterId, body.snippet?.blockId, body.snippet?.detached];
    };
    assert.deepEqual(await anchor({ blockId: null }), [chapterId, null, null]);
    assert.deepEqual(await anchor({ chapterId: otherChapterId }), [otherChapterId, null, null]);
    assert.deepEqual(await anchor({ blockId }), [chapterId, blockId, null]);
    assert.deepEqual(await anchor({ chapterId: null }), [null, null, null]);
    assert.deepEqual(await anchor({ chapterId, blockId }), [chapterId, blockId, null]);
  });

  it("a paragraph of another chapter, or an anchor in another book, is 404", async (t) => {
    const lab = await serve(t);
    const { snippetId, otherChapterId, blockId, chapterId } = lab.sample;
    const elsewhere = await bookElsewhere(lab);
    for (const [method, path, asked] of [
      ["PATCH", `/snippets/${snippetId}`, { chapterId: otherChapterId, blockId }],
      ["PATCH", `/snippets/${snippetId}`, { chapterId: "ch_none" }],
      ["POST", `/books/${elsewhere}/snippets`, { blockId }],
      ["POST", `/books/${elsewhere}/snippets`, { chapterId }],
    ] as const) {
      const { status } = await lab.ask(method, path, { body: { kind: "note", ...asked } });
      assert.equal(status, 404, JSON.stringify(asked));
    }
  });

  it("a second DELETE is 404", async (t) => {
    const lab = await serve(t);
    const path = `/snippets/${lab.sample.snippetId}`;
    const { status, body } = await lab.ask("DELETE", path);
    assert.deepEqual([status, body.id, body.deleted], [200, lab.sample.snippetId, true]);
    assert.equal((await lab.ask("DELETE", path)).status, 404);
  });
});

interface Mention {
  id: string;
  blockId: string;
  from: number;
  to: number;
  text: string;
  before: string;
  after: string;
}

describe("mentions: keep", () => {
  /** The sample's first chapter as `[markdown, mentions]`, and its first paragraph. */
  async function before(t: TestContext) {
    const lab = await serve(t);
    const { blockId, factId, chapterId } = lab.sample;
    const whole = (await lab.ask("GET", `/chapters/${chapterId}?format=doc`)).body.doc as DocNode;
    const [stored] = await mentionsOf(lab, factId);
    const node = whole.content?.find(({ attrs }) => attrs?.blockId === blockId) as DocNode;
    const with_ = (...content: Parameters<typeof p>) => ({
      ...whole,
      content: whole.content?.flatMap((block) => (block === node ? [p(`#${blockId}`, ...content)] : [block])),
    });
    const put = (sent: object, mentions = "keep", query = "") =>
      lab.ask("PUT", `/chapters/${chapterId}/prose${query}`, { body: { doc: sent, mentions } });
    const patch = (...content: Parameters<typeof p>) =>
      lab.ask("PATCH", `/chapters/${chapterId}/paragraphs/${blockId}`, {
        body: { node: p(`#${blockId}`, ...content), mentions: "keep" },
      });
    const mara = (text = "Mara") => mention(factId, text, stored?.id);
    return { lab, blockId, factId, stored: stored as Mention, whole, node, with_, put, patch, mara };
  }

  for (const way of ["put", "patch"] as const) {
    it(`${way}: a mark whose words are unchanged survives at its new place, and an undo takes it back`, async (t) => {
      const { lab, blockId, factId, stored, with_, put, patch, mara } = await before(t);
      const file = dump(lab.manuscript.store);
      const content = ["Late, ", mara(), " came down."] as const;
      const { body } = await (way === "put" ? put(with_(...content)) : patch(...content));
      assert.deepEqual([body.mentionsDropped, body.warnings, body.changed], [[], [], true]);
      const [moved] = await mentionsOf(lab, factId);
      const { id, from, to, text } = moved as Mention;
      assert.deepEqual([id, from, to, text], [stored.id, 6, 10, "Mara"]);
      assertSound(lab.manuscript.store);
      await lab.ask("POST", `/acts/${body.act}/undo`);
      assert.deepEqual(dump(lab.manuscript.store), file);
      assert.equal((await mentionsOf(lab, factId))[0]?.blockId, blockId);
    });

    it(`${way}: changed words, a mark that is gone and an unknown fact are dropped, and told of`, async (t) => {
      const { lab, blockId, factId, stored, with_, put, patch, mara } = await before(t);
      const CASES = [
        [["Late, ", mara("Marta"), " came."], "edited", []],
        [["Late, Mara came."], "edited", []],
        [
          ["Late, ", mention("fa_none", "Mara", stored.id)],
          "unknown_fact",
          [`unknown_fact: fa_none in ${blockId}`],
        ],
        [["Late, ", mention(lab.sample.otherFactId, "Mara", stored.id)], "edited", []],
      ] as const;
      for (const [content, reason, warnings] of CASES) {
        const { body } = await (way === "put" ? put(with_(...content)) : patch(...content));
        assert.deepEqual(
          body.mentionsDropped.map((dropped: { id: string; reason: string }) => [dropped.id, dropped.reason]),
          [[stored.id, reason]],
        );
        assert.deepEqual(body.warnings, warnings);
        assert.equal((await mentionsOf(lab, factId)).length, 1, "the other chapter's alone");
        await lab.ask("POST", `/acts/${body.act}/undo`);
      }
    });
  }

  it("a mark goes with its words when paragraphs are joined, split or changed for one another", async (t) => {
    const { lab, factId, stored, whole, put, mara } = await before(t);
    const tobit = await mentionsOf(lab, lab.sample.otherFactId);
    const content = whole.content as DocNode[];
    const [title, first, second, ...others] = content as [DocNode, DocNode, DocNode, ...DocNode[]];
    const joined = { ...first, content: [...(first.content ?? []), ...(second.content ?? [])] };
    const one = await put({ ...whole, content: [title, joined, ...others] });
    assert.deepEqual(one.body.mentionsDropped, []);
    const there = await mentionsOf(lab, lab.sample.otherFactId);
    assert.deepEqual([there[0]?.id, there[0]?.blockId], [tobit[0]?.id, first.attrs?.blockId]);
    const two = await put({
      ...whole,
      content: [title, p(`#${first.attrs?.blockId}`, "So."), p(mara(), " went."), ...others],
    });
    assert.equal(two.body.mentionsDropped.length, 1, "Tobit's, whose words are gone");
    const [moved] = await mentionsOf(lab, factId);
    assert.deepEqual([moved?.id, moved?.blockId, moved?.from], [stored.id, two.body.blocks[2].blockId, 0]);
  });

  it("takes new marks on edited text; without it all is as it was", async (t) => {
    const { lab, blockId, factId, stored, with_, put, mara } = await before(t);
    const sent = with_("Late, ", mara(), " met ", mention(factId, "Mara", stored.id), ".");
    const dropping = await put(sent, "drop", "?dryRun=1");
    assert.deepEqual(dropping.body.warnings, [`marks_on_edited_text: ${blockId}`]);
    assert.equal(dropping.body.mentionsDropped[0].reason, "edited");
    const { body } = await put(sent);
    assert.deepEqual(body.mentionsDropped, []);
    const ids = (await mentionsOf(lab, factId)).filter((one) => one.blockId === blockId).map(({ id }) => id);
    assert.deepEqual([ids.length, ids[0]], [2, stored.id]);
    const unknown = await put(sent, "all");
    assert.equal(unknown.status, 400);
  });
});

async function mentionsOf(lab: Lab, factId: string): Promise<Mention[]> {
  return (await lab.ask("GET", `/facts/${factId}`)).body.mentions;
}

async function documentOf(lab: Lab): Promise<object> {
  return (await lab.ask("GET", `/chapters/${lab.sample.chapterId}?format=doc`)).body.doc;
}

/** The answer to replacing the first chapter by these blocks. */
async function putDoc(lab: Lab, ...blocks: Parameters<typeof doc>) {
  const { status, body } = await lab.ask("PUT", `/chapters/${lab.sample.chapterId}/prose`, {
    body: { doc: doc(...blocks) },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

function dropOf({ mentionsDropped }: { mentionsDropped: { name: string; reason: string }[] }, name: string) {
  const dropped = mentionsDropped.find((candidate) => candidate.name === name);
  assert.ok(dropped, `${name} was not dropped`);
  return dropped as typeof dropped & { id: string };
}

function merge(lab: Lab, keepId: string, dropId: string) {
  return lab.ask("POST", "/facts/merge", { body: { keepId, dropId } });
}

async function bookElsewhere(lab: Lab): Promise<string> {
  return (await lab.ask("POST", "/books", { body: { title: "Another" } })).body.id;
}

async function factOfAnotherBook(lab: Lab): Promise<string> {
  const bookId = await bookElsewhere(lab);
  return (await lab.ask("POST", `/books/${bookId}/facts`, { body: { name: "Bell" } })).body.id;
}
