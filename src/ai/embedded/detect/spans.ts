/** A span of a block; offsets are UTF-16. */
export interface BlockSpan {
  block: number;
  from: number;
  to: number;
}

const BUCKET = 64;
/** More than a block has: it holds 16 MiB at most. */
const BUCKETS = 2 ** 20;

/**
 * Finds those of the places that overlap another. A lookup costs what lies near, not what the block holds, so that a
 * paragraph of a whole book's length is no worse than many.
 */
export function indexPlaces<Kept extends BlockSpan>(places: readonly Kept[]): (place: BlockSpan) => Kept[] {
  const buckets = new Map<number, Kept[]>();
  for (const place of places) {
    for (const key of bucketsOf(place)) {
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [place]);
      else bucket.push(place);
    }
  }
  return (place) => {
    if (buckets.size === 0) return [];
    const near = new Set(bucketsOf(place).flatMap((key) => buckets.get(key) ?? []));
    return [...near].filter(({ from, to }) => from < place.to && place.from < to);
  };
}

function bucketsOf({ block, from, to }: BlockSpan): number[] {
  const keys: number[] = [];
  for (let bucket = Math.floor(from / BUCKET); bucket <= Math.floor((to - 1) / BUCKET); bucket++) {
    keys.push(block * BUCKETS + bucket);
  }
  return keys;
}
