import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { TIMELINE_LIMITS } from "../../src/contract/limits.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { shell } from "../cli/shell.ts";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);

const CHAPTERS = [
  "# One\n\nIt was *Friday*, 12 May 1893,\\\nand she was thirty-four.\n\nThree days later the ferry sank. “I leave tomorrow,” he said.\n",
  "Some weeks later it was found. See ![the ferry](f.png) the next morning.\n",
];

async function book(chapters: readonly string[]) {
  const { id } = (await lab.ask("POST", "/books", { body: { title: "Days" } })).body;
  const ids: string[] = [];
  for (const [at, markdown] of chapters.entries())
    ids.push(
      (await lab.ask("POST", `/books/${id}/chapters`, { body: { title: `C${at}`, markdown } })).body.id,
    );
  return {
    id,
    ids,
    read: async (query = "") => (await lab.ask("GET", `/books/${id}/timeline${query}`)).body,
  };
}

describe("GET /books/{bookId}/timeline", () => {
  it("answers each time where it stands in its paragraph, counted through the book", async () => {
    const { ids, read } = await book(CHAPTERS);
    const { times, total, unplaced, leftOut } = await read();
    assert.deepEqual([total, unplaced, leftOut], [6, 1, 0]);
    assert.deepEqual(
      times.map(({ kind, value, weekday, years }: Record<string, unknown>) => [kind, value, weekday, years]),
      [
        ["date", "1893-05-12", "Friday", null],
        ["age", null, null, 34],
        ["relative", "1893-05-15", "Monday", null],
        ["relative", "1893-05-16", "Tuesday", null],
        ["relative", null, null, null],
        ["relative", null, null, null],
      ],
    );
    for (const { chapterId, blockId, from, to, text, words } of times) {
      const { doc } = (await lab.ask("GET", `/chapters/${chapterId}?format=doc`)).body;
      const block = doc.content.find(
        (node: { attrs: { blockId: string } }) => node.attrs.blockId === blockId,
      );
      const own = block.content.map((node: { text?: string }) => node.text ?? "").join("");
      assert.equal(own.slice(from, to), text);
      assert.equal(own.slice(words.from, words.to), words.text);
    }
    const second = await read(`?chapterId=${ids[1]}`);
    assert.deepEqual([second.total, second.times[0].number, second.times[1].anchor], [2, 5, 5]);
    assert.deepEqual(second.times, times.slice(4));
  });

  it("follows an edit, and answers 404 for a chapter of another book", async () => {
    const { id, ids, read } = await book(CHAPTERS);
    await read();
    const body = "On Sunday 14 May 1893 it rained.\n";
    await lab.ask("PUT", `/chapters/${ids[0]}/prose`, { body, headers: { "Content-Type": "text/markdown" } });
    assert.equal((await read()).times[0].value, "1893-05-14");
    const other = await book(["Nothing."]);
    assert.equal((await lab.ask("GET", `/books/${id}/timeline?chapterId=${other.ids[0]}`)).status, 404);
    assert.deepEqual(await other.read(), { times: [], total: 0, unplaced: 0, leftOut: 0 });
  });

  it("lists so many and counts the others", async () => {
    const many = "The next day it rained. ".repeat(TIMELINE_LIMITS.ofChapter + 5);
    const { read } = await book([many, "The next day it rained."]);
    const { times, total, leftOut } = await read();
    assert.deepEqual(
      [times.length, total, leftOut],
      [TIMELINE_LIMITS.times, TIMELINE_LIMITS.ofChapter + 6, 6],
    );
  });
});

describe("manuscript timeline", () => {
  it("lists days and sentences in 80 columns, and with --json the endpoint's answer", async (t) => {
    const sh = shell(t);
    await sh("init", "days.manuscript");
    await sh("book", "add", "Days");
    for (const markdown of CHAPTERS) await sh.with({ stdin: markdown })("chapter", "add", "One", "-");
    const { stdout, exit } = await sh("report", "timeline");
    assert.equal(exit, EXIT.done, stdout);
    assert.deepEqual(stdout.split("\n").slice(0, 5), [
      "One  Fri 1893-05-12  It was Friday, 12 May 1893,and she was…",
      "One  34 years        …May 1893,and she was thirty-four.",
      "One  Mon 1893-05-15  Three days later the ferry sank.",
      "One  Tue 1893-05-16  “I leave tomorrow,” he said.",
      "One  ?               Some weeks later it was found.           how long is not said",
    ]);
    const { times } = (await sh("report", "timeline", "--chapter", "2", "--json")).json<{
      times: unknown[];
    }>();
    assert.equal(times.length, 2);
  });
});
