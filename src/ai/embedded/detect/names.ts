import type { Run } from "../../../reading/capital-runs.ts";
import type { BookStatistics } from "../../../reading/statistics.ts";
import type { Token } from "../../../reading/tokens.ts";
import { SPEAKING } from "./evidence.ts";
import { type Scored, scoreRun } from "./judge.ts";
import { isBesideSpeech } from "./scores.ts";

/** A name at its place in a chapter. */
export interface FoundName {
  /** Index of the block in its chapter; `from` and `to` are offsets in its text. */
  block: number;
  from: number;
  to: number;
  words: readonly Token[];
  /** The keys of its words with a space between them. */
  key: string;
  kind: Kind;
  /** Evidence for it, about 1 to 15. */
  score: number;
}

type Kind = "character" | "place";

/** A name as it is written somewhere, and how often. `key` is that of `FoundName`. */
export interface Spelling {
  key: string;
  kind: Kind;
  text: string;
  count: number;
}

/** The names of a book. What all occurrences of a name say decides its kind as much as each one's own place. */
export interface BookNames {
  spellings: readonly Spelling[];
  /** Returns a chapter's names in order; judged anew each time, since those of a long book would fill the memory. */
  namesIn(chapterId: string): FoundName[];
}

/** Below this nothing speaks for a name: a word that is never small, met within a sentence, reaches 0.9. */
const ENOUGH = 0.95;

/** The sum over all occurrences of a name. */
interface Vote {
  count: number;
  margin: number;
  /** How often it stands beside a verb of speech. */
  speeches: number;
  /** Its occurrences by their spelling, those together for which the same speaks: there are few kinds. */
  cases: Map<string, Case[]>;
}

interface Case extends Pick<Scored, "person" | "place"> {
  count: number;
}

/** The names of a whole book; `isName` leaves out others. They hold as long as the statistics do not change. */
export function findBookNames(
  { total, chapters }: BookStatistics,
  isName: (name: Pick<FoundName, "key" | "kind">) => boolean,
): BookNames {
  const votes = new Map<string, Vote>();
  for (const { runs } of chapters.values()) {
    for (const run of runs) {
      const name = scoreRun(run, total);
      if (name !== undefined) count(votes, name);
    }
  }
  const judge = (run: Run): FoundName[] => {
    const name = scoreRun(run, total);
    if (name === undefined) return [];
    const key = keyOfWords(name.words);
    const { first, last, words } = name;
    const kind = kindOf(name, votes.get(key)!); // every run has been counted
    if (kind === undefined || !isName({ key, kind })) return [];
    const score = Math.max(name.person, name.place);
    return [{ block: run.block, from: first.from, to: last.to, words, key, kind, score }];
  };
  return {
    spellings: [...votes].flatMap(([key, vote]) => spellingsOf(key, vote).filter(isName)),
    namesIn: (chapterId) => [...(chapters.get(chapterId)?.runs ?? [])].flatMap(judge),
  };
}

function count(votes: Map<string, Vote>, { words, person, place, run }: Scored): void {
  const key = keyOfWords(words);
  const vote: Vote = votes.get(key) ?? { count: 0, margin: 0, speeches: 0, cases: new Map() };
  vote.count++;
  if (isBesideSpeech(run)) vote.speeches++;
  vote.margin += Math.round((person - place) * 10); // whole numbers: their sum is the same in any order
  const text = textOfWords(words);
  const cases = vote.cases.get(text) ?? [];
  const same = cases.find((one) => one.person === person && one.place === place);
  if (same === undefined) cases.push({ person, place, count: 1 });
  else same.count++;
  vote.cases.set(text, cases);
  votes.set(key, vote);
}

function keyOfWords(words: readonly Token[]): string {
  return words.map(({ key }) => key).join(" ");
}

function textOfWords(words: readonly Token[]): string {
  return words
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(/ (?=['’]s\b)/g, "");
}

/** Returns the kind that an occurrence names; undefined if the evidence is too weak. */
function kindOf({ person, place }: Pick<Scored, "person" | "place">, vote: Vote): Kind | undefined {
  if (Math.max(person, place) < ENOUGH) return undefined;
  if (SPEAKING * vote.speeches >= vote.count) return "character"; // "Lew Yard" is no yard
  return person - place + vote.margin / vote.count / 10 >= 0 ? "character" : "place";
}

function spellingsOf(key: string, vote: Vote): Spelling[] {
  return [...vote.cases].flatMap(([text, cases]) =>
    cases.flatMap((each) => {
      const kind = kindOf(each, vote);
      return kind === undefined ? [] : [{ key, kind, text, count: each.count }];
    }),
  );
}
