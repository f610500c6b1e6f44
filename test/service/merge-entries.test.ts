import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type BaseEntry, type FileEntry, matchEntries } from "../../src/book/match-entries.ts";
import { mergeEntry } from "../../src/book/merge-entries.ts";
import type { Side } from "../../src/three-way.ts";

interface Fields {
  name: string;
  kind: string;
  aliases: string[];
}

const EMPTY: Fields = { name: "", kind: "", aliases: [] };
const fields = (name: string, kind = "", aliases: string[] = []): Fields => ({ name, kind, aliases });
const entry = (said: Partial<Fields>, id?: string): FileEntry<Fields> => ({ id, fields: said });
const base = (id: string, said: Partial<Fields>, mark: string | null = id): BaseEntry<Fields> => ({
  id,
  mark,
  fields: said,
});

const match = (sides: {
  asked: FileEntry<Fields>[];
  base?: BaseEntry<Fields>[];
  stands?: Record<string, Fields>;
}) =>
  matchEntries(
    { incoming: sides.asked, base: sides.base ?? [], stored: new Map(Object.entries(sides.stands ?? {})) },
    { key: "name", empty: EMPTY },
  ).map(({ id, isGone }) => (isGone ? `${id} gone` : id));

describe("matchEntries", () => {
  it("trusts an id that stands, and one that stood when the two last met", () => {
    const asked = [entry(fields("A"), "fa_1"), entry(fields("B"), "fa_2"), entry(fields("C"), "fa_3")];
    const stands = { fa_1: fields("Z") };
    assert.deepEqual(match({ asked, base: [base("fa_2", fields("B"))], stands }), [
      "fa_1",
      "fa_2 gone",
      undefined,
    ]);
  });

  it("knows an id of another book again by what it became in this one", () => {
    const asked = [entry(fields("A"), "fa_old")];
    const known = [base("fa_new", fields("A"), "fa_old")];
    assert.deepEqual(match({ asked, base: known, stands: { fa_new: fields("A") } }), ["fa_new"]);
  });

  it("knows entries without an id by all they said, by their name, then by the rest, each once", () => {
    const known = [
      base("fa_1", fields("A", "x"), null),
      base("fa_2", fields("A", "y"), null),
      base("fa_3", fields("C", "z", ["c"]), null),
    ];
    const stands = { fa_1: fields("A", "x"), fa_2: fields("A", "y"), fa_3: fields("C", "z", ["c"]) };
    const asked = [
      entry(fields("A", "y")),
      entry(fields("A", "new")),
      entry(fields("Renamed", "z", ["c"])),
      entry(fields("A", "x2")),
    ];
    assert.deepEqual(match({ asked, base: known, stands }), ["fa_2", "fa_1", "fa_3", undefined]);
  });

  it("takes one that says exactly what stands and nobody claims for that, and no other", () => {
    const stands = { fa_1: fields("A", "x"), fa_2: fields("B") };
    const asked = [
      entry({ name: "A", kind: "x" }),
      entry({ name: "A", kind: "x" }),
      entry({ name: "B", kind: "y" }),
    ];
    assert.deepEqual(match({ asked, stands }), ["fa_1", undefined, undefined]);
  });
});

const merge = (sides: { incoming: Partial<Fields>; stored: Fields; base?: Partial<Fields> }, force?: Side) =>
  mergeEntry({ base: undefined, ...sides }, EMPTY, force);

describe("mergeEntry", () => {
  const was = fields("A", "x", ["a"]);

  it("takes each field from the side that changed it", () => {
    const {
      fields: merged,
      changed,
      left,
      conflicts,
    } = merge({
      base: was,
      incoming: fields("A", "mine", ["a"]),
      stored: fields("A", "x", ["a", "b"]),
    });
    assert.deepEqual(
      [merged, changed, left, conflicts],
      [fields("A", "mine", ["a", "b"]), ["kind"], ["aliases"], []],
    );
  });

  it("takes the same change for none, and another one of the same field for a conflict", () => {
    assert.deepEqual(merge({ base: was, incoming: fields("B"), stored: fields("B") }).changed, []);
    const { conflicts, fields: merged } = merge({
      base: was,
      incoming: fields("B", "x", ["a"]),
      stored: fields("C", "x", ["a"]),
    });
    assert.deepEqual([conflicts, merged.name], [["name"], "C"]);
  });

  it("lets force decide the fields that both changed, and no others", () => {
    const sides = { base: was, incoming: fields("B", "mine", ["a"]), stored: fields("C", "x", ["b"]) };
    assert.deepEqual(merge(sides, "incoming").fields, fields("B", "mine", ["b"]));
    const theirs = merge(sides, "stored");
    assert.deepEqual([theirs.fields, theirs.forced], [fields("C", "mine", ["b"]), ["name"]]);
  });

  it("does not mind the order of keys and values, but that of a list", () => {
    const pairs = (...keys: string[]) => ({ pairs: keys.map((key) => ({ key, value: key })) });
    const sides = { incoming: pairs("b", "a"), stored: pairs("a", "b"), base: undefined };
    assert.deepEqual(
      mergeEntry(sides, { pairs: [] as { key: string; value: string }[] }, undefined).changed,
      [],
    );
    const lists = { base: was, incoming: fields("A", "x", ["b", "a"]), stored: fields("A", "x", ["a", "b"]) };
    assert.deepEqual(merge(lists).conflicts, ["aliases"]);
  });

  it("takes a key that was taken out for a change, and one that was never met for silence", () => {
    assert.deepEqual(merge({ base: was, incoming: { name: "A" }, stored: was }).fields, fields("A"));
    assert.deepEqual(merge({ incoming: { name: "B" }, stored: was }).fields, fields("B", "x", ["a"]));
    assert.deepEqual(merge({ incoming: { name: "B" }, stored: was }, "stored").changed, []);
  });
});
