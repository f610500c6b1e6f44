import {
  EPITHETS,
  type Gender,
  genderOfGiven,
  genderOfHonorific,
  isGiven,
  isHonorific,
  marriageOf,
} from "../word-lists.ts";

/** A person's name in its parts; all words are keys. */
export interface ParsedName {
  titles: readonly string[];
  /** The name without titles, epithets and "Esq.". */
  rest: readonly string[];
  given: string | null;
  /** The last word after a given name or a title. */
  surname: string | null;
  gender: Gender | undefined;
  marriage: "married" | "unmarried" | undefined;
}

const ENDINGS = new Set(["jr", "sr", "esq", "junior", "senior"]);
/** Titles in full, each with the short form that it is read as. */
const LONG: ReadonlyMap<string, string> = new Map(
  "mister mr, doctor dr, captain capt, colonel col, major maj, professor prof, reverend rev, lieutenant lt, lieut lt, sergeant sgt, general gen, mistress mrs, monsieur m, madame mme, mademoiselle mlle, saint st"
    .split(", ")
    .map((pair) => pair.split(" ") as [string, string]),
);

/**
 * The parts of a name by its key: "mr darcy" is titled, "fitzwilliam darcy" has a given name. `isWord` knows the words
 * that the book writes small: they are no given names, so that "Whisper Thaler" is a Thaler.
 */
export function parseName(key: string, isWord: (word: string) => boolean): ParsedName {
  const words = key.split(" ");
  const last = words.length - 1;
  const isEpithet = (word: string) => EPITHETS.has(word) || (!bearsName(word) && isWord(word));
  const from = words.findIndex((word, at) => at === last || !isEpithet(word));
  const to = words.findIndex(
    (word, at) => at === last || (at >= from && (!isHonorific(word) || word === "of")),
  );
  const titles = words.slice(from, to);
  const rest = withoutSeat(words.slice(to)).filter((word, index) => index === 0 || !ENDINGS.has(word));
  const [first = ""] = rest; // never empty: the last word stays
  const given = rest.length > 1 || titles.length === 0 ? first : null;
  const surname = rest.length > 1 || titles.length > 0 ? (rest.at(-1) ?? first) : null;
  const titled = titles.map(genderOfHonorific).find((gender) => gender !== undefined);
  return {
    titles: titles.map(shortTitle),
    rest,
    given,
    surname,
    gender: titled ?? genderOfGiven(given ?? first),
    marriage: titles.map(marriageOf).find((marriage) => marriage !== undefined),
  };
}

/** The short form of a title in small letters: "capt" of "captain". */
export function shortTitle(title: string): string {
  return LONG.get(title) ?? title;
}

function bearsName(word: string): boolean {
  return isGiven(word) || isHonorific(word);
}

/** "Bridget of Gaverick" is Bridget, and the Countess "of Gaverick" is Gaverick. */
function withoutSeat(words: readonly string[]): readonly string[] {
  const of = words.indexOf("of");
  if (of < 0 || of === words.length - 1) return words;
  return of === 0 ? words.slice(words[1] === "the" && words.length > 2 ? 2 : 1) : words.slice(0, of);
}
