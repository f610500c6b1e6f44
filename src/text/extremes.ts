// A list spread into the arguments of a call overflows the stack at some 120,000 entries.

/** Returns the largest value; -Infinity for none. Any length. */
export function largest(values: Iterable<number>): number {
  let found = -Infinity;
  for (const value of values) if (value > found) found = value;
  return found;
}

/** Returns the smallest value; Infinity for none. Any length. */
export function smallest(values: Iterable<number>): number {
  let found = Infinity;
  for (const value of values) if (value < found) found = value;
  return found;
}

/** Adds these entries to the end of a list. Any length. */
export function append<Entry>(list: Entry[], entries: Iterable<Entry>): void {
  for (const entry of entries) list.push(entry);
}
