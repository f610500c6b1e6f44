import type { Leaf, Words } from "./prose.ts";

/** A chapter's fields that either side may change. */
export interface Fields {
  title: string;
  status: string;
  synopsis: string;
  part: string | null;
}

/** A chapter as one side has it. */
export interface Side {
  leaves: Leaf[];
  fields: Fields;
  /** How each paragraph went, where it did not just go: into which it was joined. */
  gone: Map<number, string>;
  /** Paragraphs changed places. */
  isMoved: boolean;
}

/** The first heading's own text; a side that says its chapter's title in it keeps the two alike. */
export const headingOf = ({ leaves }: Pick<Side, "leaves">): Leaf | undefined =>
  leaves.find(({ kind }) => kind === "heading");

/** Whether the first heading says the title. */
export const isTitled = (side: Side): boolean => headingOf(side)?.text === side.fields.title;

/** The same chapter, to be edited apart. */
export function copyOf({ leaves, fields, gone, isMoved }: Side): Side {
  return {
    leaves: leaves.map((leaf) => ({ ...leaf })),
    fields: { ...fields },
    gone: new Map(gone),
    isMoved,
  };
}

/** Edits one side; a leaf for which `isLeft` holds stays as it is. */
export interface Desk {
  words: Words;
  isLeft(leaf: Leaf): boolean;
}

type Edit = (side: Side, at: number, desk: Desk) => boolean;

const isPlain = (leaf: Leaf | undefined) => leaf?.kind === "paragraph" || leaf?.kind === "heading";
/** Neither it nor what stands beside it is part of something that would run together with something else. */
const isFree = ({ leaves }: Side, at: number) =>
  leaves[at]?.kind === "paragraph" &&
  isPlain(leaves[at - 1]) &&
  (at + 1 === leaves.length || isPlain(leaves[at + 1]));

const reword: Edit = ({ leaves }, at, { words }) => {
  const leaf = leaves[at]!; // the caller's place
  if (leaf.kind === "break" || leaf.kind === "definition") return false;
  const parts = leaf.text.split(" ");
  // Not the first, which may be a footnote's label, nor the last with its reference.
  const index = 1 + Math.floor(words.pick([0, 0.3, 0.6, 0.9]) * (parts.length - 2));
  if (parts.length < 3 || /[[\]]/.test(parts[index] ?? "[")) return false;
  parts[index] = words.sentence().split(" ")[1]?.replace(/[*.]/g, "") ?? "then";
  if (words.pick([true, false])) parts.splice(index + 1, 0, words.pick(["too", "then", "there"]));
  const text = parts.join(" ");
  if (text === leaf.text) return false;
  leaf.text = text;
  return true;
};

const redirect: Edit = ({ leaves }, at, { words }) => {
  const leaf = leaves[at]!; // the caller's place
  if (leaf.kind !== "definition") return false;
  leaf.text = `${leaf.text.split(" ")[0]} https://example.org/${words.key()}`;
  return true;
};

const extend: Edit = ({ leaves }, at, { words }) => {
  const leaf = leaves[at]!; // the caller's place
  if (leaf.kind !== "paragraph") return false;
  leaf.text += ` ${words.sentence()}`;
  return true;
};

const rewrite: Edit = ({ leaves }, at, { words }) => {
  const leaf = leaves[at]!; // the caller's place
  if (leaf.kind !== "paragraph" || /[[\]]/.test(leaf.text)) return false;
  leaf.text = words.paragraph();
  return true;
};

const insert: Edit = ({ leaves }, at, { words }) => {
  const leaf = leaves[at]!; // the caller's place
  const key = words.key();
  if (leaf.kind === "item" || leaf.kind === "quote")
    leaves.splice(at + words.pick([0, 1]), 0, { ...leaf, key, text: words.sentence() });
  else if (isPlain(leaf))
    leaves.splice(at + 1, 0, { key, kind: "paragraph", text: words.paragraph(), group: 0 });
  else return false;
  return true;
};

const remove: Edit = (side, at) => {
  const { leaves, gone } = side;
  const { kind, group, key, text } = leaves[at]!; // the caller's place
  const isInside = (kind === "item" || kind === "quote") && countOf(leaves, group) > 1;
  if (!isInside && (!isFree(side, at) || /[[\]]/.test(text))) return false;
  leaves.splice(at, 1);
  gone.set(key, "");
  return true;
};

const countOf = (leaves: readonly Leaf[], group: number) =>
  leaves.filter((leaf) => leaf.group === group).length;

const split: Edit = ({ leaves }, at, { words }) => {
  const leaf = leaves[at]!; // the caller's place
  const place = leaf.text.indexOf(". ");
  if (leaf.kind !== "paragraph" || place < 0) return false;
  const rest = { ...leaf, key: words.key(), text: leaf.text.slice(place + 2) };
  leaf.text = leaf.text.slice(0, place + 1);
  leaves.splice(at + 1, 0, rest);
  return true;
};

const joinNext: Edit = (side, at, { isLeft }) => {
  const { leaves, gone } = side;
  const [leaf, next] = [leaves[at]!, leaves[at + 1]]; // the caller's place
  if (next === undefined || leaf.kind !== "paragraph" || isLeft(next) || !isFree(side, at + 1)) return false;
  leaf.text += ` ${next.text}`;
  gone.set(next.key, `into ${leaf.key}`);
  leaves.splice(at + 1, 1);
  return true;
};

const move: Edit = (side, at, { words }) => {
  const { leaves } = side;
  if (!isFree(side, at)) return false;
  const places = leaves.flatMap((leaf, index) =>
    index > 0 && index !== at && index !== at + 1 && isPlain(leaf) ? [index] : [],
  );
  if (places.length === 0) return false;
  const to = words.pick(places);
  const [leaf] = leaves.splice(at, 1);
  leaves.splice(to > at ? to - 1 : to, 0, leaf!); // it was there
  side.isMoved = true;
  return true;
};

const EDITS = { reword, redirect, extend, rewrite, insert, remove, split, joinNext, move };
const KINDS = [
  ...(["reword", "reword", "reword", "extend", "redirect", "rewrite", "rewrite"] as const),
  ...(["insert", "insert", "remove", "remove", "split", "joinNext", "move"] as const),
];

/** Edits a side at random, and says how many edits there were of each kind. */
export function editProse(side: Side, count: number, desk: Desk, done: Record<string, number>): void {
  for (let left = count; left > 0; left--) {
    const at = Math.floor(desk.words.pick(TENTHS) * side.leaves.length);
    const kind = desk.words.pick(KINDS);
    const leaf = side.leaves[at];
    if (leaf === undefined || desk.isLeft(leaf) || !EDITS[kind](side, at, desk)) continue;
    done[kind] = (done[kind] ?? 0) + 1;
  }
}

const TENTHS = Array.from({ length: 40 }, (_, index) => index / 40);
