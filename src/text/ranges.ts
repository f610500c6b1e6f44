/** Ranges of whole numbers from 1, both ends included. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** Reads numbers and ranges of them, such as "3-5" or "1,4-6"; undefined for anything else. */
export function readRanges(text: string): Ranges | undefined {
  const ranges = text.split(",").map((range): [number, number] => {
    const [, from, to = from] = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(range) ?? [];
    return [Number(from), Number(to)];
  });
  return ranges.every(([from, to]) => from >= 1 && to >= from) ? ranges : undefined;
}
