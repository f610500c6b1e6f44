import { once } from "./once.ts";

/** Returns the class of a character, a number from 1 to 15. */
export type Classify = (character: string) => number;

/**
 * Returns a rule that gives a character the class of the first matching pattern, else `otherwise`. Patterns are
 * compiled at the first character: V8 takes 0.2 to 0.5 ms for one that names a property.
 */
export function firstMatch(
  patterns: () => readonly (readonly [kind: number, RegExp])[],
  otherwise: number,
): Classify {
  const made = once(patterns);
  return (character) => made().find(([, pattern]) => pattern.test(character))?.[0] ?? otherwise;
}

// Four bits a rule for each UTF-16 unit; 0 is "not known yet". A look-up costs 1 ns, \p{…} 100.
const table = new Uint32Array(0x10000);
let ruleCount = 0;

/**
 * Returns the rule for UTF-16 units. Each unit is classified once and kept in a table that all rules share. 0 for
 * half a surrogate pair: apply the rule to the whole character there. NaN, a unit past the end, counts as U+0000. At
 * most 8 rules.
 */
export function unitClasses(classify: Classify): (unit: number) => number {
  const shift = 4 * ruleCount++;
  const learn = (unit: number): number => {
    if (unit >= 0xd800 && unit <= 0xdfff) return 0;
    const kind = classify(String.fromCharCode(unit));
    table[unit]! |= kind << shift; // a unit is below 0x10000
    return kind;
  };
  return (unit) => (table[unit]! >>> shift) & 15 || learn(unit); // NaN gives undefined, which counts as 0
}
