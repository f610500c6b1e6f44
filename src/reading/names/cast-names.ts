import { groupBy } from "../../text/group-by.ts";
import type { ReadingFact } from "../reading.ts";
import { type Token, tokenize } from "../text/tokens.ts";

/** A name or an alias of the cast, found in a text; offsets are UTF-16. */
export interface NamedSpan {
  from: number;
  to: number;
  /** Facts that have this name; several if an alias is shared. */
  facts: readonly ReadingFact[];
}

/** The names of a cast, ready to be found. */
export interface CastNames {
  /** By the key of their first word, longest first. */
  byFirst: ReadonlyMap<string, readonly Spelling[]>;
}

interface Spelling {
  first: Token;
  tokens: readonly Token[];
  facts: ReadingFact[];
}

/** Every name and alias of the cast. */
export function namesOfCast(cast: readonly ReadingFact[]): CastNames {
  const spellings = new Map<string, Spelling>();
  for (const fact of cast) {
    for (const text of [fact.name, ...fact.aliases]) {
      const tokens = tokenize(text).filter(({ kind }) => kind !== "mark");
      const [first] = tokens;
      if (first === undefined) continue;
      const key = tokens.map((token) => token.key).join(" ");
      const spelling = spellings.get(key) ?? { first, tokens, facts: [] };
      if (!spelling.facts.includes(fact)) spelling.facts.push(fact);
      spellings.set(key, spelling);
    }
  }
  const byFirst = groupBy(spellings.values(), ({ first }) => first.key);
  for (const list of byFirst.values()) list.sort((a, b) => b.tokens.length - a.tokens.length);
  return { byFirst };
}

/** The names in a text, in order, none overlapping another; the longest wins. O(length). */
export function findCastNames(tokens: readonly Token[], { byFirst }: CastNames): NamedSpan[] {
  const found: NamedSpan[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const first = tokens[at]!; // at < length
    const longest = byFirst.get(first.key)?.find((spelling) => stands(spelling, tokens, at));
    if (longest === undefined) continue;
    at += longest.tokens.length - 1;
    found.push({ from: first.from, to: tokens[at]!.to, facts: longest.facts }); // all its words stand there
  }
  return found;
}

/** True for a fact that can have eyes, an age and a voice: anything but a place or a thing. */
export function isPerson({ kind }: ReadingFact): boolean {
  return !/place|location|setting|object|item|thing|organi[sz]ation|event|house|ship|city|town/i.test(kind);
}

function stands({ tokens: words }: Spelling, tokens: readonly Token[], at: number): boolean {
  return words.every((word, index) => {
    const token = tokens[at + index];
    if (token === undefined || token.key !== word.key || token.kind === "mark") return false;
    return word.shape === "lower" ? token.shape === "lower" || token.isStart : token.shape !== "lower";
  });
}
