import { once } from "./once.ts";

/** What a character is to one reader of text: a number from 1 to 15. */
export type Classify = (character: string) => number;

/**
 * The rule by which the first pattern that matches a character says its class; `otherwise` if none does. The patterns are made
 * when the first character is asked for: V8 takes 0.2 to 0.5 ms to read one that names a property.
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
 * The rule for UTF-16 units, each classified once and kept in a table that all rules share. 0 for half a surrogate pair:
 * there the rule must be applied to the whole character. NaN, a unit past the end, is what U+0000 is. At most 8 rules.
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
