import type { Said, TimeMark } from "./time-marks.ts";

/** The named groups of a match. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Words that may say a time. */
export interface Pattern {
  words: RegExp;
  /** Pattern that must stand right before them, within `REACH` characters. */
  after?: RegExp;
  /** True if they tell of another day than the one that the story is at. */
  stays?: (groups: Groups, before: string) => boolean;
  /** Reads the time; undefined if it is none after all. */
  read: (groups: Groups, match: RegExpExecArray, before: string) => Said | undefined;
}

const REACH = 48;
/** Words before a time that place the story before or after it. */
const STAYING =
  /\b(?:until|till|by|before|since|from|after|every|each|for|to|than|like|last|previous|dated|ago|born(?: on| in)?|(?:of|with) (?:that|last|next))(?: (?:about|the|early|late|next|that|this))*\s*$/i;

/** The end of a sentence; that of "a.m." belongs to it. */
const FULL_STOP = /(?<!\.m)\.$/i;

/** The marks of a text, in order of place; of two patterns that overlap, the one that is listed first counts. */
export function findMarks(text: string, patterns: readonly Pattern[]): TimeMark[] {
  const found: TimeMark[] = [];
  const taken = new Set<number>();
  for (const { words, after, stays, read } of patterns) {
    for (const match of text.matchAll(words)) {
      const from = match.index;
      const to = from + match[0].replace(FULL_STOP, "").length;
      const before = text.slice(Math.max(0, from - REACH), from);
      if (after?.test(before) === false || isTaken(taken, from, to)) continue;
      const said = read(match.groups ?? {}, match, before);
      if (said === undefined) continue;
      for (let at = from; at < to; at++) taken.add(at);
      found.push({
        from,
        to,
        said,
        stays: stays === undefined ? STAYING.test(before) : stays(match.groups ?? {}, before),
      });
    }
  }
  return found.sort((one, other) => one.from - other.from);
}

function isTaken(taken: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (taken.has(at)) return true;
  return false;
}
