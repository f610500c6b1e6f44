import type { ReadingFact } from "../../../reading/reading.ts";
import { scriptOf } from "../../../reading/statistics.ts";
import type { CapitalTally } from "../../../reading/tally.ts";
import { type Token, tokenize } from "../../../reading/tokens.ts";
import { isGiven, isHonorific, placeWeight } from "../../../reading/word-lists.ts";
import { smallest } from "../../../text/extremes.ts";
import {
  type Evidence,
  evidenceAt,
  type Found,
  mayHold,
  type ProsePassage,
  type Rule,
  type Shelf,
} from "./passages.ts";
import { isDerived, isSaidSo, plainSpelling, type Slip, slipOf } from "./spelling.ts";

/** A word of a cast name that can be misspelt, as it is seen in the book. */
interface Known {
  key: string;
  plain: string;
  text: string;
  facts: ReadingFact[];
  /** Its occurrences with a capital, and their company. */
  count: number;
  tally: CapitalTally;
}

/** A word that may be a slip of a known one. */
interface Suspect {
  key: string;
  known: Known;
  slip: Slip;
  count: number;
  confidence: number;
}

interface Place {
  passage: ProsePassage;
  token: Token;
  at: number;
}

const SHORTEST = 4;
/** A slip is rare compared with the name: at most this share of its occurrences. */
const RARE = 0.13;
const OFTEN = 8;
/** A word that is written small this often, as a share of its capitals, is no name: "Hard" of "Garraway Hard". */
const COMMON = 0.15;
const LEAST_CONFIDENCE = 0.4;
const SURE = 0.7;
const MOST_QUOTED = 8;
/** Days and months are no misspelt Freddy, Jane or August. */
const CALENDAR =
  /^(?:(?:sun|mon|tues|wednes|thurs|fri|satur)days?|january|february|march|april|may|june|july|august|september|october|november|december|sept|xmas|christmas|easter)$/;
/** Weight of each slip: high for slips of hand and ear, low for those that tell two names apart. */
const WEIGHTS: Readonly<Record<Slip, number>> = {
  swapped: 0.8,
  doubled: 0.75,
  sounds: 0.7,
  similar: 0.6,
  dropped: 0.6,
  inserted: 0.35,
  other: 0.25,
  two: 0.35,
};

/**
 * Names that drift: a word with a capital, rare, never seen in small letters, one slip away from a word of a cast name
 * and itself none. Silenced by making it an alias. Source: Damerau 1964.
 */
export const drift: Rule = { find: findDrift };

function findDrift(shelf: Shelf): Found[] {
  const known = knownWords(shelf);
  const own = new Set(castWords(shelf.cast).map(({ token }) => plainSpelling(token.key)));
  const { capital, lower } = shelf.statistics.total;
  // If every noun has a capital, a rare one beside a name tells less.
  const least = scriptOf(shelf.statistics.total) === "capital-nouns" ? SURE : LEAST_CONFIDENCE;
  return [...capital]
    .filter(([key]) => key.length >= SHORTEST - 1 && /^[\p{L}'-]+$/u.test(key) && !lower.has(key))
    .filter(([key]) => !own.has(plainSpelling(key)) && !isHonorific(key) && !CALENDAR.test(key))
    .filter(([key]) => !isGiven(key) && placeWeight(key) === 0) // Laura is nobody's Laure
    .filter(([key]) => !own.has(plainSpelling(key.replaceAll("-", "")))) // "O-li-ver!"
    .map(([key, tally]) => suspectOf(key, tally, known))
    .filter((suspect) => suspect !== undefined)
    .sort((a, b) => (a.key < b.key ? -1 : 1)) // the statistics' own order is that of their making
    .flatMap((suspect) => findingOf(shelf, suspect) ?? [])
    .filter(({ confidence }) => confidence >= least);
}

/** The words of cast names that the book uses as names: seen with capitals, hardly ever without. */
function knownWords({ cast, statistics: { total } }: Shelf): Known[] {
  const words = new Map<string, Known>();
  for (const { fact, token } of castWords(cast)) {
    const { key, text } = token;
    if (key.length < SHORTEST || token.shape === "lower") continue;
    const tally = total.capital.get(key);
    if (tally === undefined) continue;
    const count = tally.start + tally.middle + tally.upper;
    if ((total.lower.get(key) ?? 0) > (isHonorific(key) ? 0 : Math.max(2, count * COMMON))) continue;
    const word = words.get(key) ?? { key, plain: plainSpelling(key), text, facts: [], count, tally };
    if (!word.facts.includes(fact)) word.facts.push(fact);
    words.set(key, word);
  }
  return [...words.values()].filter(({ count }) => count >= 3);
}

function castWords(cast: readonly ReadingFact[]): { fact: ReadingFact; token: Token }[] {
  return cast.flatMap((fact) =>
    [fact.name, ...fact.aliases]
      .flatMap((name) => tokenize(name))
      .filter(({ kind }) => kind === "word")
      .map((token) => ({ fact, token })),
  );
}

function suspectOf(key: string, tally: CapitalTally, known: readonly Known[]): Suspect | undefined {
  const count = tally.start + tally.middle + tally.upper;
  const plain = plainSpelling(key);
  let best: Suspect | undefined;
  for (const word of known) {
    if (Math.abs(word.plain.length - plain.length) > 2 || !isRare(count, word)) continue;
    if (isDerived(plain, word.plain) || isSaidSo(plain, word.plain)) continue;
    const isOther = isDerived(word.plain, plain) || plain.replace(/men$/, "man") === word.plain;
    if (isOther && (isOfMany(word.tally) || isOfMany(tally))) continue;
    const slip = slipOf(word.plain, plain);
    if (slip === undefined) continue;
    const confidence = weigh(slip, word, { plain, count, tally });
    if (best === undefined || confidence > best.confidence)
      best = { key, known: word, slip, count, confidence };
  }
  return best;
}

/** Once, or twice if the name comes often, or a small share of its occurrences. */
function isRare(count: number, known: Known): boolean {
  return count === 1 || (count === 2 && known.count >= OFTEN) || count <= known.count * RARE;
}

function weigh(
  slip: Slip,
  known: Known,
  { plain, count, tally }: { plain: string; count: number; tally: CapitalTally },
): number {
  const { length } = known.plain;
  let confidence = WEIGHTS[slip];
  if (length < 5) confidence -= slip === "other" || slip === "inserted" ? 0.4 : 0.1;
  if (isAnother(slip, known.plain, plain)) confidence -= 0.15;
  if (length >= 7 && slip !== "two") confidence += 0.1;
  if (plain[0] !== known.plain[0] && slip !== "swapped" && slip !== "sounds") confidence -= 0.3;
  if (slip === "inserted" && plain.startsWith(known.plain)) confidence -= 0.2;
  if (tally.middle + tally.upper === 0) confidence -= 0.15;
  if (tally.start + tally.middle === 0) confidence -= 0.2; // "MSS" is no name
  if (count > 2) confidence -= 0.15;
  if (known.count < 5) confidence -= 0.1;
  return confidence;
}

/** True for a short name of which one letter is another: "Dido" is nobody's Dodo. */
function isAnother(slip: Slip, { length }: string, plain: string): boolean {
  if (plain.length !== length || slip === "swapped") return false;
  return length < 5 || (length < 6 && slip === "similar");
}

/** True if a word names a people or a family rather than one person: "the Malays", "a Malay". */
function isOfMany({ afterThe, afterA, middle }: CapitalTally): boolean {
  return afterA > 0 || afterThe > middle / 3;
}

function findingOf(shelf: Shelf, suspect: Suspect): Found | undefined {
  const places = shelf.chapterIds.flatMap((_, chapter) => placesIn(shelf, chapter, suspect.key));
  const [first] = places;
  if (first === undefined) return undefined; // another program has mended it since it was counted
  const confidence = Math.min(0.99, suspect.confidence + company(shelf, suspect, places));
  if (confidence < LEAST_CONFIDENCE) return undefined; // before the name is looked for
  const name = nearestName(shelf, suspect.known, first.passage);
  if (name === undefined) return undefined;
  const { text, facts } = suspect.known;
  const [fact, ...others] = facts;
  return {
    type: "name_drift",
    severity: "warn",
    message: `“${first.token.text}” stands ${times(suspect.count)} where the book otherwise has “${text}” (${times(suspect.known.count)}); if both are meant, make it an alias.`,
    factId: fact !== undefined && others.length === 0 ? fact.id : null,
    evidence: [
      name,
      ...places.slice(0, MOST_QUOTED).map(({ passage, token }) => evidenceAt(passage, token.from, token.to)),
    ],
    suggestion: text,
    confidence: Math.round(confidence * 100) / 100,
    claim: ["drift", suspect.key, suspect.known.key],
  };
}

/** Every place of a word in a chapter, in reading order. */
function placesIn(shelf: Shelf, chapter: number, key: string): Place[] {
  const chapterId = shelf.chapterIds[chapter] ?? "";
  if (shelf.statistics.chapters.get(chapterId)?.tally.capitalOf(key) === undefined) return [];
  return shelf.passages(chapter).flatMap((passage) => {
    if (!mayHold(passage, key)) return [];
    const tokens = [...shelf.tokens(passage).entries()];
    return tokens.flatMap(([at, token]) =>
      token.key === key && token.shape !== "lower" && !isBroken(passage.text, token)
        ? [{ passage, token, at }]
        : [],
    );
  });
}

/** True for a part of a word that a hyphen breaks: "Corri- gan". */
function isBroken(text: string, { from, to }: Token): boolean {
  return /^(?:-(?!-)|\u00ad)/.test(text.slice(to)) || /(?:(?<!-)-|\u00ad)$/.test(text.slice(from - 2, from));
}

/** Scores the neighbouring words: another word of the same name speaks for a slip, a word of another name against. */
function company(shelf: Shelf, { known }: Suspect, places: readonly Place[]): number {
  const own = new Set(castWords(known.facts).map(({ token }) => token.key));
  const { lower } = shelf.statistics.total;
  const scores = places.map(({ passage, at }) => {
    const tokens = shelf.tokens(passage);
    const beside = [tokens[at - 1], tokens[at + 1]].flatMap((token) =>
      token?.kind === "word" && token.shape !== "lower" && !isHonorific(token.key) ? [token.key] : [],
    );
    if (beside.some((key) => own.has(key) && key !== known.key)) return 0.3;
    return beside.some((key) => !lower.has(key)) ? -0.3 : 0;
  });
  return smallest(scores);
}

/** The name in its own spelling: the nearest before the first slip in its chapter, else in a chapter before, else behind. */
function nearestName(
  shelf: Shelf,
  { key }: Known,
  { chapter: slipped, block }: ProsePassage,
): Evidence | undefined {
  const chapters = [...shelf.chapterIds.keys()];
  for (const chapter of [slipped, ...chapters.slice(0, slipped).reverse(), ...chapters.slice(slipped + 1)]) {
    const known = shelf.statistics.chapters.get(shelf.chapterIds[chapter] ?? "");
    if (known?.tally.capitalOf(key) === undefined) continue;
    const found = [...known.runs].flatMap((run) =>
      run.words.flatMap((word) =>
        word.key === key && word.shape !== "lower" ? [{ ...word, block: run.block }] : [],
      ),
    );
    const before = found.filter((word) => chapter !== slipped || word.block <= block);
    const nearest = before.at(-1) ?? found[0];
    const passage = nearest === undefined ? undefined : shelf.passages(chapter)[nearest.block];
    if (nearest !== undefined && passage !== undefined) return evidenceAt(passage, nearest.from, nearest.to);
  }
  return undefined;
}

function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}
