import { groupBy } from "../../../../text/group-by.ts";
import type { Answer, Sent } from "../../api/operations.ts";
import { write } from "../../api/write.ts";

/** Counts of every fact and chapter of a book. */
export type StoryMap = Answer<"readStoryMap">;
/** A fact on it. */
export type MappedFact = StoryMap["facts"][number];

/** The facts of one kind. */
export interface KindOfFact {
  kind: string;
  facts: readonly MappedFact[];
}

/** A story map, and the fact on it that is chosen, or "". */
export interface OnMap {
  bookId: string;
  factId: string;
  map: StoryMap;
}

/** A fact. */
export type Fact = Answer<"readFact">["fact"];
/** Changes the fact that is shown, if it is as it was when the writer began, and says what was done. */
export type ChangeFact = (body: Sent<"updateFact">["body"], done: string) => Promise<unknown>;

/** A `ChangeFact` of the fact with this tag; if somebody else has changed it, says so and shows what it is now. */
export function factChange(factId: string, etagNow: () => string | undefined): ChangeFact {
  return (body, done) => write("updateFact", { params: { factId }, ifMatch: etagNow(), body }, done);
}

/** Tints of a count, but none. */
const TINTS = 5;

/** The facts by kind, the kind with the most facts first; in each the most mentioned first. */
export function kindsOf({ facts }: StoryMap): KindOfFact[] {
  return [...groupBy(facts, (fact) => fact.kind)]
    .map(([kind, own]) => ({ kind, facts: own.sort((a, b) => b.mentionCount - a.mentionCount) }))
    .sort((a, b) => b.facts.length - a.facts.length);
}

/** The facts in the order in which the book first names them; those that it never does come last. */
export function byFirstMention({ facts }: StoryMap): MappedFact[] {
  const first = ({ chapters }: MappedFact) =>
    chapters.reduce((least, [place]) => Math.min(least, place), Number.MAX_SAFE_INTEGER);
  return facts.toSorted((a, b) => first(a) - first(b) || b.mentionCount - a.mentionCount);
}

/** How often the fact that is mentioned most often in one chapter is, at least 1. */
export function highestOf({ facts }: StoryMap): number {
  return facts.reduce(
    (most, { chapters }) => chapters.reduce((own, [, count]) => Math.max(own, count), most),
    1,
  );
}

/** 0 for none, else 1 to 5: each tint spans as many doublings as the next, so that a hundred do not hide a few. */
export function tintOf(count: number, highest: number): number {
  if (count === 0) return 0;
  return 1 + Math.min(TINTS - 1, Math.floor((TINTS * Math.log(count)) / Math.log(highest + 1)));
}

/** A kind as it is called; facts may have none. */
export function kindName(kind: string): string {
  return kind === "" ? "Without a kind" : kind.charAt(0).toUpperCase() + kind.slice(1);
}
