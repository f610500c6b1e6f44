import { isPerson, likelyGenderOf } from "./cast-names.ts";
import { type NameSpelling, spellingsOf } from "./names/spellings.ts";
import type { ReadingFact } from "./reading.ts";
import { HINTS, type Hint, OF_DIGITS } from "./reports/passages/hints.ts";
import { createWordScan, type WordHit } from "./text/word-scan.ts";
import { type Gender, isHonorific } from "./word-lists.ts";

/** Whom a word means that is no name; `anyone` is a person of either kind ("the prisoner"). */
export type Pronoun = Gender | "anyone" | "speaker";

/** Roles of a word in a description. All have all keys: V8 reads objects of one shape fastest. */
export interface CastWord {
  hints: readonly Hint[];
  pronoun: Pronoun | undefined;
  /** Only where "the" or its like stands before it. */
  isNoun: boolean;
  /** Whom alone it means with "the" before it: "the inspector", if one has it in a name. */
  called: number | undefined;
  /** Names that begin with it, the longest first. */
  names: readonly NameSpelling[] | undefined;
}

/** A fact as descriptions are looked for. */
export interface CastMember {
  id: string;
  isPerson: boolean;
  gender: Gender | undefined;
}

/** A cast, and what finds its names, pronouns and words that describe. */
export interface CastWords {
  members: readonly CastMember[];
  scan(text: string): WordHit<CastWord>[];
}

const PRONOUNS: Readonly<Record<Pronoun, string>> = {
  male: "he him his himself",
  female: "she her hers herself",
  speaker: "i me my mine myself",
  anyone: "they them their theirs",
};
/** Nouns that stand for a person, by whom they may mean. */
export const PERSON_NOUNS: Readonly<Record<Gender | "anyone", string>> = {
  female:
    "woman girl lady mother sister daughter wife widow aunt nurse maid bride queen grandmother niece mistress actress",
  male: "man boy gentleman father brother son husband uncle fellow lad king grandfather nephew",
  anyone:
    "captain inspector sergeant major colonel doctor professor detective constable officer soldier sailor priest prisoner child stranger driver old other guest patient teacher surgeon judge lawyer writer painter singer pianist",
};

/** The words of a cast. A part of a person's name that nobody else bears is a name, too. */
export function castWordsOf(cast: readonly ReadingFact[]): CastWords {
  const words = new Map<string, CastWord>();
  const at = (key: string): CastWord => {
    const word = words.get(key) ?? wordOf([]);
    words.set(key, word);
    return word;
  };
  for (const [key, hints] of HINTS) at(key).hints = hints;
  for (const [pronoun, keys] of Object.entries(PRONOUNS))
    for (const key of keys.split(" ")) at(key).pronoun = pronoun as Pronoun; // its own keys
  for (const [pronoun, keys] of Object.entries(PERSON_NOUNS))
    for (const key of keys.split(" ")) Object.assign(at(key), { pronoun: pronoun as Pronoun, isNoun: true }); // as above
  for (const [key, names] of spellingsOf(cast)) at(key).names = names;
  for (const [key, facts] of calledOf(cast)) if (facts.length === 1) at(key).called = facts[0]!; // there is one
  const members = cast.map((fact) => ({
    id: fact.id,
    isPerson: isPerson(fact),
    gender: likelyGenderOf(fact),
  }));
  return { members, scan: createWordScan(words, wordOf(OF_DIGITS)) };
}

function wordOf(hints: readonly Hint[]): CastWord {
  return { hints, pronoun: undefined, isNoun: false, called: undefined, names: undefined };
}

/** The titles that stand in names, and in whose. */
function calledOf(cast: readonly ReadingFact[]): Map<string, number[]> {
  const called = new Map<string, number[]>();
  for (const [index, { name, aliases }] of cast.entries()) {
    const titles = `${name} ${aliases.join(" ")}`.toLowerCase().match(/\p{L}+/gu) ?? [];
    for (const title of new Set(titles)) {
      if (isHonorific(title)) called.set(title, [...(called.get(title) ?? []), index]);
    }
  }
  return called;
}
