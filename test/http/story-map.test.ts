import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { LIMITS } from "../../src/contract/limits.ts";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);

interface Fact {
  id: string;
  name: string;
  mentionCount: number;
  chapters: [number, number][];
}

/** A book of these chapters with a fact for each of these names, all anchored; its map, and how to read it again. */
async function book(chapters: readonly string[], names: readonly string[]) {
  const { id } = (await lab.ask("POST", "/books", { body: { title: "Map" } })).body;
  for (const [at, markdown] of chapters.entries())
    await lab.ask("POST", `/books/${id}/chapters`, { body: { title: `C${at}`, markdown } });
  for (const name of names) await lab.ask("POST", `/books/${id}/facts`, { body: { name } });
  await lab.ask("POST", `/books/${id}/mentions/reanchor`);
  const read = (headers = {}) => lab.ask("GET", `/books/${id}/map`, { headers });
  return { id, read };
}

describe("GET /books/{bookId}/map", () => {
  it("counts each fact in each chapter, and the paragraphs that two share, once however often they are named", async () => {
    const { read } = await book(
      ["Mara, Tobit, Mara.\n\n> Mara and Tobit.\n\nBell.", "Nobody.", "Tobit. Bell. Mara.\n\nMara.\n"],
      ["Tobit", "Mara", "Bell", "Ghost"],
    );
    const { body } = await read();
    assert.deepEqual(
      body.chapters.map(({ title }: { title: string }) => title),
      ["C0", "C1", "C2"],
    );
    assert.deepEqual(
      body.facts.map(({ name, mentionCount, chapters }: Fact) => [name, mentionCount, chapters]),
      [
        [
          "Bell",
          2,
          [
            [0, 1],
            [2, 1],
          ],
        ],
        ["Ghost", 0, []],
        [
          "Mara",
          5,
          [
            [0, 3],
            [2, 2],
          ],
        ],
        [
          "Tobit",
          3,
          [
            [0, 2],
            [2, 1],
          ],
        ],
      ],
    );
    const named = new Map(body.facts.map(({ id, name }: Fact) => [id, name]));
    const pairs = body.pairs.map(({ factIds, paragraphs }: { factIds: string[]; paragraphs: number }) => [
      ...factIds.map((id) => named.get(id)),
      paragraphs,
    ]);
    assert.deepEqual(pairs, [
      ["Mara", "Tobit", 3],
      ["Mara", "Bell", 1],
      ["Tobit", "Bell", 1],
    ]);
    assert.deepEqual(body.leftOut, { pairs: 0, facts: 0 });
  });

  it("says how many pairs it leaves out, those that share the fewest paragraphs", async () => {
    const names = Array.from(
      { length: 47 },
      (_, at) => `Name${String.fromCharCode(97 + (at % 26))}${at > 25 ? "z" : "y"}`,
    );
    const { read } = await book([`${names.join(", ")}.\n\n${names.slice(-2).join(" ")}.\n`], names);
    const { body } = await read();
    assert.equal(body.pairs.length, LIMITS.mapPairs);
    assert.deepEqual(body.leftOut, { pairs: (47 * 46) / 2 - LIMITS.mapPairs, facts: 0 });
    assert.deepEqual(
      body.pairs.slice(0, 2).map(({ paragraphs }: { paragraphs: number }) => paragraphs),
      [2, 1],
    );
  });

  it("has a tag that changes with what it shows, and 404 for no book", async () => {
    const { id, read } = await book(["Mara and Tobit.\n"], ["Mara", "Tobit"]);
    const first = await read();
    const tag = String(first.headers.get("etag"));
    assert.equal((await read({ "If-None-Match": tag })).status, 304);
    const { facts } = first.body;
    await lab.ask("PATCH", `/facts/${facts[0].id}`, { body: { name: "Marta" } });
    const renamed = await read({ "If-None-Match": tag });
    assert.deepEqual([renamed.status, renamed.body.facts[0].name], [200, "Marta"]);
    await lab.ask("DELETE", `/facts/${facts[1].id}`);
    const less = await read();
    assert.deepEqual([less.body.facts.length, less.body.pairs], [1, []]);
    await lab.ask("DELETE", `/books/${id}`);
    assert.equal((await read()).status, 404);
  });
});
