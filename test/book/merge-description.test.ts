import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Description } from "../../src/book/book.ts";
import { inOrder, mergeDescription, type StoredDescription } from "../../src/book/merge-description.ts";
import type { Side } from "../../src/three-way.ts";

/** What a folder says of a book, and what the manuscript has; a key that is left out is as at first. */
type Said = Partial<Omit<Description, "folders">> & { folders?: Record<string, string> };
type Has = Partial<StoredDescription>;

const says = ({ folders = {}, ...said }: Said): Description => ({
  parts: [],
  manifest: {},
  ...said,
  folders: new Map(Object.entries(folders)),
});

interface Asked {
  base?: Said;
  incoming?: Said;
  stored?: Has;
  wanted?: readonly string[];
  isNamed?: boolean;
  isNew?: boolean;
  force?: Side;
}

/** The status, what was written, what is in conflict (`!`), and of the plan what it changes. */
function merged({ base, incoming, stored, wanted = [], isNamed = false, isNew = false, force }: Asked) {
  const has = { title: "Tide", goal: null, manifest: {}, parts: [], order: [], ...stored };
  const { plan, outcome } = mergeDescription(
    { base: base && says(base), incoming: incoming && says(incoming), stored: has },
    { wanted, isNamed, isNew, force },
  );
  const { parts, arePartsMoved, ...others } = plan;
  const titles = parts.map(({ title, was }) =>
    was === undefined ? `+${title}` : was === title ? title : `${was}>${title}`,
  );
  const told = [outcome.status, ...outcome.fields, ...outcome.conflicts.map((key) => `!${key}`)].join(", ");
  return [
    told,
    titles.join(" "),
    arePartsMoved ? "moved" : "",
    Object.keys(others).length ? JSON.stringify(others) : "",
  ]
    .filter(Boolean)
    .join("; ");
}

const GOAL = { targetWords: 1000, deadline: null, dailyWords: null };
const FURTHER = { ...GOAL, targetWords: 2000 };

describe("mergeDescription", () => {
  const cases: [promise: string, asked: Asked, expected: string][] = [
    ["leaves a book of which the folder says nothing", { stored: { parts: ["A"] } }, "same; A"],
    [
      "calls what is new created",
      { isNew: true, incoming: { title: "Ebb" } },
      'created, title; {"title":"Ebb"}',
    ],

    [
      "takes a title that the folder alone changed",
      { base: { title: "Tide" }, incoming: { title: "Ebb" } },
      'updated, title; {"title":"Ebb"}',
    ],
    [
      "leaves one that the manuscript alone changed",
      { base: { title: "Ebb" }, incoming: { title: "Ebb" } },
      "left",
    ],
    ["takes neither of two", { base: { title: "Flood" }, incoming: { title: "Ebb" } }, "conflict, !title"],
    [
      "… but the folder's if forced to",
      { base: { title: "Flood" }, incoming: { title: "Ebb" }, force: "incoming" },
      'updated, title; {"title":"Ebb"}',
    ],
    [
      "… or the manuscript's",
      { base: { title: "Flood" }, incoming: { title: "Ebb" }, force: "stored" },
      "left",
    ],
    [
      "takes a folder at its word that nobody knows",
      { incoming: { title: "Ebb" } },
      'updated, title; {"title":"Ebb"}',
    ],
    ["asks no title of a folder that says none", { base: { title: "Tide" }, incoming: {} }, "same"],
    [
      "leaves the title that the caller has given",
      { base: { title: "Tide" }, incoming: { title: "Ebb" }, isNamed: true },
      "same",
    ],
    [
      "tells of a conflict though something else was written",
      { base: { title: "Flood", manifest: {} }, incoming: { title: "Ebb", manifest: { by: "me" } } },
      'conflict, other keys, !title; {"manifest":{"by":"me"}}',
    ],

    ["takes a goal", { incoming: { goal: GOAL } }, `updated, goal; {"goal":${JSON.stringify(GOAL)}}`],
    [
      "takes a goal away that the folder no longer has",
      { base: { goal: GOAL }, incoming: {}, stored: { goal: GOAL } },
      'updated, goal; {"goal":null}',
    ],
    [
      "leaves a goal of which the folder never said anything",
      { base: {}, incoming: {}, stored: { goal: GOAL } },
      "left",
    ],
    ["… also where nobody knows the folder", { incoming: {}, stored: { goal: GOAL } }, "same"],
    [
      "takes neither of two goals",
      { base: { goal: GOAL }, incoming: { goal: FURTHER }, stored: { goal: null } },
      "conflict, !goal",
    ],
    [
      "leaves other keys as the manuscript has changed them",
      { base: {}, incoming: {}, stored: { manifest: { by: "me" } } },
      "left",
    ],

    [
      "gives a part the title that its folder now has",
      {
        base: { folders: { a: "One" } },
        incoming: { folders: { a: "First" } },
        stored: { parts: ["One", "Two"] },
      },
      "updated, part First; One>First Two",
    ],
    [
      "… not one that the manuscript calls otherwise by now",
      { base: { folders: { a: "One" } }, incoming: { folders: { a: "First" } }, stored: { parts: ["Uno"] } },
      "same; Uno",
    ],
    [
      "… nor the title of another part",
      {
        base: { folders: { a: "One" } },
        incoming: { folders: { a: "Two" } },
        stored: { parts: ["One", "Two"] },
      },
      "same; One Two",
    ],
    [
      "… nor for a folder that is new, or the same",
      {
        base: { folders: { a: "One" } },
        incoming: { folders: { a: "One", b: "Two" } },
        stored: { parts: ["One"] },
      },
      "same; One",
    ],
    [
      "follows titles that are handed on",
      {
        base: { folders: { a: "One", b: "Two" } },
        incoming: { folders: { a: "First", b: "One" } },
        stored: { parts: ["One", "Two"] },
      },
      "updated, part First, part One; One>First Two>One",
    ],
    [
      "makes parts that the folder or its chapters name, each once",
      { incoming: { parts: ["A", "B"] }, stored: { parts: ["A"] }, wanted: ["C", "B", "C", "A"] },
      "same; A +B +C",
    ],
    [
      "makes none again that both had and the manuscript has no more",
      { base: { parts: ["A", "B"] }, incoming: { parts: ["A", "B"] }, stored: { parts: ["A"] } },
      "same; A",
    ],
    [
      "… unless forced to, or a chapter is to stand there",
      { base: { parts: ["B"] }, incoming: { parts: ["B"] }, force: "incoming" },
      "same; +B",
    ],
    ["…", { base: { parts: ["B"] }, incoming: { parts: ["B"] }, wanted: ["B"] }, "same; +B"],

    [
      "orders parts as the folder alone did",
      {
        base: { parts: ["A", "B", "C"] },
        incoming: { parts: ["C", "A", "B"] },
        stored: { parts: ["A", "B", "C"] },
      },
      "updated, order of the parts; C A B; moved",
    ],
    [
      "leaves them as the manuscript alone did",
      { base: { parts: ["A", "B"] }, incoming: { parts: ["A", "B"] }, stored: { parts: ["B", "A"] } },
      "left; B A",
    ],
    [
      "moves none that both moved, each in its own way",
      {
        base: { parts: ["A", "B", "C"] },
        incoming: { parts: ["B", "A", "C"] },
        stored: { parts: ["A", "C", "B"] },
      },
      "conflict, !order of the parts; A C B",
    ],
    [
      "keeps a part that the folder does not name where it is",
      { base: { parts: ["A", "B"] }, incoming: { parts: ["B", "A"] }, stored: { parts: ["A", "X", "B"] } },
      "updated, order of the parts; B X A; moved",
    ],
    [
      "leaves one that came since where the manuscript has it",
      {
        base: { parts: ["A", "B"] },
        incoming: { parts: ["B", "A", "N"] },
        stored: { parts: ["B", "N", "A"] },
      },
      "left; B N A",
    ],

    [
      "orders chapters as the folder alone did",
      { base: { order: ["a", "b"] }, incoming: { order: ["b", "a"] }, stored: { order: ["a", "b"] } },
      'updated, order; {"order":["b","a"]}',
    ],
    [
      "… as a folder that nobody knows does",
      { incoming: { order: ["b", "a"] }, stored: { order: ["a", "b"] } },
      'updated, order; {"order":["b","a"]}',
    ],
    [
      "leaves them as the manuscript alone did",
      { base: { order: ["a", "b"] }, incoming: { order: ["a", "b"] }, stored: { order: ["b", "a"] } },
      "left",
    ],
    [
      "is at one where only chapters differ that one side has",
      { base: { order: ["a"] }, incoming: { order: ["n", "a", "b"] }, stored: { order: ["a", "b", "m"] } },
      "same",
    ],
    [
      "asks no order of a list that is not the whole book's",
      { base: { order: ["a", "b"] }, incoming: {}, stored: { order: ["b", "a"] } },
      "same",
    ],
    [
      "orders as one side does if forced to",
      {
        base: { order: ["a", "b", "c"] },
        incoming: { order: ["b", "a", "c"] },
        stored: { order: ["a", "c", "b"] },
        force: "incoming",
      },
      'updated, order; {"order":["b","a","c"]}',
    ],
    [
      "gives no part a title for a folder that nobody knows",
      { incoming: { folders: { a: "One" } }, stored: { parts: ["Uno"] } },
      "same; Uno",
    ],
  ];
  for (const [promise, asked, expected] of cases) it(promise, () => assert.equal(merged(asked), expected));
});

describe("inOrder", () => {
  const letters = [..."abcd-"].map((name) => ({ name: name === "-" ? undefined : name }));
  const ordered = (names: string) =>
    inOrder(letters, ({ name }) => name, [...names])
      .map(({ name = "-" }) => name)
      .join("");

  it("moves what is named among its own places, and nothing else", () => {
    assert.equal(ordered("db"), "adcb-");
    assert.equal(ordered("xdcba"), "dcba-");
    assert.equal(ordered(""), "abcd-");
  });
});
