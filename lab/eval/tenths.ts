import type { Line } from "../bench/report.ts";

/** One thing that was said with a confidence. */
export interface Case {
  stated: number;
  isRight: boolean;
}

const FEWEST = 30;
const FARTHEST = 0.05;

/** How many of the cases of each tenth are right; those of a measured half, where they are many, have a bar. */
export function tenthsOf(cases: readonly Case[], isMeasured: boolean): Line[] {
  return Array.from({ length: 10 }, (_, at) => at).flatMap((at): Line[] => {
    const step = 10;
    const some = cases.filter(({ stated }) => Math.min(step - 1, Math.floor(stated * step + 1e-9)) === at);
    if (some.length === 0) return [];
    const stated = some.reduce((sum, one) => sum + one.stated, 0) / some.length;
    const observed = some.filter(({ isRight }) => isRight).length / some.length;
    const isBarred = isMeasured && some.length >= FEWEST;
    return [
      {
        what: `${(at / step).toFixed(2)}: stated ${stated.toFixed(3)}, of ${some.length} right`,
        value: observed,
        unit: "",
        ...(isBarred ? { bar: "within 0.05", met: Math.abs(stated - observed) <= FARTHEST } : {}),
      },
    ];
  });
}
