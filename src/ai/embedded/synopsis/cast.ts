import { findCastNames, isPerson, namesOfCast } from "../../../reading/names/cast-names.ts";
import type { ReadingChapter, ReadingFact } from "../../../reading/reading.ts";
import type { BookStatistics } from "../../../reading/text/statistics.ts";
import type { WordTally } from "../../../reading/text/tally.ts";
import { type Token, tokenize } from "../../../reading/text/tokens.ts";
import { isHonorific } from "../../../reading/words/honorifics.ts";

/** A name in a chapter, and what it was seen doing there. */
interface Seen {
  label: string;
  count: number;
  /** The first occurrence's place among the chapter's names: the order among equals. */
  first: number;
  isPlace: boolean;
}

const MOST_PEOPLE = 6;
const MOST_PLACES = 3;
/** A name that the cast does not hold must come this often. */
const FEWEST_UNKNOWN = 2;
/** And must hardly ever be written small, and be seen to be a place. */
const COMMON = 0.1;
const FEWEST_IN_PLACE = 4;
const THING = /object|item|thing|event|organi[sz]ation/i;
/** Days, months and contractions, which have capitals and name nobody. */
const NO_NAME =
  /'|^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|october|november|december|christmas|easter|god|english|french|german)$/;

/**
 * `With: Mara, Tobit. At: the Swatch.`: who is named most in a chapter and where it plays, most first; "" for nobody.
 * Names that the cast does not hold are judged by what they do in the whole book.
 */
export function peopleAndPlaces(
  chapter: ReadingChapter,
  cast: readonly ReadingFact[],
  { total }: BookStatistics,
): string {
  const known = new Map<string, Seen>();
  const unknown = new Map<string, Seen>();
  const names = namesOfCast(cast);
  let first = 0;
  const enter = (seen: Map<string, Seen>, key: string, found: Omit<Seen, "count" | "first">) => {
    const one = seen.get(key) ?? { ...found, count: 0, first: first++ };
    one.count++;
    if (found.label.length > one.label.length) one.label = found.label; // "Mr. Sandeman" rather than "Sandeman"
    seen.set(key, one);
  };
  for (const { text } of chapter.blocks) {
    const tokens = tokenize(text);
    const found = findCastNames(tokens, names);
    for (const { facts } of found) {
      const [fact] = facts;
      if (fact === undefined || facts.length > 1 || THING.test(fact.kind)) continue;
      enter(known, fact.id, { label: fact.name, isPlace: !isPerson(fact) });
    }
    for (const [at, token] of tokens.entries()) {
      if (token.shape !== "capital" || found.some(({ from, to }) => from <= token.from && token.to <= to))
        continue;
      const isPlace = judge(token.key, total);
      if (isPlace !== undefined)
        enter(unknown, token.key, { label: labelOf(token, tokens[at - 1]), isPlace });
    }
  }
  const often = [...unknown.values()].filter(({ count }) => count >= FEWEST_UNKNOWN);
  return closingLine([...known.values(), ...often].sort((a, b) => b.count - a.count || a.first - b.first));
}

function closingLine(seen: readonly Seen[]): string {
  const list = (isPlace: boolean, most: number) =>
    seen
      .filter((one) => one.isPlace === isPlace)
      .slice(0, most)
      .map(({ label }) => label.replace(/\.$/, ""))
      .join(", ");
  const people = list(false, MOST_PEOPLE);
  const places = list(true, MOST_PLACES);
  return [people && `With: ${people}.`, places && `At: ${places}.`].filter(Boolean).join(" ");
}

/** True for a word that names a place, false for a person, undefined for no name. The cast does not know it. */
function judge(key: string, { lower, capital }: WordTally): boolean | undefined {
  const tally = capital.get(key);
  if (tally === undefined || key.length < 3 || isHonorific(key) || NO_NAME.test(key)) return undefined;
  if ((lower.get(key) ?? 0) > tally.middle * COMMON || tally.middle === 0) return undefined;
  const person = 2 * tally.afterHonorific + tally.besideSpeech + tally.beforeDeed + tally.vocative;
  const place = 2 * tally.inPlace + tally.onWay;
  if (person > place) return tally.afterThe > tally.middle / 2 ? undefined : false;
  return place >= FEWEST_IN_PLACE ? true : undefined;
}

/** The word with the title before it. */
function labelOf({ text }: Token, before: Token | undefined): string {
  const isTitled = before?.kind === "word" && before.shape !== "lower" && isHonorific(before.key);
  return isTitled ? `${before.text} ${text}` : text;
}
