import { COMMONEST } from "./common.ts";
import type { Mark } from "./finding.ts";

/** A word of the narration. */
export interface NarratedWord {
  key: string;
  from: number;
  to: number;
  /** The sentence's place in its paragraph. */
  sentence: number;
  /** A mark stands between it and the word before. */
  isParted: boolean;
  isCapital: boolean;
}

/** So many sentences on, a word is still in the ear. */
const SENTENCES = 2;
const SHORTEST = 5;
const NEAREST = 5;
const FARTHEST = 30;
const OWNERS = new Set(
  "his her my their our your its the this that these those no any every each some all such".split(" "),
);
const SUBJECTS = new Set("he she they i we it who".split(" "));
const JOINING = new Set("and or nor than as but not no never by after upon".split(" "));

type Role = "manner" | "deed" | "quality" | undefined;

/** Returns what a word does in its sentence, as far as its neighbours tell: an adverb, somebody's deed, an adjective. */
function roleOf(words: readonly NarratedWord[], at: number): Role {
  const { key, sentence, isParted } = words[at]!; // the callers' own
  if (key.endsWith("ly")) return "manner";
  const before = words[at - 1];
  if (before?.sentence !== sentence || isParted) return undefined;
  if (key.endsWith("ed") && (SUBJECTS.has(before.key) || before.isCapital)) return "deed";
  const isLead = OWNERS.has(before.key) || before.key === "a" || before.key === "an";
  const isBefore = isLead && isNoun(words[at + 1], sentence);
  return isBefore && !/(?:s|tion|ness|ment)$/.test(key) ? "quality" : undefined;
}

/** True of a word that may be what an adjective before it is said of. */
function isNoun(word: NarratedWord | undefined, sentence: number): boolean {
  if (word?.sentence !== sentence || word.isParted || word.isCapital) return false;
  return word.key.length > 3 && !COMMONEST.has(word.key) && !/(?:ed|ing|ly|s)$/.test(word.key);
}

/** Words that come back by accident: the second of two in the same role, a sentence or two apart, where nothing calls for it. */
export function repeatsIn(words: readonly NarratedWord[]): Mark[] {
  const marks: Mark[] = [];
  const last = new Map<string, { at: number; sentence: number; role: Role; count: number }>();
  for (let at = 0; at < words.length; at++) {
    const { key, from, to, sentence, isCapital } = words[at]!; // below its length
    if (isCapital || key.length < SHORTEST || COMMONEST.has(key)) continue;
    const role = roleOf(words, at);
    const known = last.get(key);
    const isNear = known !== undefined && at - known.at <= FARTHEST && sentence - known.sentence <= SENTENCES;
    const near = isNear ? known : undefined;
    if (role === undefined) {
      if (near !== undefined) last.set(key, { at, sentence, role, count: near.count + 1 });
      continue;
    }
    if (near?.role === role && at - near.at >= NEAREST && near.count === 1 && !isMeant(words, near.at, at))
      marks.push({ kind: "repeat", word: key, from, to });
    last.set(key, { at, sentence, role, count: near === undefined ? 1 : near.count + 1 });
  }
  return marks;
}

const EXPECTED = new Set([...SUBJECTS, ...OWNERS, "a", "an"]);

/** True of a repetition that the sentences are built on: the words beside it are the same, too, or the two are joined. */
function isMeant(words: readonly NarratedWord[], one: number, other: number): boolean {
  const keyAt = (at: number) => words[at]?.key ?? "";
  const isBeside = [-1, 1].some(
    (place) => keyAt(one + place) === keyAt(other + place) && !EXPECTED.has(keyAt(one + place)),
  );
  if (isBeside || words[one]!.sentence === words[other]!.sentence) return true; // the caller's own
  if ([one, other].some((at) => JOINING.has(keyAt(at - 1)) || JOINING.has(keyAt(at - 2)))) return true;
  const start = (at: number) => words.findIndex(({ sentence }) => sentence === words[at]!.sentence); // as above
  const [from, to] = [start(one), start(other)];
  return keyAt(from) === keyAt(to) && one - from === other - to;
}
