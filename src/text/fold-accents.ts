import { once } from "./once.ts";

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
