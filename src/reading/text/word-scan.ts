import { unitsOf } from "../../text/units.ts";

/** A word that was looked for, where it stands; offsets are UTF-16. */
export interface WordHit<Value> {
  from: number;
  to: number;
  value: Value;
}

const SLOTS = 1 << 16;
const BEYOND_ASCII = 0x73;

/**
 * Returns what finds the words of a list in a text, in order: whole words of letters and digits, whatever their case; a
 * hyphen or an apostrophe ends a word ("left-handed" is two, "Mara’s" is "mara" and "s"). It makes no tokens, so that a
 * book of 200,000 words takes some 20 ms. The list's keys are in lower case.
 */
export function createWordScan<Value>(
  words: ReadonlyMap<string, Value>,
  ofNumbers?: Value,
): (text: string) => WordHit<Value>[] {
  const slots = new Uint8Array(SLOTS);
  for (const word of words.keys()) slots[hashOf(word)] = 1;
  return (text) => {
    const hits: WordHit<Value>[] = [];
    const { length } = text;
    const units = unitsOf(text);
    for (let at = 0; at < length; ) {
      const unit = units[at]!; // at < length
      if (!isWordUnit(unit)) {
        at++;
        continue;
      }
      const from = at;
      const isNumber = unit < 0x3a;
      let hash = 0;
      for (; at < length && isWordUnit(units[at]!); at++) hash = step(hash, units[at]!); // as above
      if (isNumber && ofNumbers !== undefined) hits.push({ from, to: at, value: ofNumbers });
      else if (slots[hash & (SLOTS - 1)] === 1) {
        const value = words.get(text.slice(from, at).toLowerCase());
        if (value !== undefined) hits.push({ from, to: at, value });
      }
    }
    return hits;
  };
}

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = step(hash, word.charCodeAt(at));
  return hash & (SLOTS - 1);
}

/** Case counts nothing in ASCII; beyond it a letter is only counted. */
function step(hash: number, unit: number): number {
  return (Math.imul(hash, 31) + (unit < 0x80 ? unit | 0x20 : BEYOND_ASCII)) | 0;
}

/** Letters and digits, of which beyond ASCII all but punctuation. */
function isWordUnit(unit: number): boolean {
  if (unit < 0x80) {
    const small = unit | 0x20;
    return (small >= 0x61 && small <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
  }
  const isMark = unit === 0xd7 || unit === 0xf7 || (unit >= 0x2000 && unit <= 0x303f);
  return unit >= 0xc0 && !isMark;
}
