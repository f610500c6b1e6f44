import { isPerson } from "../../../reading/cast-names.ts";
import type { ReadingFact } from "../../../reading/reading.ts";
import { tokenize } from "../../../reading/tokens.ts";
import { isHonorific } from "../../../reading/word-lists.ts";
import { once } from "../../../text/once.ts";
import { type Evidence, evidenceAt, type Found, type Rule, type Shelf } from "./passages.ts";
import { isDerived, isVowel, plainSpelling, soundOf, spellingDistance } from "./spelling.ts";

const SHORTEST = 4;

/**
 * Pairs of people whose first names readers will take for one another, such as Marian and Marion. Said once, where the
 * second of them first appears; relatives, who share a name, are left alone.
 */
export const similarNames: Rule = { find: findSimilar };

function findSimilar(shelf: Shelf): Found[] {
  const people = shelf.cast.filter(isPerson).map((fact) => ({ fact, words: wordsOf(fact) }));
  const alike = alikeNames(people.map(({ fact }) => firstNameOf(fact)));
  const firstOf = firstSeen(shelf);
  return people.flatMap(({ fact, words }, index) =>
    alike(index).flatMap((at) => {
      const other = people[at]!; // indexes are those of the people
      if (words.some((word) => other.words.includes(word))) return [];
      const [mine, theirs] = [firstOf(fact), firstOf(other.fact)];
      if (mine === undefined || theirs === undefined) return [];
      return findingOf([fact, other.fact], [mine, theirs]);
    }),
  );
}

/**
 * Of each of these names, where those behind it stand that are like it. Names of one slip have a spelling in common with a
 * letter left out, of two they have their sound: so no name is compared with all. About O(names × letters).
 */
function alikeNames(names: readonly (string | undefined)[]): (index: number) => number[] {
  const places = new Map<string, number[]>();
  for (const [index, name] of names.entries()) if (name !== undefined) add(places, name, index);
  const keyed = new Map<string, string[]>();
  for (const name of places.keys()) for (const key of keysOf(name)) add(keyed, key, name);
  const likes = new Map<string, number[]>();
  for (const name of places.keys()) {
    const near = new Set([...keysOf(name)].flatMap((key) => keyed.get(key) ?? []));
    const found = [...near]
      .filter((other) => areAlike(name, other))
      .flatMap((other) => places.get(other) ?? []);
    likes.set(
      name,
      found.sort((a, b) => a - b),
    );
  }
  return (index) => (likes.get(names[index] ?? "") ?? []).filter((at) => at > index);
}

function keysOf(name: string): Set<string> {
  const shorter = Array.from({ length: name.length }, (_, at) => name.slice(0, at) + name.slice(at + 1));
  return new Set([name, ...shorter, `sound ${soundOf(name)}`]);
}

function add<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The first name, plain; undefined for "Mr. Quill", who has none. */
function firstNameOf({ name, ...fact }: ReadingFact): string | undefined {
  const words = wordsOf({ name, ...fact });
  const [title] = tokenize(name);
  return words.length === 1 && title !== undefined && isHonorific(title.key) ? undefined : words[0];
}

/** The words of a fact's name, plain, without titles and words in small letters. */
function wordsOf({ name }: ReadingFact): string[] {
  return tokenize(name)
    .filter(
      ({ kind, shape, key, text }) =>
        kind === "word" && shape !== "lower" && !isHonorific(key) && !text.endsWith("."),
    )
    .map(({ key }) => plainSpelling(key));
}

function areAlike(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < SHORTEST || a[0] !== b[0]) return false;
  if (isDerived(a, b) || isDerived(b, a)) return false;
  const edits = spellingDistance(a, b);
  if (edits === 1)
    return Math.min(a.length, b.length) > SHORTEST || isVowel(a.slice(-1)) === isVowel(b.slice(-1));
  return edits === 2 && Math.min(a.length, b.length) > 5 && soundOf(a) === soundOf(b);
}

/** Returns where a fact is first named alone; of each the book is searched once. */
function firstSeen(shelf: Shelf): (fact: ReadingFact) => Evidence | undefined {
  const seen = new Map<ReadingFact, Evidence | undefined>();
  const capitals = shelf.chapterIds.map((chapterId) => {
    const tally = shelf.statistics.chapters.get(chapterId)?.tally;
    return once(() => new Set(tally?.capitals().map(plainSpelling)));
  });
  const find = (fact: ReadingFact): Evidence | undefined => {
    const keys = wordsOf(fact);
    for (const chapter of shelf.chapterIds.keys()) {
      if (!keys.some((key) => capitals[chapter]?.().has(key))) continue;
      for (const passage of shelf.passages(chapter)) {
        const span = shelf.named(passage).find(({ facts }) => facts.length === 1 && facts[0] === fact);
        if (span !== undefined) return evidenceAt(passage, span.from, span.to);
      }
    }
    return undefined;
  };
  return (fact) => {
    if (!seen.has(fact)) seen.set(fact, find(fact));
    return seen.get(fact);
  };
}

function findingOf([one, two]: readonly [ReadingFact, ReadingFact], evidence: Evidence[]): Found {
  return {
    type: "name_drift",
    severity: "info",
    message: `${one.name} and ${two.name} are easily taken for one another.`,
    factId: two.id,
    evidence,
    suggestion: null,
    confidence: 0.5,
    claim: ["similar", one.name, two.name],
  };
}
