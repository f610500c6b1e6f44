import type { Vocabulary } from "../index/vocabulary.ts";

const ONE_SLIP = 0.9;
const TWO_SLIPS = 0.8;
const SHORTEST = 4;
const LONGEST = 40;
/** Longer words may have two slips; shorter ones of six letters only if nothing is nearer. */
const LONG = 8;

/**
 * Words of the index that an unknown term of 4 to 40 letters may misspell: a letter added, dropped, changed or
 * exchanged with its neighbour; two such slips if the term is long or nothing is nearer. `weight` is below 1.
 */
export function corrections(term: string, vocabulary: Vocabulary): { word: string; weight: number }[] {
  if (term.length < SHORTEST || term.length > LONGEST) return [];
  const near = new Set(vocabulary.near(term, 1));
  for (const word of exchanges(term)) if (vocabulary.frequency(word) > 0) near.add(word);
  const found = [...near].map((word) => ({ word, weight: ONE_SLIP }));
  if (term.length <= LONG && (near.size > 0 || term.length < 6)) return found;
  const far = vocabulary.near(term, 2).filter((word) => !near.has(word));
  return [...found, ...far.map((word) => ({ word, weight: TWO_SLIPS }))];
}

/** The term with two neighbouring letters exchanged, at each place. */
function exchanges(term: string): string[] {
  return Array.from({ length: term.length - 1 }, (_, at) => {
    return term.slice(0, at) + term.charAt(at + 1) + term.charAt(at) + term.slice(at + 2);
  });
}
