import type { ReadingFact } from "../reading.ts";
import { genderOfGiven } from "../words/given.ts";
import type { Gender } from "../words/honorifics.ts";

const FEMALE_TITLE =
  /^(?:mrs|miss|ms|lady|madam|madame|aunt|sister|mother|queen|princess|duchess|countess|baroness|dame|mlle|mme|señora|frau)\b/i;
const MALE_TITLE =
  /^(?:mr|sir|lord|uncle|brother|father|king|prince|duke|count|baron|monsieur|señor|herr|don)\b/i;
/** Returns the gender that the cast gives: by attributes, titles, family, or the only pronoun of the summary; else undefined. */
export function genderOf({ name, aliases, attributes, summary }: ReadingFact): Gender | undefined {
  for (const { key, value } of attributes) {
    if (/^(?:gender|sex|pronouns?)$/i.test(key.trim())) {
      if (/\b(?:f|female|woman|girl|she|her)\b/i.test(value)) return "female";
      if (/\b(?:m|male|man|boy|he|him|his)\b/i.test(value)) return "male";
    }
    if (/\b(?:husband|maiden name)\b/i.test(key)) return "female";
    if (/\bwife\b/i.test(key)) return "male";
  }
  for (const text of [name, ...aliases]) {
    if (FEMALE_TITLE.test(text)) return "female";
    if (MALE_TITLE.test(text)) return "male";
  }
  const she = /\b(?:she|her|herself)\b/i.test(summary);
  const he = /\b(?:he|his|him|himself)\b/i.test(summary);
  return she === he ? undefined : she ? "female" : "male";
}

/** Returns the gender that the cast gives, else that of the given name. */
export function likelyGenderOf(fact: ReadingFact): Gender | undefined {
  const given = /^[^\s]+/.exec(fact.name)?.[0].toLowerCase() ?? "";
  return genderOf(fact) ?? genderOfGiven(given);
}
