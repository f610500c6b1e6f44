/**
 * Returns the indexes of the longest strictly increasing run of the values, skipping `none`. Values outside the run
 * have moved. O(n log n). Source: Fredman 1975.
 */
export function longestIncreasing<Value extends number | string>(
  values: ArrayLike<Value>,
  none: Value,
): number[] {
  const lowest: Value[] = []; // at k the lowest value that a run of k + 1 ends with,
  const ends: number[] = []; // and the index where it does
  const before = new Int32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!; // at < length
    if (value === none) continue;
    const length = lowerBound(lowest, value);
    before[at] = ends[length - 1] ?? -1;
    lowest[length] = value;
    ends[length] = at;
  }
  const run: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) run.push(at); // one a value
  return run.reverse();
}

/**
 * Returns the index of the first item of an ascending list that is not below the value; its length if all are. O(log
 * n).
 */
export function lowerBound<Value extends number | string>(ascending: readonly Value[], value: Value): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const isBelow = ascending[middle]! < value; // low ≤ middle < high
    if (isBelow) low = middle + 1;
    else high = middle;
  }
  return low;
}
