/** One bit for each letter that a word holds; letters beyond ASCII share bits. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** False only where two words of these letters are further apart: one changed letter moves at most two bits. */
export function mayBeWithin(left: number, right: number, most: number): boolean {
  let differing = left ^ right;
  for (let count = 0; differing !== 0; differing &= differing - 1) {
    count += 1;
    if (count > 2 * most) return false;
  }
  return true;
}

/**
 * Whether one word becomes the other by at most so many letters added, dropped or changed. O(length × `most`); only the
 * cells of the table that near the diagonal can still reach the end are filled. Source: Levenshtein 1966; Ukkonen 1985.
 */
export function isWithin(left: string, right: string, most: number): boolean {
  let from = 0;
  let [leftEnd, rightEnd] = [left.length, right.length];
  while (from < leftEnd && from < rightEnd && left.charCodeAt(from) === right.charCodeAt(from)) from += 1;
  while (
    leftEnd > from &&
    rightEnd > from &&
    left.charCodeAt(leftEnd - 1) === right.charCodeAt(rightEnd - 1)
  ) {
    leftEnd -= 1;
    rightEnd -= 1;
  }
  const [rows, columns] = [leftEnd - from, rightEnd - from];
  if (Math.abs(rows - columns) > most) return false;
  if (rows === 0 || columns === 0) return true;
  const beyond = most + 1;
  let above = Array.from({ length: columns + 1 }, (_, column) => Math.min(column, beyond));
  for (let row = 1; row <= rows; row += 1) {
    const current = new Array<number>(columns + 1).fill(beyond);
    current[0] = Math.min(row, beyond);
    let least = current[0];
    const unit = left.charCodeAt(from + row - 1);
    for (let column = Math.max(1, row - most); column <= Math.min(columns, row + most); column += 1) {
      const change = unit === right.charCodeAt(from + column - 1) ? 0 : 1;
      const cost = Math.min(above[column - 1]! + change, above[column]! + 1, current[column - 1]! + 1); // inside the table
      current[column] = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return false;
    above = current;
  }
  return above[columns]! <= most; // the last cell
}
