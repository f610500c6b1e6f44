import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
after(scope.end);
const lab = await serve(scope);
const { bookId } = lab.sample;

/**
 * Writes `next` over a chapter of these paragraphs, each with a note that says its place; what each note stands beside
 * afterwards, or `detached` if the answer says so.
 */
async function noted(old: readonly string[], next: readonly string[]): Promise<string[]> {
  const made = await lab.ask("POST", `/books/${bookId}/chapters`, {
    body: { title: "Twins", markdown: old.join("\n\n") },
  });
  const path = `/chapters/${made.body.id}`;
  const blocks = async (): Promise<{ blockId: string; markdown: string }[]> =>
    (await lab.ask("GET", `${path}?format=blocks`)).body.blocks;
  for (const [at, { blockId }] of (await blocks()).entries())
    await lab.ask("POST", `/books/${bookId}/snippets`, { body: { kind: "note", blockId, text: `${at}` } });
  const { body } = await lab.ask("PUT", `${path}/prose`, { body: { markdown: next.join("\n\n") } });
  const detached = new Set(body.snippetsDetached.map(({ id }: { id: string }) => id));
  const after = new Map((await blocks()).map(({ blockId, markdown }) => [blockId, markdown]));
  const notes = (await lab.ask("GET", `/books/${bookId}/snippets?chapterId=${made.body.id}`)).body.snippets;
  const places = (notes as { id: string; text: string; blockId: string | null }[]).map(
    ({ id, text, blockId }) => [
      Number(text),
      blockId === null && detached.has(id) ? "detached" : String(after.get(String(blockId))),
    ],
  );
  return places.sort(([one], [other]) => Number(one) - Number(other)).map(([, place]) => String(place));
}

const STORM = "The storm came over the harbour before anyone had brought the boats in.";
const LAMP = "The lamp went out at midnight, and the old house began to talk to itself.";
const joke = (name: string) => `${name} laughed at ${name}’s own joke, and nobody else did.`;

describe("PUT of a chapter in which paragraphs differ in a name or a number alone", () => {
  it("detaches the notes of renamed ones among which a new one came in, and says so", async () => {
    const old = [STORM, joke("Anne"), joke("Jane"), LAMP];
    for (const names of [
      ["Kitty", "Elizabeth", "Meg"],
      ["Elizabeth", "Kitty", "Meg"],
      ["Elizabeth", "Meg", "Kitty"],
    ])
      assert.deepEqual(await noted(old, [STORM, ...names.map(joke), LAMP]), [
        STORM,
        "detached",
        "detached",
        LAMP,
      ]);
  });

  it("keeps their order where as many are left", async () => {
    assert.deepEqual(
      await noted([STORM, joke("Anne"), joke("Jane"), LAMP], [STORM, joke("Elizabeth"), joke("Meg"), LAMP]),
      [STORM, joke("Elizabeth"), joke("Meg"), LAMP],
    );
  });

  it("leaves one that says what it said beside its note", async () => {
    assert.deepEqual(
      await noted([STORM, joke("Anne"), joke("Jane"), LAMP], [joke("Kitty"), STORM, joke("Anne"), LAMP]),
      [STORM, joke("Anne"), "detached", LAMP],
    );
  });

  it("puts no note of a ledger beside another line where all prices rise and one line goes", async () => {
    const prices = Array.from({ length: 24 }, (_, at) => 10 + at);
    const line = (price: number) => `Paid ${price} crowns for the mill.`;
    const next = prices.filter((price) => price !== 20).map((price) => price + 1);
    const places = await noted(prices.map(line), next.map(line));
    for (const [at, place] of places.entries())
      assert.ok(place === "detached" || place === line(prices[at]! + 1), `${line(prices[at]!)} → ${place}`); // as many
  });

  it("keeps the notes of a ledger whose lines have numbers of their own", async () => {
    const items = Array.from({ length: 20 }, (_, at) => at + 1);
    const line = (item: number, rise: number) =>
      `Item ${item}: ${10 + item + rise} crowns, ${item + rise} pence`;
    const places = await noted(
      items.map((item) => line(item, 0)),
      items.filter((item) => item !== 17).map((item) => line(item, 1)),
    );
    assert.deepEqual(
      places,
      items.map((item) => (item === 17 ? "detached" : line(item, 1))),
    );
  });
});
