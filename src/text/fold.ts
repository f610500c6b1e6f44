import { firstMatch, unitClasses } from "./characters.ts";
import { once } from "./once.ts";

const LETTER = 1;
const SPACE = 2;
const BREAK = 3;
const SILENT = 4;

const classOf = unitClasses(
  firstMatch(
    () => [
      [SPACE, / /],
      [SILENT, /['‘’\u0640\p{Cf}]/u],
      [LETTER, /[\p{L}\p{M}\p{N}]/u],
    ],
    BREAK,
  ),
);

// Halves of pairs count as letters: rare ideographs and emoji are what the author wrote, not punctuation.
const kindOf = (unit: number): number => classOf(unit) || LETTER;

/**
 * Reduces a text to its words: lower-case letters, marks and digits of any script, one space between words. Case,
 * quotes, dashes, punctuation and spacing do not count. Apostrophes and soft hyphens vanish without parting a word,
 * so that "“Don’t—STOP!”" and "'Dont' stop" both become "dont stop". "" if there is no word. Composed and decomposed
 * accents fold alike. O(length).
 */
export function foldText(text: string): string {
  const lower = text.normalize("NFC").toLowerCase();
  let folded = "";
  let from = -1; // where the stretch that needs no change began
  let isParted = false;
  for (let at = 0; at <= lower.length; at++) {
    const kind = at < lower.length ? kindOf(lower.charCodeAt(at)) : BREAK;
    if (kind === LETTER) {
      if (from >= 0) continue;
      if (isParted && folded !== "") folded += " ";
      from = at;
      isParted = false;
      continue;
    }
    if (from >= 0) {
      if (kind === SPACE && kindOf(lower.charCodeAt(at + 1)) === LETTER) continue; // at the end NaN: no letter
      folded += lower.slice(from, at);
      from = -1;
    }
    if (kind !== SILENT) isParted = true;
  }
  return folded;
}

/** Returns the text trimmed, with each run of white space as one space; the same string if nothing changes. */
export function collapseSpace(text: string): string {
  return /^\s|\s$|\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, " ").trim() : text;
}

// Accents and points of Latin, Greek, Cyrillic, Hebrew, Arabic; vowel signs of Indic scripts stay, and the breve of й.
const accents = once(
  () => /(?<!и)\u{306}|(?!\u{306})(?=\p{Mn})[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]/gu,
);
// Joiners, the Arabic stretch, and letters that stand for an apostrophe (Hawaiʻi).
const silent = once(() => /[\p{Cf}\u{640}\u{2b0}-\u{2ff}]/gu);
const SPELLED = /[æœßøłđðþıħŧς]/gu;
const SPELLING: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ς: "σ",
};

/** Returns a lower-case text without accents; letters that stand for two are written out. */
export function foldAccents(lower: string): string {
  return lower
    .normalize("NFKD")
    .replace(accents(), "")
    .replace(silent(), "")
    .replace(SPELLED, (letter) => SPELLING[letter] ?? letter)
    .normalize("NFC");
}
