import { longestIncreasing } from "../../text/increasing-run.ts";

// Ranks are fractions between 0 and 1 written in base 62 and compared as text: there is always room for one more
// between two of them, so nothing is ever renumbered and no move stands in the way of an older undo.
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = BigInt(DIGITS.length);
const LENGTH = 6;
/** Free places between neighbours at an open end, so that ranks stay short in a list that grows at its end. */
const STEP = BASE ** 3n;
/** Free places kept between neighbours in the middle. */
const SLACK = 4096n;

/**
 * Returns a rank for each row of a list in its new order; a new row has none yet. Most keep theirs: only those outside
 * the longest run that is already in order get new ones, so moving one paragraph rewrites one row. O(n log n).
 */
export function placeRanks(list: readonly { rank?: string | undefined }[]): string[] {
  const fixed = longestIncreasing(
    list.map(({ rank }) => rank ?? ""),
    "",
  );
  const ranks: string[] = new Array(list.length);
  let start = 0;
  let after: string | undefined;
  for (const index of [...fixed, list.length]) {
    const before = index < list.length ? list[index]!.rank! : undefined; // fixed places have a rank
    if (index > start)
      ranksBetween(after, before, index - start).forEach((rank, offset) => {
        ranks[start + offset] = rank;
      });
    if (before !== undefined) ranks[index] = before;
    after = before;
    start = index + 1;
  }
  return ranks;
}

/**
 * `count` ranks in ascending order between two others; undefined is an open end. Throws if `after` is not below
 * `before`.
 */
export function ranksBetween(after: string | undefined, before: string | undefined, count: number): string[] {
  if (after !== undefined && before !== undefined && after >= before) {
    throw new RangeError("no rank lies between equal or reversed neighbours");
  }
  let length = Math.max(after?.length ?? 0, before?.length ?? 0, LENGTH);
  let low = toNumber(after ?? "", length);
  let high = before === undefined ? BASE ** BigInt(length) : toNumber(before, length);
  const places = BigInt(count + 1);
  // An empty list begins in the middle, so that both of its ends stay open.
  if (after === undefined && before === undefined) low = high / 2n;
  if (high - low > places * STEP && (after === undefined || before === undefined)) {
    const start = after === undefined && before !== undefined ? high - places * STEP : low;
    return spread(start, STEP, { count, length });
  }
  while (high - low < places * SLACK) {
    length++;
    low *= BASE;
    high *= BASE;
  }
  return spread(low, (high - low) / places, { count, length });
}

function spread(start: bigint, step: bigint, { count, length }: { count: number; length: number }): string[] {
  return Array.from({ length: count }, (_, index) => toRank(start + step * BigInt(index + 1), length));
}

function toNumber(rank: string, length: number): bigint {
  let value = 0n;
  for (let index = 0; index < length; index++) {
    value = value * BASE + BigInt(index < rank.length ? DIGITS.indexOf(rank[index]!) : 0); // index < rank.length
  }
  return value;
}

/** So many digits are counted exactly by an ordinary number, ten times as fast. */
const PLAIN_LENGTH = 8;

function toRank(value: bigint, length: number): string {
  let rank = "";
  if (length <= PLAIN_LENGTH) {
    let left = Number(value);
    for (let index = 0; index < length; index++) {
      rank = DIGITS[left % DIGITS.length]! + rank; // as below
      left = Math.floor(left / DIGITS.length);
    }
    return rank.replace(/0+$/, "");
  }
  for (let index = 0; index < length; index++) {
    rank = DIGITS[Number(value % BASE)]! + rank; // a remainder of 62 is below 62
    value /= BASE;
  }
  return rank.replace(/0+$/, "");
}
