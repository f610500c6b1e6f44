import type { ReadingFact } from "../../reader.ts";
import { isPerson } from "../names/cast-names.ts";
import { tokenize } from "../text/tokens.ts";
import { isHonorific } from "../words/honorifics.ts";
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
  return people.flatMap(({ fact, words }, index) =>
    people.slice(index + 1).flatMap((other) => {
      if (words.some((word) => other.words.includes(word))) return [];
      const [one, two] = [firstNameOf(fact), firstNameOf(other.fact)];
      if (one === undefined || two === undefined || !areAlike(one, two)) return [];
      const [mine, theirs] = [firstOf(shelf, fact), firstOf(shelf, other.fact)];
      if (mine === undefined || theirs === undefined) return [];
      return findingOf([fact, other.fact], [mine, theirs]);
    }),
  );
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

function firstOf(shelf: Shelf, fact: ReadingFact): Evidence | undefined {
  const keys = wordsOf(fact);
  for (const [chapter, chapterId] of shelf.chapterIds.entries()) {
    const capital = shelf.statistics.chapters.get(chapterId)?.tally.capital;
    if (capital === undefined || ![...capital.keys()].some((key) => keys.includes(plainSpelling(key))))
      continue;
    for (const passage of shelf.passages(chapter)) {
      const span = shelf.named(passage).find(({ facts }) => facts.length === 1 && facts[0] === fact);
      if (span !== undefined) return evidenceAt(passage, span.from, span.to);
    }
  }
  return undefined;
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
