/**
 * Returns how many letters must be added, dropped or changed to make one word of the other, or `most + 1` if more
 * than `most`. With `swaps`, exchanging two neighbours counts as one. O(length × `most`): only cells near the
 * diagonal can still reach the end. Source: Levenshtein 1966; Damerau 1964; Ukkonen 1985.
 */
export function editDistance(left: string, right: string, most: number, swaps = false): number {
  const from = sharedStart(left, right);
  const end = sharedEnd(left, right, from);
  const rows = left.length - end - from;
  const columns = right.length - end - from;
  const beyond = most + 1;
  if (Math.abs(rows - columns) > most) return beyond;
  if (rows === 0 || columns === 0) return rows + columns;
  let older: number[] = [];
  let above = Array.from({ length: columns + 1 }, (_, column) => Math.min(column, beyond));
  for (let row = 1; row <= rows; row++) {
    const current = new Array<number>(columns + 1).fill(beyond);
    current[0] = Math.min(row, beyond);
    let least = current[0];
    const unit = left.charCodeAt(from + row - 1);
    for (let column = Math.max(1, row - most); column <= Math.min(columns, row + most); column++) {
      const other = right.charCodeAt(from + column - 1);
      const change = above[column - 1]! + (unit === other ? 0 : 1); // inside the row above
      let cost = Math.min(above[column]! + 1, current[column - 1]! + 1, change); // inside their rows
      const isSwap =
        swaps &&
        row > 1 &&
        column > 1 &&
        unit === right.charCodeAt(from + column - 2) &&
        other === left.charCodeAt(from + row - 2);
      if (isSwap) cost = Math.min(cost, older[column - 2]! + 1); // from the third row on it is full
      current[column] = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return beyond;
    older = above;
    above = current;
  }
  return Math.min(above[columns]!, beyond); // the last cell
}

/** Returns the number of UTF-16 units that two words share at their start. */
export function sharedStart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return length;
}

/** Returns the number of UTF-16 units that two words share at their end, not counting those before `from`. */
export function sharedEnd(left: string, right: string, from: number): number {
  const most = Math.min(left.length, right.length) - from;
  let length = 0;
  while (
    length < most &&
    left.charCodeAt(left.length - 1 - length) === right.charCodeAt(right.length - 1 - length)
  )
    length++;
  return length;
}

/** Returns a set of bits, one for each letter in a word. Letters beyond ASCII share bits. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/**
 * False only if two words with these letters are further apart than `most`: one changed letter moves at most two
 * bits.
 */
export function mayBeWithin(left: number, right: number, most: number): boolean {
  let differing = left ^ right;
  for (let count = 0; differing !== 0; differing &= differing - 1) {
    count++;
    if (count > 2 * most) return false;
  }
  return true;
}
