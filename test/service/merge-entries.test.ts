import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type BaseEntry, type FileEntry, isSame, matchEntries } from "../../src/book/match-entries.ts";
import { mergeEntries, mergeEntry } from "../../src/book/merge-entries.ts";
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
  it("takes an entry of one id for the one that stands, though another was known by that before", () => {
    const known = [base("fa_2", fields("B"), "fa_1")];
    const stands = { fa_1: fields("A"), fa_2: fields("B") };
    const asked = [entry(fields("A"), "fa_1"), entry(fields("B"), "fa_2")];
    assert.deepEqual(match({ asked, base: known, stands }), ["fa_1", "fa_2"]);
  });

  it("claims nothing twice, by whatever it is known", () => {
    const known = [base("fa_1", fields("A"), "old"), base("fa_2", fields("B"), null)];
    const stands = { fa_1: fields("A"), fa_2: fields("B") };
    const twice = [entry(fields("A"), "old"), entry(fields("A"), "old")];
    assert.deepEqual(match({ asked: twice, base: known, stands }), ["fa_1", undefined]);
    const claimed = [entry(fields("Z"), "fa_2"), entry(fields("B"))];
    assert.deepEqual(match({ asked: claimed, base: known, stands }), ["fa_2", undefined]);
    const equal = [entry(fields("B")), entry(fields("B")), entry(fields("B"))];
    assert.deepEqual(match({ asked: equal, stands: { x: fields("B"), y: fields("B") } }), [
      "x",
      "y",
      undefined,
    ]);
  });

  it("knows none by a blank name, nor by a kind alone", () => {
    const known = [base("fa_1", fields("", "x", ["a"]), null), base("fa_2", fields("C", "y"), null)];
    const stands = { fa_1: fields("", "x", ["a"]), fa_2: fields("C", "y") };
    const asked = [entry(fields("", "z", ["b"])), entry(fields("D", "y"))];
    assert.deepEqual(match({ asked, base: known, stands }), [undefined, undefined]);
  });

  it("knows an entry with an id, new to it, by what it says exactly, and leaves one without an id to itself", () => {
    const known = [base("fa_1", fields("A", "x"), null)];
    const stands = { fa_1: fields("A", "x") };
    assert.deepEqual(match({ asked: [entry(fields("A", "y"), "of another")], base: known, stands }), [
      undefined,
    ]);
    assert.deepEqual(match({ asked: [entry({ name: "A", kind: "x" }, "of another")], base: known, stands }), [
      "fa_1",
    ]);
  });

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

describe("isSame", () => {
  it("minds the order of a list, not that of keys with their values", () => {
    const pairs = (...keys: string[]) => keys.map((key) => ({ key, value: `of ${key}` }));
    assert.equal(isSame(pairs("b", "c", "a"), pairs("c", "a", "b")), true);
    assert.equal(isSame(pairs("a", "b"), pairs("a", "c")), false);
    assert.equal(isSame(["a", "b"], ["b", "a"]), false);
    assert.equal(isSame([...pairs("b"), { a: 1 }], [{ a: 1 }, ...pairs("b")]), false);
    assert.equal(isSame([null, ...pairs("b")], [...pairs("b"), null]), false);
    assert.equal(isSame({ a: pairs("b", "a") }, { a: pairs("a", "b") }), true);
    const twice = [{ key: "a", value: 1 }, ...pairs("b"), { key: "a", value: 2 }];
    assert.equal(isSame(twice, [...pairs("b"), twice[0], twice[2]]), true);
    assert.equal(isSame(twice, [twice[2], ...pairs("b"), twice[0]]), false);
    assert.equal(isSame(undefined, null), false);
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

/** What becomes of one entry, in a line: what is told, what is written, and what both have in common then. */
function planned(
  sides: { file?: Partial<Fields>; base?: Partial<Fields>; stands?: Fields },
  options: { force?: Side; isDeleting?: boolean; isCopy?: boolean } = {},
): string[] {
  const { file, stands } = sides;
  const known = sides.base && { ...base("fa_1", sides.base, "m"), said: "then" };
  const id = known !== undefined || stands !== undefined ? { id: "fa_1" } : {};
  const incoming = file === undefined ? [] : [{ id: "m", fields: file, said: "now" }];
  const given = {
    ...{ incoming, base: known === undefined ? [] : [known] },
    stored: new Map(stands === undefined ? [] : [["fa_1", stands]]),
    matches: incoming.map(() => ({ ...id, isGone: stands === undefined, base: known })),
  };
  // A name that is its kind, too, does not go with another.
  const clash = ({ name, kind }: Fields) => (name !== "" && name === kind ? ["name", "kind"] : []);
  const defaults = { force: undefined, isDeleting: false, isCopy: false };
  const { entries, gone } = mergeEntries(given, { empty: EMPTY, clash }, { ...defaults, ...options });
  return [...entries, ...gone].map(({ outcome, write, isDone, common }) => {
    const told = [
      outcome.id,
      outcome.status,
      outcome.fields?.join("+"),
      outcome.gone && `gone: ${outcome.gone}`,
    ];
    const met = common && `${common.mark} ${common.said} ${JSON.stringify(common.fields)}`;
    return [told.filter(Boolean).join(" "), JSON.stringify(write), isDone ? "done" : undefined, met]
      .filter(Boolean)
      .join("; ");
  });
}

describe("mergeEntries", () => {
  const [a, b, c] = [fields("A", "x"), fields("B", "x"), fields("C", "x")];
  const A = JSON.stringify(a);
  const B = JSON.stringify(b);
  const cases: [promise: string, ...asked: Parameters<typeof planned>, expected: string | undefined][] = [
    [
      "makes a new one",
      { file: { name: "A" } },
      {},
      'created; {"insert":{"name":"A","kind":"","aliases":[]}}; done; m now {"name":"A"}',
    ],
    [
      "makes one that both had and the file has changed, where forced",
      { file: b, base: a },
      { force: "incoming" },
      `created; {"insert":${B}}; done; m now ${B}`,
    ],
    [
      "leaves one that the manuscript took out",
      { file: a, base: a },
      {},
      `fa_1 left gone: manuscript; m then ${A}`,
    ],
    [
      "… whatever is forced",
      { file: a, base: a },
      { force: "incoming" },
      `fa_1 left gone: manuscript; m then ${A}`,
    ],
    [
      "names one that it took out and the file has changed",
      { file: b, base: a },
      {},
      `fa_1 conflict name gone: manuscript; m then ${A}`,
    ],
    [
      "… or leaves it, where forced",
      { file: b, base: a },
      { force: "stored" },
      `fa_1 left gone: manuscript; m then ${A}`,
    ],
    [
      "leaves one that is gone from the file",
      { base: a, stands: a },
      {},
      `fa_1 left gone: file; m then ${A}`,
    ],
    [
      "… takes it out where asked to",
      { base: a, stands: a },
      { isDeleting: true },
      'fa_1 deleted gone: file; "drop"; done',
    ],
    [
      "… but not one that was changed since",
      { base: a, stands: b },
      { isDeleting: true },
      `fa_1 left gone: file; m then ${A}`,
    ],
    [
      "… nor one that a copy never had",
      { base: a, stands: a },
      { isDeleting: true, isCopy: true },
      undefined,
    ],
    ["… nor one that is gone from both", { base: a }, { isDeleting: true }, undefined],
    [
      "says nothing of one that nobody changed",
      { file: a, base: a, stands: a },
      {},
      `fa_1 same; done; m now ${A}`,
    ],
    [
      "writes what the file changed",
      { file: b, base: a, stands: a },
      {},
      `fa_1 updated name; {"update":{"name":"B"}}; done; m now ${B}`,
    ],
    ["leaves what the manuscript changed", { file: a, base: a, stands: b }, {}, `fa_1 left name; m now ${A}`],
    [
      "does both at once",
      { file: b, base: a, stands: fields("A", "y") },
      {},
      `fa_1 updated name; {"update":{"name":"B"}}; m now ${B}`,
    ],
    [
      "names what both changed, and writes nothing of it",
      { file: { ...b, aliases: ["l"] }, base: a, stands: c },
      {},
      `fa_1 conflict name; m then ${A}`,
    ],
    [
      "… takes the file's, where forced",
      { file: b, base: a, stands: c },
      { force: "incoming" },
      `fa_1 updated name; {"update":{"name":"B"}}; done; m now ${B}`,
    ],
    [
      "… leaves it, where forced, for another time",
      { file: b, base: a, stands: c },
      { force: "stored" },
      'fa_1 left name; m then {"kind":"x","aliases":[],"name":"A"}',
    ],
    [
      "takes a file that nobody knows at its word",
      { file: b, stands: c },
      {},
      `fa_1 updated name; {"update":{"name":"B"}}; done; m now ${B}`,
    ],
    [
      "names fields that do not go together",
      { file: fields("A", "B"), base: a, stands: b },
      {},
      `fa_1 conflict name+kind; m then ${A}`,
    ],
    ["… of a file that nobody knows", { file: { kind: "C" }, stands: c }, {}, "fa_1 conflict name+kind"],
    [
      "… takes the file's, where forced",
      { file: fields("A", "B"), base: a, stands: b },
      { force: "incoming" },
      'fa_1 updated name+kind; {"update":{"name":"A","kind":"B"}}; done; m now {"name":"A","kind":"B","aliases":[]}',
    ],
    [
      "… leaves the manuscript's, where forced",
      { file: fields("A", "B"), base: a, stands: b },
      { force: "stored" },
      'fa_1 left name+kind; m then {"aliases":[],"name":"A","kind":"x"}',
    ],
  ];
  for (const [promise, sides, options, expected] of cases)
    it(promise, () => assert.deepEqual(planned(sides, options), expected === undefined ? [] : [expected]));
});
