import type { BookStatistics } from "../text/statistics.ts";
import type { Token } from "../text/tokens.ts";
import { type Scored, scoreRun } from "./judge.ts";

/** A name at its place in a chapter. */
export interface FoundName {
  /** Index of the block in its chapter; `from` and `to` are offsets in its text. */
  block: number;
  from: number;
  to: number;
  words: readonly Token[];
  /** The keys of its words with a space between them. */
  key: string;
  kind: "character" | "place";
  /** What speaks for it, about 1 to 15. */
  score: number;
}

/** The names of each chapter of a book, in order of place. */
export type BookNames = ReadonlyMap<string, readonly FoundName[]>;

/** Below this nothing speaks for a name: a word that is never small, met within a sentence, reaches 0.9. */
const ENOUGH = 0.95;

/** The names of a whole book. What all occurrences of a name say decides its kind as much as each one's own place. */
export function findBookNames({ total, chapters }: BookStatistics): BookNames {
  const votes = new Map<string, { count: number; margin: number }>();
  const voted = (name: Scored) => {
    const key = name.words.map((word) => word.key).join(" ");
    const vote = votes.get(key) ?? { count: 0, margin: 0 };
    vote.count++;
    vote.margin += Math.round((name.person - name.place) * 10); // whole numbers: their sum is the same in any order
    votes.set(key, vote);
    return { name, key, vote };
  };
  const scored = [...chapters].map(([chapterId, { runs }]) => {
    return { chapterId, names: runs.flatMap((run) => scoreRun(run, total) ?? []).map(voted) };
  });
  return new Map(
    scored.map(({ chapterId, names }) => [
      chapterId,
      names.flatMap(({ name, key, vote }) => foundName(name, key, vote.margin / vote.count / 10)),
    ]),
  );
}

function foundName(
  { run, words, first, last, person, place }: Scored,
  key: string,
  mean: number,
): FoundName[] {
  const score = Math.max(person, place);
  if (score < ENOUGH) return [];
  const kind = person - place + mean >= 0 ? "character" : "place";
  return [{ block: run.block, from: first.from, to: last.to, words, key, kind, score }];
}
