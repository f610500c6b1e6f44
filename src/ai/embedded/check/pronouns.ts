import { genderOf, isPerson, type NamedSpan } from "../../../reading/cast-names.ts";
import type { ReadingFact } from "../../../reading/reading.ts";
import type { Gender } from "../../../reading/word-lists.ts";
import type { ProsePassage, RelevantPassage, Shelf } from "./passages.ts";

/** Whom a phrase is about, and the words that say so. */
export interface Owner {
  fact: ReadingFact;
  passage: ProsePassage;
  from: number;
  to: number;
  /** True if named next to the phrase, false if meant by a pronoun. */
  isNamed: boolean;
}

const NOUNS: Readonly<Record<Gender, RegExp>> = {
  female:
    /\b(?:woman|girl|lady|mother|sister|daughter|wife|widow|aunt|nurse|maid|bride|queen|grandmother|niece)\b/i,
  male: /\b(?:man|boy|gentleman|father|brother|son|husband|uncle|fellow|lad|king|grandfather|nephew|captain|priest)\b/i,
};

/** Who a name means: a person, and nobody else. */
export function personOf({ facts }: NamedSpan): ReadingFact | undefined {
  const [fact] = facts;
  return fact !== undefined && facts.length === 1 && isPerson(fact) ? fact : undefined;
}

/** The person whose name ends at this offset, such as before the possessive of "Mara’s". */
export function ownerNamed(shelf: Shelf, passage: ProsePassage, end: number): Owner | undefined {
  const span = shelf.named(passage).find(({ to }) => to === end);
  const fact = span === undefined ? undefined : personOf(span);
  return fact === undefined || span === undefined
    ? undefined
    : { fact, passage, from: span.from, to: span.to, isNamed: true };
}

/**
 * Whom "he" or "she" means at a place: the one person named before it in the passage, outside quotation marks, who can
 * be; if none is named, the one of the passage before. Undefined as soon as there are two, or another man or woman
 * is named between.
 */
export function ownerMeant(
  shelf: Shelf,
  passage: RelevantPassage,
  at: number,
  gender: Gender,
): Owner | undefined {
  const here = candidates(shelf, passage, at, gender);
  if (here.length > 0) return only(here, passage.text.slice(here.at(-1)?.to, at), gender);
  const { above } = passage;
  if (above === undefined || NOUNS[gender].test(passage.text.slice(0, at))) return undefined;
  // A paragraph may begin with somebody else: only who is known to be "she" is meant across it.
  const before = candidates(shelf, above, above.text.length, gender);
  const owner = only(before, above.text.slice(before.at(-1)?.to), gender);
  return owner !== undefined && genderOf(owner.fact) === gender ? owner : undefined;
}

function candidates(shelf: Shelf, passage: ProsePassage, end: number, gender: Gender): Owner[] {
  const quoted = shelf.quoted(passage);
  return shelf.named(passage).flatMap((span) => {
    const fact = personOf(span);
    if (span.to > end || quoted[span.from] === 1) return [];
    const [first] = span.facts;
    if (fact === undefined) {
      if (first === undefined || !span.facts.some(isPerson)) return [];
      return [{ ...span, fact: first, passage, isNamed: false }];
    }
    const other = genderOf(fact);
    return other === undefined || other === gender
      ? [{ fact, passage, from: span.from, to: span.to, isNamed: false }]
      : [];
  });
}

/** Animals that may be meant as well. */
const ANIMAL =
  /\b(?:mare|horse|pony|stallion|dog|bitch|cat|puppy|hound|spaniel|terrier|cow|donkey|mule|parrot)\b/i;

function only(found: readonly Owner[], between: string, gender: Gender): Owner | undefined {
  const last = found.at(-1);
  if (last === undefined || NOUNS[gender].test(between) || ANIMAL.test(between)) return undefined;
  return found.every(({ fact }) => fact === last.fact) ? last : undefined;
}
