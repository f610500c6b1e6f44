import type { WordPlace } from "../../find-phrases.ts";
import type { ChapterStyle } from "../../learn-style.ts";
import { numberOf } from "../../numbers.ts";
import { isContentWord } from "./function-words.ts";
import type { JoinedWords } from "./joined-words.ts";
import { otherSpelling } from "./spellings.ts";
import { IS } from "./words.ts";

/** One word that is written in several ways, the most frequent first. */
export interface Variant {
  kind: "hyphen" | "spelling" | "number" | "capital";
  forms: { text: string; count: number; places: WordPlace[] }[];
}

/** A way of writing: one word, or two that stand side by side; `capital` alone or in small letters alone. */
interface Form {
  text: string;
  numbers: readonly [number] | readonly [number, number];
  capital?: boolean;
}

type Group = { kind: Variant["kind"]; forms: Form[] };

/** Before a common noun: with a capital behind one, a word is written as a name. */
const DETERMINERS = new Set("the a an his her their our my your this that".split(" "));

/** Finds words that a book spells in two ways; yields between chapters. */
export function* findVariants(
  chapters: readonly ChapterStyle[],
  joined: JoinedWords,
  { most, places }: { most: number; places: number },
): Generator<void, { variants: Variant[]; total: number }> {
  const groups = groupsOf(joined);
  yield;
  const tallies = groups.map(({ forms }) =>
    forms.map(({ text }) => ({ text, count: 0, places: [] as WordPlace[] })),
  );
  const wanted = new Map<number, { form: Form; tally: Variant["forms"][number] }[]>();
  for (const [index, { forms }] of groups.entries())
    for (const [place, form] of forms.entries()) {
      const known = wanted.get(form.numbers[0]);
      const one = { form, tally: tallies[index]![place]! }; // as many
      if (known === undefined) wanted.set(form.numbers[0], [one]);
      else known.push(one);
    }
  const isWanted = new Uint8Array(joined.keys.length);
  for (const number of wanted.keys()) isWanted[number] = 1;
  for (const [chapter, style] of chapters.entries()) {
    const own = joined.numbers[chapter]!; // one a chapter
    tallyForms(style, { chapter, own, keys: joined.keys, wanted, isWanted, places });
    yield;
  }
  const variants = groups.flatMap(({ kind }, index): Variant[] => {
    const tally = tallies[index]!; // as many
    const forms = tally.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
    return forms.length > 1 && isUneven(kind, forms) ? [{ kind, forms }] : [];
  });
  const weight = ({ forms }: Variant) => forms[1]!.count + forms[0]!.count / 1000; // two at least
  variants.sort((one, other) => weight(other) - weight(one));
  return { variants: variants.slice(0, most), total: variants.length };
}

function groupsOf(joined: JoinedWords): Group[] {
  const groups: Group[] = [];
  const add = (group: Group | undefined) => {
    if (group !== undefined) groups.push(group);
  };
  for (const key of joined.keys) add(hyphened(key, joined) ?? spelled(key, joined) ?? counted(key, joined));
  for (const [number, key] of joined.keys.entries()) add(capitalised(key, number, joined));
  return groups;
}

/** A capital that is rare among small letters, or the other way round, is no habit of two: each must be there twice. */
function isUneven(kind: Variant["kind"], forms: Variant["forms"]): boolean {
  return kind !== "capital" || forms.every(({ count }) => count > 1);
}

function tallyForms(
  { words }: ChapterStyle,
  {
    chapter,
    own,
    keys,
    wanted,
    isWanted,
    places,
  }: {
    chapter: number;
    own: Int32Array;
    keys: readonly string[];
    wanted: ReadonlyMap<number, { form: Form; tally: Variant["forms"][number] }[]>;
    isWanted: Uint8Array;
    places: number;
  },
): void {
  const { ids, flags } = words;
  for (let at = 0; at < ids.length; at++) {
    const number = own[ids[at]!]!; // a key's place
    if (isWanted[number] === 0) continue;
    for (const { form, tally } of wanted.get(number) ?? []) {
      const second = form.numbers[1];
      const next = at + 1 < ids.length && (flags[at + 1]! & IS.parted) === 0 ? own[ids[at + 1]!] : undefined; // as above
      if (second !== undefined && next !== second) continue;
      if (form.capital !== undefined && !isNoun(words, at, form.capital, keys[own[ids[at - 1] ?? 0] ?? 0]))
        continue;
      tally.count++;
      if (tally.places.length < places) tally.places.push({ chapter, word: at, words: form.numbers.length });
    }
  }
}

/** True behind a determiner, with a capital or without, and beside no other capital: no part of a longer name. */
function isNoun(
  { flags }: ChapterStyle["words"],
  at: number,
  capital: boolean,
  before: string | undefined,
): boolean {
  const unit = flags[at]!; // the callers' own place
  if (at === 0 || (unit & (IS.parted | IS.heading)) !== 0) return false;
  const isCapital = (unit & IS.capital) !== 0;
  const isNextCapital = ((flags[at + 1] ?? 0) & (IS.capital | IS.parted)) === IS.capital;
  return isCapital === capital && !isNextCapital && before !== undefined && DETERMINERS.has(before);
}

/** "to-day" and "today", "good-bye", "goodbye" and "good bye". */
function hyphened(key: string, { find }: JoinedWords): Group | undefined {
  if (!key.includes("-")) return undefined;
  const [one = "", other = "", more] = key.split("-");
  if (more !== undefined || one.length < 2 || other.length < 2) return undefined;
  const closed = find(one + other);
  const [first, second] = [find(one), find(other)];
  const own = find(key)!; // a key has a number
  const forms: Form[] = [{ text: key, numbers: [own] }];
  if (closed !== undefined) forms.push({ text: one + other, numbers: [closed] });
  // Before a noun a hyphen is right that is wrong behind one, "well-known": two words alone are told only of few.
  if (
    first !== undefined &&
    second !== undefined &&
    (closed !== undefined || !/^(?:well|half|ill|all|so|self|old|new|long|much|ever)$|ly$/.test(one))
  )
    forms.push({ text: `${one} ${other}`, numbers: [first, second] });
  return forms.length > 1 ? { kind: "hyphen", forms } : undefined;
}

function spelled(key: string, { find }: JoinedWords): Group | undefined {
  const other = otherSpelling(key);
  if (other === undefined) return undefined;
  const [own, number] = [find(key), find(other)];
  if (own === undefined || number === undefined) return undefined;
  return {
    kind: "spelling",
    forms: [
      { text: key, numbers: [own] },
      { text: other, numbers: [number] },
    ],
  };
}

/** "12" and "twelve"; one and two are too much else. */
function counted(key: string, { find }: JoinedWords): Group | undefined {
  const value = /^(?:t[ehw]|f[io]|s[ei]|e[il]|ni)/.test(key) ? numberOf(key) : undefined;
  if (value === undefined || value < 3) return undefined;
  const [own, digits] = [find(key), find(String(value))];
  if (own === undefined || digits === undefined) return undefined;
  return {
    kind: "number",
    forms: [
      { text: String(value), numbers: [digits] },
      { text: key, numbers: [own] },
    ],
  };
}

/** "the Council" and "the council". */
function capitalised(key: string, number: number, { small, capital }: JoinedWords): Group | undefined {
  if (small[number]! < 2 || capital[number]! < 2 || !isContentWord(key)) return undefined; // a key has a number
  const text = key.charAt(0).toUpperCase() + key.slice(1);
  return {
    kind: "capital",
    forms: [
      { text, numbers: [number], capital: true },
      { text: key, numbers: [number], capital: false },
    ],
  };
}
