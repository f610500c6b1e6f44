import { randomFrom } from "../../../test/support/random.ts";
import { median } from "../report.ts";

const DRAWS = 2000;

/** A ratio, and the interval in which 95 of 100 such runs would lie. */
export interface Ratio {
  value: number;
  low: number;
  high: number;
}

/** CPU a request in µs: of each process, by what was asked. */
export type Costs = readonly Readonly<Record<string, number>>[];

/**
 * How many times as much `theirs` cost as `ours`: the geometric mean over these requests of the ratios of medians, and its
 * interval by drawing processes again.
 */
export function ratioOf(theirs: Costs, ours: Costs, requests: readonly string[]): Ratio {
  const random = randomFrom(11);
  const draw = (costs: Costs) => costs.map(() => costs[Math.floor(random() * costs.length)]!); // one of them
  const draws = Array.from({ length: DRAWS }, () => meanRatio(draw(theirs), draw(ours), requests)).sort(
    (a, b) => a - b,
  );
  const at = (share: number) => draws[Math.floor(share * (DRAWS - 1))]!; // within the list
  return { value: meanRatio(theirs, ours, requests), low: at(0.025), high: at(0.975) };
}

function meanRatio(theirs: Costs, ours: Costs, requests: readonly string[]): number {
  const middle = (costs: Costs, name: string) => median(costs.map((cost) => cost[name]!)); // each was asked
  const logs = requests.map((name) => Math.log(middle(theirs, name) / middle(ours, name)));
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}
