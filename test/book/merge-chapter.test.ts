import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BaseChapter, ChapterFields, IncomingChapter, StoredChapter } from "../../src/book/book.ts";
import { mergeChapter } from "../../src/book/merge/merge-chapter.ts";
import { leafIds, withLeafIds } from "../../src/prose/document/leaves.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import type { Side } from "../../src/three-way.ts";
import { store } from "../prose/fidelity.ts";

/** A paragraph for each word: "a1" is another version of "a". */
const markdown = (words: string) =>
  words.replace(/(\w)\d? ?/g, (word, letter) => `${word.trim()} ${letter.repeat(9)} ${letter.repeat(5)}\n\n`);
const prose = (words: string) => store(parseMarkdown(markdown(words)));

/** A paragraph a word; `fields` where they are not what all sides say. `null` for prose that is not known any more. */
interface Version {
  text: string | null;
  fields?: Partial<ChapterFields>;
}

function merged(
  { base, file, stored }: { base?: Version; file: Version; stored: Version },
  { force, isSameFile = false }: { force?: Side; isSameFile?: boolean } = {},
): string {
  const fields = { title: "T", synopsis: "", part: null } as unknown as ChapterFields;
  const known = base && {
    ...{ ...fields, ...base.fields },
    hash: "before",
    prose: () => (base.text === null ? undefined : prose(base.text)),
  };
  const parsed = parseMarkdown(markdown(file.text ?? ""));
  const incoming = { hash: isSameFile ? "before" : "now", fields: file.fields ?? {}, prose: parsed };
  const present = { ...fields, ...stored.fields, prose: () => prose(stored.text ?? "") };
  const sides = { base: known as BaseChapter | undefined, incoming: incoming as unknown as IncomingChapter };
  const verdict = mergeChapter({ ...sides, stored: present as unknown as StoredChapter }, { force });
  if (verdict.kind === "leave") return "leave";
  if (verdict.kind === "conflict")
    return `conflict ${[...verdict.paragraphs.map(() => "paragraph"), ...verdict.fields].join(" ")}`;
  const words = (joinMarkdown(verdict.prose).match(/^\w\d?(?= )/gm) ?? []).join(" ");
  const how = [verdict.isMerged ? "merged" : "", verdict.hasBase ? "" : "baseless"].filter(Boolean);
  return [`write ${words}`, ...Object.values(verdict.fields), ...how].join("; ");
}

const [T, U, V] = ["T", "U", "V"].map((title) => ({ title }));

describe("mergeChapter", () => {
  const cases: [promise: string, ...asked: Parameters<typeof merged>, expected: string][] = [
    [
      "takes a file that nobody knows",
      { file: { text: "a b" }, stored: { text: "c" } },
      {},
      "write a b; baseless",
    ],
    [
      "… its title, too",
      { file: { text: "a", fields: U! }, stored: { text: "c" } },
      {},
      "write a; U; baseless",
    ],
    [
      "… as one whose prose then is not known any more",
      { base: { text: null }, file: { text: "a" }, stored: { text: "c" } },
      {},
      "write a; baseless",
    ],
    [
      "… but leaves it if forced to",
      { file: { text: "a" }, stored: { text: "c" } },
      { force: "stored" },
      "leave",
    ],
    [
      "takes what the file alone changed",
      { base: { text: "a" }, file: { text: "b" }, stored: { text: "a" } },
      {},
      "write b",
    ],
    [
      "leaves what the manuscript alone changed",
      { base: { text: "a" }, file: { text: "a" }, stored: { text: "b" } },
      {},
      "write b; merged",
    ],
    [
      "writes what both say",
      { base: { text: "a" }, file: { text: "b" }, stored: { text: "b" } },
      {},
      "write b",
    ],
    [
      "merges paragraphs of both",
      { base: { text: "a b c" }, file: { text: "a1 b c" }, stored: { text: "a b c1" } },
      {},
      "write a1 b c1; merged",
    ],
    [
      "names paragraphs that both changed",
      { base: { text: "a b" }, file: { text: "a1 b" }, stored: { text: "a2 b" } },
      {},
      "conflict paragraph",
    ],
    [
      "… with the fields",
      { base: { text: "a b" }, file: { text: "a1 b", fields: U! }, stored: { text: "a2 b", fields: V! } },
      {},
      "conflict paragraph title",
    ],
    [
      "names fields that both changed",
      { base: { text: "a b" }, file: { text: "a1 b", fields: U! }, stored: { text: "a b", fields: V! } },
      {},
      "conflict title",
    ],
    [
      "lets force decide between paragraphs, and no others",
      { base: { text: "a b c" }, file: { text: "a1 b c" }, stored: { text: "a2 b c2" } },
      { force: "incoming" },
      "write a1 b c2; merged",
    ],
    [
      "… for the manuscript",
      { base: { text: "a b c" }, file: { text: "a1 b c1" }, stored: { text: "a2 b c" } },
      { force: "stored" },
      "write a2 b c1; merged",
    ],
    [
      "… and writes nothing where that leaves all of it",
      { base: { text: "a b" }, file: { text: "a1 b" }, stored: { text: "a2 b" } },
      { force: "stored" },
      "leave",
    ],
    [
      "… but the title that the file alone changed",
      { base: { text: "a b" }, file: { text: "a1 b", fields: U! }, stored: { text: "a2 b" } },
      { force: "stored" },
      "write a2 b; U; merged",
    ],
    [
      "lets force decide a title",
      { base: { text: "a" }, file: { text: "b", fields: U! }, stored: { text: "a", fields: V! } },
      { force: "incoming" },
      "write b; U",
    ],
    [
      "… for the manuscript's",
      { base: { text: "a" }, file: { text: "b", fields: U! }, stored: { text: "a", fields: V! } },
      { force: "stored" },
      "write b",
    ],
    [
      "leaves a file that is the same, whatever was written since",
      { base: { text: "a" }, file: { text: "a" }, stored: { text: "b" } },
      { isSameFile: true },
      "leave",
    ],
    [
      "… and one whose title was changed since",
      { base: { text: "a" }, file: { text: "a", fields: T! }, stored: { text: "a", fields: V! } },
      { isSameFile: true },
      "leave",
    ],
    [
      "writes one that is the same as all",
      { base: { text: "a" }, file: { text: "a", fields: T! }, stored: { text: "a" } },
      { isSameFile: true },
      "write a",
    ],
    [
      "takes from one that is the same what its folder says beside it",
      { base: { text: "a" }, file: { text: "a", fields: U! }, stored: { text: "b" } },
      { isSameFile: true },
      "write b; U; merged",
    ],
    [
      "… or says that both changed that",
      { base: { text: "a" }, file: { text: "a", fields: U! }, stored: { text: "a", fields: V! } },
      { isSameFile: true },
      "conflict title",
    ],
  ];
  for (const [promise, sides, options, expected] of cases)
    it(promise, () => assert.equal(merged(sides, options), expected));

  it("follows block ids that were moved in a file, though it says the same words", () => {
    const same = { title: "T", synopsis: "", part: null } as unknown as ChapterFields;
    const base = { ...same, hash: "before", prose: () => prose("a b") } as unknown as BaseChapter;
    const stored = { ...same, prose: () => prose("a b c") } as unknown as StoredChapter;
    const written = (...ids: (string | null)[]) => {
      const parsed = parseMarkdown(markdown("a b"));
      const marked = { ...parsed, blocks: withLeafIds(parsed.blocks, ids) };
      const incoming = { hash: "now", fields: {}, prose: marked } as unknown as IncomingChapter;
      const verdict = mergeChapter({ base, incoming, stored });
      return verdict.kind === "write" ? leafIds(verdict.prose.blocks).join(" ") : verdict.kind;
    };
    assert.equal(written("b_1", "b_2"), "b_1 b_2 b_3");
    assert.equal(written("b_1", null), "b_1 b_2 b_3");
    assert.equal(written("b_2", "b_1"), "b_2 b_1 b_3");
  });
});
