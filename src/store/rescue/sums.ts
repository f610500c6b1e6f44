/** What may stand in one place of a sum, the likeliest first. */
export type Options = readonly number[];

const DIGESTS = 2 ** 48;
const MOST = 2 ** 12;

/**
 * Which option to take of each so that they add up to `target`, modulo 2^48; undefined if no choice does. Looks at 2^24 choices
 * at most: what is beyond stays with its first option. A wrong one fits with a
 * chance of 1 in 16 million then.
 */
export function chooseForSum(slots: readonly Options[], target: number): number[] | undefined {
  const [left, right] = halves(slots);
  const fixed = slots.reduce(
    (sum, [first = 0], at) => (left.includes(at) || right.includes(at) ? sum : (sum + first) % DIGESTS),
    0,
  );
  const sums = new Map<number, number[]>();
  for (const [sum, choice] of choices(slots, left)) if (!sums.has(sum)) sums.set(sum, choice);
  for (const [sum, choice] of choices(slots, right)) {
    const found = sums.get((((target - fixed - sum) % DIGESTS) + 2 * DIGESTS) % DIGESTS);
    if (found === undefined) continue;
    const chosen = slots.map(() => 0);
    for (const [place, at] of left.entries()) chosen[at] = found[place]!; // one each
    for (const [place, at] of right.entries()) chosen[at] = choice[place]!; // as above
    return chosen;
  }
  return undefined;
}

/** Shares out the slots that leave a choice. */
function halves(slots: readonly Options[]): [number[], number[]] {
  const open = [...slots.keys()].filter((at) => slots[at]!.length > 1); // its own
  const [left, right]: [number[], number[]] = [[], []];
  let [leftCount, rightCount] = [1, 1];
  for (const at of open) {
    const count = slots[at]!.length; // its own
    if (leftCount <= rightCount && leftCount * count <= MOST) {
      left.push(at);
      leftCount *= count;
    } else if (rightCount * count <= MOST) {
      right.push(at);
      rightCount *= count;
    }
  }
  return [left, right];
}

/** Every choice of these slots, the first options first, each with its sum. */
function* choices(slots: readonly Options[], places: readonly number[]): Generator<[number, number[]]> {
  const counts = places.map((at) => slots[at]!.length); // each is one of the slots
  const total = counts.reduce((all, count) => all * count, 1);
  for (let number = 0; number < total; number++) {
    let rest = number;
    let sum = 0;
    const choice = counts.map((count, place) => {
      const option = rest % count;
      rest = Math.floor(rest / count);
      sum += slots[places[place]!]![option]!; // as counted
      return option;
    });
    yield [sum % DIGESTS, choice];
  }
}
