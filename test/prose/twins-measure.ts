import { reconcile } from "../../src/prose/reconcile/reconcile.ts";
import { type TwinCase, UNEVEN } from "./twins.ts";

/** How `reconcile` fared with twins; all numbers but the last count paragraphs. */
export interface TwinTally {
  /** Of cases in which as many lines are left as there were. */
  due: number;
  kept: number;
  crossed: number;
  /** Cases in which an id went to another paragraph than its own, and what they look like. */
  crossedIn: string[];
}

export function tallyTwins(cases: readonly TwinCase[]): TwinTally {
  const tally: TwinTally = { due: 0, kept: 0, crossed: 0, crossedIn: [] };
  for (const { kind, old, next, from } of cases) {
    const found = reconcile(old, next).from;
    const wrong = from.flatMap((truth, at) => (found[at] === -1 || found[at] === truth ? [] : [at]));
    if (!UNEVEN.has(kind)) tally.due += from.filter((truth) => truth >= 0).length;
    if (!UNEVEN.has(kind)) tally.kept += from.filter((truth, at) => truth >= 0 && found[at] === truth).length;
    tally.crossed += wrong.length;
    const [first] = wrong;
    if (first !== undefined)
      tally.crossedIn.push(`${kind}: ${old[found[first]!]?.text} → ${next[first]?.text}`);
  }
  return tally;
}
