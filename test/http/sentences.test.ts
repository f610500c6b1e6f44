import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Answer, type Lab, serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const markdown = { "Content-Type": "text/markdown" };
const told = ({ status, body }: Answer) => [status, body?.error];

describe("the contract's sentences", () => {
  let lab: Lab;
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
  });

  const make = async (text: string): Promise<string> => {
    const body = { title: "One", markdown: text };
    return (await lab.ask("POST", `/books/${lab.sample.bookId}/chapters`, { body })).body.id;
  };

  it("leaving todo drops stored items and lists them in the answer as itemsDropped", async () => {
    const path = `/snippets/${lab.sample.todoId}`;
    const { status, body } = await lab.ask("PATCH", path, { body: { kind: "note", text: "Tide." } });
    assert.deepEqual([status, body.snippet.items], [200, null]);
    assert.deepEqual(body.itemsDropped, [{ text: "tide table", done: false }]);
    await lab.ask("POST", `/acts/${body.act}/undo`);
    assert.deepEqual((await lab.ask("GET", path)).body.snippet.items, body.itemsDropped);
  });

  it("an unknown key is 400 with a did you mean, in the message too, within lists too", async () => {
    const { chapterId, factId, bookId } = lab.sample;
    for (const [method, path, body, meant] of [
      ["POST", `/books/${bookId}/facts`, { nam: "x" }, "name"],
      ["POST", `/books/${bookId}/facts`, { name: "x", attributes: [{ key: "a", vaule: "b" }] }, "value"],
      [
        "PATCH",
        `/facts/${factId}`,
        {
          setAttributes: [
            { key: "a", value: "b" },
            { keys: "a", value: "b" },
          ],
        },
        "key",
      ],
      ["POST", `/books/${bookId}/snippets`, { kind: "todo", items: [{ text: "a", don: true }] }, "done"],
      [
        "POST",
        `/chapters/${chapterId}/mentions`,
        { revision: 1, mentions: [{ factid: factId, blockId: "b", from: 0, to: 1 }] },
        "factId",
      ],
      ["PUT", `/chapters/${chapterId}/prose`, { markdwon: "x" }, "markdown"],
    ] as const) {
      const refused = await lab.ask(method, path, { body });
      assert.deepEqual(told(refused), [400, "bad_request"]);
      assert.match(refused.body.message, new RegExp(`did you mean "${meant}"\\?$`), refused.body.message);
    }
  });

  it("no error repeats more than the beginning of a name that it does not know", async () => {
    const long = "q".repeat(5000);
    for (const refused of [
      await lab.ask("GET", `/books?${long}=1`),
      await lab.ask("GET", `/books?${long}=1&${long}=2`),
      await lab.ask("POST", "/books", { body: { title: "x", [long]: 1 } }),
      await lab.ask("PUT", `/chapters/${lab.sample.chapterId}/status`, { body: { status: long } }),
      await lab.ask("GET", `/chapters/${lab.sample.chapterId}?format=${long}`),
      await lab.ask("GET", `/chapters/${long}`),
    ])
      assert.ok(refused.status >= 400 && refused.text.length < 600, refused.text.slice(0, 700));
  });

  it("two facts that stand on one span leave one mention when they are merged", async () => {
    const { chapterId, blockId, factId, otherFactId } = lab.sample;
    const { revision } = (await lab.ask("GET", `/chapters/${chapterId}`)).body;
    const [{ from, to }] = (await lab.ask("GET", `/facts/${factId}`)).body.mentions;
    const body = { revision, mentions: [{ factId: otherFactId, blockId, from, to }] };
    await lab.ask("POST", `/chapters/${chapterId}/mentions`, { body });
    const before = (await lab.ask("GET", `/facts/${factId}`)).body.fact.mentionCount;
    const others = (await lab.ask("GET", `/facts/${otherFactId}`)).body.fact.mentionCount;
    const merged = await lab.ask("POST", "/facts/merge", { body: { keepId: factId, dropId: otherFactId } });
    assert.equal(merged.body.fact.mentionCount, before + others - 1);
    assert.equal(merged.body.mentionsMoved, others - 1);
    await lab.ask("POST", `/acts/${merged.body.act}/undo`);
  });

  it("a blank Markdown body is 400, and comes before what is missing", async () => {
    const empty = await make("");
    for (const id of [lab.sample.chapterId, empty, "ch_none"]) {
      const path = `/chapters/${id}/prose`;
      for (const asked of [
        { body: "", headers: markdown },
        { body: " \n\t\r\n", headers: markdown },
        { body: { markdown: " \n" } },
      ])
        assert.deepEqual(told(await lab.ask("PUT", path, asked)), [400, "bad_request"], id);
    }
  });

  it("what GET gives can be sent back: blank lines and no-break spaces too", async () => {
    for (const text of ["", "\u00a0", "\u00a0\n", "\n", "  \n\n", "\u2003", "a\u00a0\n\n\u00a0\n\nb\n"]) {
      const id = await make(text);
      const Accept = "text/markdown";
      const bare = (await lab.ask("GET", `/chapters/${id}`, { headers: { Accept } })).text;
      const { body: json } = await lab.ask("GET", `/chapters/${id}?format=markdown`);
      const { doc } = (await lab.ask("GET", `/chapters/${id}?format=doc`)).body;
      for (const asked of [
        ...(bare === "" ? [] : [{ body: bare, headers: markdown }]),
        { body: { markdown: json.markdown } },
        { body: { doc } },
      ]) {
        const put = await lab.ask("PUT", `/chapters/${id}/prose`, asked);
        assert.deepEqual(
          [put.status, put.body.changed],
          [200, false],
          JSON.stringify([text, asked, put.body]),
        );
      }
    }
  });

  it("Accept asks for bare Markdown in any case, and by text/*", async () => {
    const path = `/chapters/${lab.sample.chapterId}`;
    for (const [Accept, type] of [
      ["text/markdown", "text/markdown"],
      ["TEXT/MARKDOWN", "text/markdown"],
      ["Text/Markdown; Charset=utf-8", "text/markdown"],
      ["text/*", "text/markdown"],
      ["TEXT/*;q=0.5", "text/markdown"],
      ["text/*, application/json;q=0.5", "text/markdown"],
      ["text/markdown;q=0.5, application/json", "application/json"],
      ["text/plain", "application/json"],
      ["*/*", "application/json"],
      ["text/markdown;q=0", "application/json"],
    ] as const) {
      const { headers } = await lab.ask("GET", path, { headers: { Accept } });
      assert.ok(headers.get("content-type")?.startsWith(type), `${Accept}: ${headers.get("content-type")}`);
    }
  });
});
