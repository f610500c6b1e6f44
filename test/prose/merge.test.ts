import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { leavesOf } from "../../src/prose/document/leaves.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { mergeProse } from "../../src/prose/merge.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import type { StoredProse } from "../../src/prose/plan.ts";
import { planReplace } from "../../src/prose/plan-chapter.ts";
import { randomly } from "./rewrite.ts";

let minted = 0;
const mint = () => `b_${++minted}`;

/** A chapter as it is stored after a write over `old`, rows and ids kept where the paragraphs are. */
function store(markdown: string, old?: StoredProse): StoredProse {
  const { bom, eol, head, blocks } = parseMarkdown(markdown);
  const empty: StoredProse = { bom, eol, head: "", blocks: [] };
  const none = { mentions: [], snippets: [] };
  const options = {
    foreign: new Set<string>(),
    former: new Set<string>(),
    policy: "keep" as const,
    mintBlock: mint,
  };
  const plan = planReplace(old ?? empty, { bom, eol, head, blocks }, none, options);
  return {
    bom,
    eol,
    head,
    blocks: plan.blocks.map((block) => ({ ...block, row: block.row ?? `r${mint()}` })),
  };
}

const text = ({
  bom,
  eol,
  head,
  blocks,
}: Omit<StoredProse, "blocks"> & {
  blocks: readonly { node: StoredProse["blocks"][number]["node"]; source: string; gap: string }[];
}) => joinMarkdown({ bom, eol, head, blocks: blocks.map((block) => ({ ...block, type: block.node.type })) });

function merge(base: string, mine: string, theirs: string): string {
  const stored = store(base);
  const merged = mergeProse(stored, parseMarkdown(mine), store(theirs, stored));
  return "prose" in merged
    ? text(merged.prose)
    : `conflict: ${merged.conflicts.map((one) => `${one.incoming} | ${one.stored}`).join("; ")}`;
}

const A = "The ferry came in before light.";
const B = "Mara rang the bell on the quay.";
const C = "Nobody answered her for an hour.";
const D = "Then old Tobit came down the stair.";
const join = (...paragraphs: string[]) => `${paragraphs.join("\n\n")}\n`;

for (const [name, mine, theirs, expected] of [
  [
    "different paragraphs edited",
    join(A, B, `${C} So`),
    join(`${A} Late.`, B, C),
    join(`${A} Late.`, B, `${C} So`),
  ],
  [
    "one moved by one side and edited by the other",
    join(C, A, B),
    join(A, B, C.replace("hour", "age")),
    join(C.replace("hour", "age"), A, B),
  ],
  [
    "one taken out, another edited",
    join(A, C),
    join(A, B, C.replace("hour", "age")),
    join(A, C.replace("hour", "age")),
  ],
  ["new ones in different places", join(D, A, B, C), join(A, B, C, "An end."), join(D, A, B, C, "An end.")],
  [
    "new ones in one place, mine first",
    join(A, D, B, C),
    join(A, "Rain fell.", B, C),
    join(A, D, "Rain fell.", B, C),
  ],
  ["the same new one on both sides", join(A, D, B, C), join(A, D, B, C), join(A, D, B, C)],
  [
    "the same edit on both sides",
    join(A, `${B} Twice.`, C),
    join(A, `${B} Twice.`, C),
    join(A, `${B} Twice.`, C),
  ],
  ["both out", join(A, C), join(A, C), join(A, C)],
  ["nothing of mine", join(A, B, C), join(A, D), join(A, D)],
] as const) {
  test(`mergeProse › takes ${name}`, () => assert.equal(merge(join(A, B, C), mine, theirs), expected));
}

for (const [name, mine, theirs] of [
  ["one paragraph edited in two ways", join(A, `${B} Twice.`, C), join(A, `${B} Thrice.`, C)],
  ["one edited and taken out", join(A, `${B} Twice.`, C), join(A, C)],
  ["one taken out and edited", join(A, C), join(A, `${B} Thrice.`, C)],
  ["one rewritten as a whole on both sides", join(A, "Twice it thundered.", C), join(A, D, C)],
  ["one rewritten as a whole and taken out", join(A, "Twice it thundered.", C), join(A, C)],
] as const) {
  test(`mergeProse › names ${name}`, () => {
    const found = merge(join(A, B, C), mine, theirs);
    assert.match(found, /^conflict: /);
    assert.ok(found.includes("Twice") || found.includes("Thrice"));
  });
}

test("mergeProse › merges entries of one list, and names one entry edited on both sides", () => {
  const list = (...entries: string[]) => `Before.\n\n${entries.map((entry) => `* ${entry}`).join("\n")}\n`;
  const base = list("rope of hemp", "lamp oil", "a black sail");
  assert.equal(
    merge(
      base,
      list("rope of silk", "lamp oil", "a black sail"),
      list("rope of hemp", "lamp oil", "a white sail"),
    ),
    list("rope of silk", "lamp oil", "a white sail"),
  );
  assert.match(
    merge(
      base,
      list("rope of silk", "lamp oil", "a black sail"),
      list("rope of gold", "lamp oil", "a black sail"),
    ),
    /^conflict/,
  );
});

test("mergeProse › names a paragraph that one side joined to another and the other took out", () => {
  const short = "So it was.";
  assert.match(merge(join(A, B, short), join(A, `${B} ${short}`), join(A, B)), /^conflict: .*So it was/);
});

test("mergeProse › takes a paragraph that both cut alike, whichever piece either side goes on with", () => {
  const [one, two] = ["Mara rang the bell", "on the quay, where nobody was."];
  const stored = store(join(A, `${one} ${two}`, C));
  const theirs = store(join(A, one, two, C), store(join(A, two, C), stored));
  const merged = mergeProse(stored, parseMarkdown(join(A, one, two, D, C)), theirs);
  assert.equal("prose" in merged && text(merged.prose), join(A, one, two, D, C));
});

test("mergeProse › takes two paragraphs that both joined, whichever of them either side goes on with", () => {
  const [one, two] = ["So it was.", `${A} ${D}`];
  const stored = store(join(B, one, two, C));
  const theirs = store(join(B, `${one} ${two}`, C), store(join(B, `${one} ${two}`, two, C), stored));
  const merged = mergeProse(stored, parseMarkdown(join(B, `${one} ${two}`, C, "An end.")), theirs);
  assert.equal("prose" in merged && text(merged.prose), join(B, `${one} ${two}`, C, "An end."));
});

test("mergeProse › names a paragraph that both cut alike when one rewrote a piece", () => {
  const [one, two] = ["Mara rang.", "The bell hung on the quay, where nobody was for an hour."];
  assert.match(merge(join(A, `${one} ${two}`, C), join(A, D, two, C), join(A, one, two, C)), /^conflict: /);
});

test("mergeProse › merges entries of one list that came, went and changed", () => {
  const list = (...entries: string[]) => `Before.\n\n${entries.map((entry) => `- ${entry}`).join("\n")}\n`;
  assert.equal(
    merge(
      list("rope of hemp", "lamp oil", "a black sail"),
      list("rope of hemp", "two oars", "lamp oil", "a black sail"),
      list("rope of silk", "a black sail"),
    ),
    list("rope of silk", "two oars", "a black sail"),
  );
});

test("mergeProse › takes a link's new address and the new words around it", () => {
  const linked = (words: string, address: string) => `${words} [here][a].\n\n[a]: ${address}\n\n${C}\n`;
  const [old, next] = ["https://example.org/1", "https://example.org/2"];
  assert.equal(
    merge(linked("It stands", old), linked("It stands", next), linked("It stood", old)),
    linked("It stood", next),
  );
  assert.match(
    merge(linked("It stands", old), linked("It stands", next), linked("It stands", "https://example.org/3")),
    /^conflict: .*\/2 \| .*\/3/s,
  );
});

// No two share a word, so which paragraph is which is beyond doubt.
const paragraph = (seed: number) =>
  Array.from({ length: 12 }, (_, index) =>
    (((seed * 12 + index + 1) * 2_654_435_761) % 2_176_782_336).toString(36).padStart(6, "q"),
  ).join(" ");

interface Edit {
  at: number;
  kind: "edit" | "remove" | "insert" | "move";
  seed: number;
}
const edits = fc.array(
  fc.record({
    at: fc.nat(11),
    kind: fc.constantFrom("edit", "edit", "remove", "insert", "move"),
    seed: fc.nat(9999),
  }) as fc.Arbitrary<Edit>,
  { maxLength: 4 },
);

/** One side's list of paragraphs after its edits; `touched` says which of the first ones it changed, and how. */
function side(base: readonly string[], asked: readonly Edit[], name: string) {
  const list = base.map((text, index) => ({ index, text }));
  const touched = new Map<number, string | undefined>();
  const added: string[] = [];
  for (const { at, kind, seed } of asked) {
    const place = list.findIndex(({ index }) => index === at % base.length);
    if (kind === "insert") {
      const text = `${name} writes ${paragraph(name.length * 20_000 + seed)}`;
      added.push(text);
      list.splice(Math.max(place, 0), 0, { index: -1, text });
    } else if (place >= 0 && kind === "remove" && !touched.has(at % base.length)) {
      list.splice(place, 1);
      touched.set(at % base.length, undefined);
    } else if (place >= 0 && kind === "edit" && !touched.has(at % base.length)) {
      const text = `${list[place]!.text} ${name} says ${seed}.`; // place >= 0
      list[place] = { index: at % base.length, text };
      touched.set(at % base.length, text);
    } else if (place >= 0 && kind === "move") {
      const [entry] = list.splice(place, 1);
      list.splice(seed % (list.length + 1), 0, entry!); // one was taken
    }
  }
  return { markdown: join(...list.map(({ text }) => text)), touched, added };
}

test("mergeProse › loses nothing of two sides, and names what both changed", (t) => {
  const settings = randomly(200);
  t.diagnostic(`seed ${settings.seed}`);
  const count = { merged: 0, conflicts: 0 };
  const property = fc.property(edits, edits, (left, right) => {
    const base = Array.from({ length: 12 }, (_, index) => paragraph(index + 1));
    const mine = side(base, left, "Mine");
    const theirs = side(base, right, "Theirs");
    const stored = store(join(...base));
    const merged = mergeProse(stored, parseMarkdown(mine.markdown), store(theirs.markdown, stored));
    const both = [...mine.touched].filter(
      ([index, text]) => theirs.touched.has(index) && theirs.touched.get(index) !== text,
    );
    if ("conflicts" in merged) {
      count.conflicts++;
      // What both took out may be what one of them wrote anew.
      const isOpen =
        mine.added.length + theirs.added.length > 0 &&
        [...mine.touched].some(([index, text]) => text === undefined && theirs.touched.has(index));
      const told = merged.conflicts.length;
      assert.ok(isOpen ? told >= both.length : told === both.length, "a conflict where there is none");
      return;
    }
    count.merged++;
    assert.equal(both.length, 0, "both changed a paragraph and nobody was told");
    const result = merged.prose.blocks.map(({ source }) => source);
    const expected = base.flatMap((text, index) => {
      const touched = mine.touched.has(index)
        ? mine.touched
        : theirs.touched.has(index)
          ? theirs.touched
          : undefined;
      const now = touched === undefined ? text : touched.get(index);
      return now === undefined ? [] : [now];
    });
    assert.deepEqual(result.toSorted(), [...expected, ...mine.added, ...theirs.added].toSorted());
    const ids = merged.prose.blocks
      .flatMap(({ node }) => leavesOf(node))
      .flatMap(({ attrs }) => attrs?.blockId ?? []);
    assert.equal(new Set(ids).size, ids.length, "two paragraphs of one id");
  });
  fc.assert(property, { ...settings, includeErrorInReport: true });
  t.diagnostic(`${count.merged} merged, ${count.conflicts} conflicts`);
});

const YEARS = "1914. War came.\n\n1918. It __ended__.\n\n1920. Snow fell.\n";
for (const [what, mine, theirs, merged] of [
  ["a year and words of another", ["1918", "1919"], ["War came", "War _came_"], ["1919", "War _came_"]],
  ["two years", ["1918", "1919"], ["1920", "1921"], ["1919", "1921"]],
  ["a paragraph that goes and words", ["1914. War came.\n\n", ""], ["Snow", "Hail"], ["", "Hail"]],
] as const) {
  test(`mergeProse › keeps years in a row where the sides change ${what}`, () => {
    const [one, other] = [mine, theirs].map(([was, now]) => YEARS.replace(was, now));
    assert.equal(
      merge(YEARS, one ?? "", other ?? ""),
      YEARS.replace(mine[0], merged[0]).replace(theirs[0], merged[1]),
    );
  });
}

test("mergeProse › calls two other years of one paragraph a conflict", () => {
  const [one, other] = ["1919", "1920"].map((year) => YEARS.replace("1918", year));
  assert.match(merge(YEARS, one ?? "", other ?? ""), /^conflict: .*1919.*\|.*1920/s);
});

const DEFINED = ["See [the map].", "[the map]: https://example.org/old", "Rain fell."];
const MOVED = join(...[0, 2, 1].map((index) => DEFINED[index] ?? ""));
const AIMED = join(...DEFINED).replace("old", "new");
for (const [name, mine, theirs] of [
  ["moved by the file", MOVED, AIMED],
  ["moved in the manuscript", AIMED, MOVED],
] as const) {
  test(`mergeProse › gives a link definition ${name} the target that the other side wrote`, () =>
    assert.equal(merge(join(...DEFINED), mine, theirs), MOVED.replace("old", "new")));
}
test("mergeProse › tells of a link definition that both sides aimed elsewhere", () =>
  assert.match(merge(join(...DEFINED), AIMED, AIMED.replace("new", "other")), /^conflict: /));
