import type { Line } from "../bench/report.ts";

/** Right, given and wanted, of one measure. */
export interface Tally {
  right: number;
  given: number;
  wanted: number;
}

/** Nothing counted yet. */
export function zero(): Tally {
  return { right: 0, given: 0, wanted: 0 };
}

/** Sums of the counts. */
export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (total, { right, given, wanted }) => ({
      right: total.right + right,
      given: total.given + given,
      wanted: total.wanted + wanted,
    }),
    zero(),
  );
}

/** The harmonic mean of precision and recall, in per cent. */
export function f1({ right, given, wanted }: Tally): number {
  return (200 * right) / (given + wanted);
}

/** A line whose F1 must reach the bar; precision and recall are in its name. */
export function f1Line(what: string, tally: Tally, least?: number): Line {
  const { right, given, wanted } = tally;
  const shares = `P ${percent(right, given)} R ${percent(right, wanted)}, ${wanted} marked`;
  return atLeast(`${what} (${shares})`, f1(tally), "F1", least);
}

/** A line whose value must reach the bar. */
export function atLeast(what: string, value: number, unit: string, least?: number): Line {
  return { what, value, unit, ...(least === undefined ? {} : { bar: `≥ ${least}`, met: value >= least }) };
}

/** A line whose value must stay under the bar. */
export function atMost(what: string, value: number, unit: string, most?: number): Line {
  return { what, value, unit, ...(most === undefined ? {} : { bar: `≤ ${most}`, met: value <= most }) };
}

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(1);
}
