import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { identify } from "../../src/prose/assign-ids.ts";
import type { Leaf } from "../../src/prose/document/leaves.ts";

/** "id:text", or the text alone; "#text" is a heading, "_" a blank. */
function leafOf(said: string): Leaf {
  const [, blockId = null, sign, words = ""] = /^(?:(\w+):)?(#?)(.*)$/.exec(said) ?? [];
  const [text, type] = [words.replaceAll("_", " "), sign === "#" ? "heading" : "paragraph"];
  return { node: { type, content: [{ type: "text", text }] }, blockId, text, breaks: [] };
}

const leavesOf = (said: string) => said.split(" ").filter(Boolean).map(leafOf);

interface Known {
  left?: readonly string[];
  anchored?: readonly string[];
}

/** The ids; then the old leaf that each continues; then the new one that each old leaf went into; then what is warned of. */
function identified(old: string, next: string, { left, anchored = [] }: Known = {}): string {
  let minted = 0;
  const known = { foreign: new Set(["far"]), former: new Set(["was"]), left: left && new Set(left) };
  const mint = () => `n${++minted}`;
  const found = identify(leavesOf(old), leavesOf(next), { ...known, anchored: new Set(anchored), mint });
  const { ids, from, into, warnings } = found;
  return [[ids, from, into].map((list) => list.join(" ")).join(" | "), ...warnings].join("; ");
}

const [ONE, TWO] = ["a_one_two_three", "b_four_five_six"];

describe("identify", () => {
  const cases: [promise: string, old: string, next: string, expected: string, known?: Known][] = [
    ["knows leaves by their texts", "1:a 2:b 3:c", "c a b", "3 1 2 | 2 0 1 | -1 -1 -1"],
    ["… by the ids that they bring, whatever they say", "1:a 2:b", "2:x 1:b", "2 1 | 1 0 | -1 -1"],
    ["gives what is new a new one", "", "a", "n1 | -1 | "],
    ["… and nothing where nothing is left", "1:a", "", " |  | -1"],
    ["… also where what was there had none", "a b", "a b", "n1 n2 | 0 1 | -1 -1"],
    [
      "takes an id once, from here, or one that was here",
      "1:a",
      "1:a 1:b far:c no:d was:e",
      "1 n1 n2 n3 was | 0 -1 -1 -1 -1 | -1; duplicate_id: 1 became n1; foreign_id: far became n2; unknown_id: no became n3",
    ],
    ["knows one beside one that stays", "1:a 2:* 3:b 4:* 5:c", "3:b *", "3 4 | 2 3 | -1 -1 -1 -1 -1"],
    ["… before it", "1:a 2:* 3:b 4:* 5:c", "* 5:c", "4 5 | 3 4 | -1 -1 -1 -1 -1"],
    ["… and so on", "1:* 2:* 3:a 4:* 5:*", "* * 3:a * *", "1 2 3 4 5 | 0 1 2 3 4 | -1 -1 -1 -1 -1"],
    [
      "… the first of all, and the last",
      "1:* 2:a 3:b 4:*",
      "* x 3:b y *",
      "1 n1 3 n2 4 | 0 -1 2 -1 3 | -1 -1 -1 -1",
    ],
    ["… not as another kind", "1:a 2:*", "1:a #*", "1 n1 | 0 -1 | -1 -1"],
    ["… nor what brings another id", "1:a 2:*", "1:a was:*", "1 was | 0 -1 | -1 -1"],
    [
      "… nor beside one that has moved",
      "1:x 2:* 3:y 4:z 5:*",
      "3:y 4:z * 1:x",
      "3 4 5 1 | 2 3 4 0 | -1 -1 -1 -1 -1",
    ],
    ["keeps of two that say the same the first", "1:s 2:s", "s", "1 | 0 | -1 -1"],
    ["… or the one with a note", "1:s 2:s", "s", "2 | 1 | -1 -1", { anchored: ["2"] }],
    ["tells where one went that was joined to another", `1:${ONE} 2:${TWO}`, `${ONE}_${TWO}`, "1 | 0 | -1 0"],
    ["… that brings its id", `1:${ONE} 2:${TWO}`, `1:${ONE}_${TWO}`, "1 | 0 | -1 0"],
    [
      "… not of one that goes to another chapter",
      `1:${ONE} 2:${TWO}`,
      `1:${ONE}_${TWO}`,
      "1 | 0 | -1 -1",
      { left: ["2"] },
    ],
    [
      "… nor where all are known by their texts",
      `1:${ONE} 2:${TWO}`,
      `${ONE}_${TWO}`,
      "1 | 0 | -1 -1",
      { left: ["2"] },
    ],
    [
      "knows none again that goes to another chapter",
      "1:a 2:b",
      "a b",
      "1 n1 | 0 -1 | -1 -1",
      { left: ["2"] },
    ],
    ["… beside one that stays", "1:a 2:*", "1:a *", "1 n1 | 0 -1 | -1 -1", { left: ["2"] }],
    [
      "gives the larger piece of one that was cut its id",
      `1:${ONE}_four_five`,
      "a_one two_three_four_five",
      "n1 1 | -1 0 | -1",
    ],
  ];
  for (const [promise, old, next, expected, known] of cases)
    it(promise, () => assert.equal(identified(old, next, known), expected));
});
