import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A kind of contradiction. */
export type SeedKind = "eyes" | "hair" | "age" | "weekday" | "death";

/** One pair: who, what the book says first (an attribute if it starts with "@"), what it says later. */
export type Pair = readonly [kind: SeedKind, name: string, first: string, second: string];

/** Two places of a book that contradict each other, as a novel words them: `{}` marks what does. */
export interface NaturalPair {
  kind: string;
  /** First the fact that both speak of, its aliases behind it. A place begins with "@", a thing with "#". */
  cast: readonly string[];
  places: readonly string[];
}

/** Pairs of statements that contradict one another, written before and apart from the rules. */
export const PAIRS = readPairs("contradictions");

/** Pairs that look like a contradiction and are none; the second statement must stay silent. */
export const CONTROLS = readPairs("alike");

/** Further pairs, written after the rules: before any of them was looked at again, 68 % were found. */
export const KEPT_PAIRS = readPairs("kept-contradictions");

export const KEPT_CONTROLS = readPairs("kept-alike");

/** Four of each kind, written before any rule of the passages. */
export const NATURAL_PAIRS: readonly NaturalPair[] = readPairs("natural").map(([kind, cast, ...places]) => ({
  kind,
  cast: cast.split(";"),
  places,
}));

/** Pairs from `pairs/`: a line with the kind and the name, then a line for each statement. */
function readPairs(name: string): readonly Pair[] {
  const text = readFileSync(join(import.meta.dirname, `pairs/${name}.txt`), "utf8");
  return text
    .trim()
    .split("\n\n")
    .map((pair): Pair => {
      const [head = "", first = "", second = ""] = pair.split("\n");
      const end = head.indexOf(";");
      return [head.slice(0, end) as SeedKind, head.slice(end + 2), first, second];
    });
}
