import type { NamedSpan } from "./cast-names.ts";
import { type NameSpelling, nameAt, spellingsOf } from "./names/spellings.ts";
import type { ReadingFact, ReadingMention } from "./reading.ts";
import { createWordScan, type WordHit } from "./text/word-scan.ts";

/** The names of a cast, ready to be found. */
export interface CastScan {
  cast: readonly ReadingFact[];
  /** The place of each in the cast, by its id. */
  places: ReadonlyMap<string, number>;
  scan(text: string): WordHit<readonly NameSpelling[]>[];
}

/** Returns a scanner for the names of a cast. A part of a person's name that nobody else bears is a name, too. */
export function castScanOf(cast: readonly ReadingFact[]): CastScan {
  return {
    cast,
    places: new Map(cast.map(({ id }, place) => [id, place])),
    scan: createWordScan(spellingsOf(cast)),
  };
}

/** The names in a text, in order, none overlapping another; an anchored mention wins over a name. */
export function castNamesIn(
  text: string,
  { cast, places, scan }: CastScan,
  mentions: readonly ReadingMention[] = [],
): NamedSpan[] {
  const named = mentions.flatMap(({ from, to, factId }): NamedSpan[] => {
    const fact = cast[places.get(factId) ?? cast.length];
    return fact === undefined ? [] : [{ from, to, facts: [fact] }];
  });
  let end = 0;
  for (const { from, value } of scan(text)) {
    const name = from < end ? undefined : nameAt(text, from, value);
    if (name === undefined) continue;
    end = name.to;
    if (mentions.some((one) => one.from < name.to && from < one.to)) continue;
    named.push({ from, to: name.to, facts: name.facts.flatMap((place) => cast[place] ?? []) });
  }
  return named.sort((one, other) => one.from - other.from);
}
