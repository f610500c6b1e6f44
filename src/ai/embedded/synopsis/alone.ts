import type { Sentence } from "../../../reading/sentences.ts";
import { smallest } from "../../../text/extremes.ts";
import type { ChapterNames } from "./cast.ts";

/** Pronouns for somebody who must have been named before. */
const PRONOUN = /\b(?:he|she|him|her|hers|his|himself|herself|they|them|their|theirs|themselves)\b/i;
/** "The officer", "the old man": somebody whom the prose has told of before. */
const SOMEBODY =
  /\bthe (?:(?:old|young|poor|little|tall|other|dead|two|three|strange|good|big|elder|younger|first|second) )*(?:man|men|woman|women|boy|girl|child|lady|gentleman|officer|stranger|fellow|doctor|soldier|sergeant|captain|colonel|prisoner|wanderer|creature|wretch|others?|latter|former|speaker|driver|visitor|guest|patient|father|mother|husband|wife|brother|sister|son|daughter)\b/i;
/** Who is beside a sentence's only name: "Tobit looked at him", "Mr. Quill took her arm". */
const ANOTHER =
  /\bhim\b|\b(?:Mr|Sir|Lord|Count|Father|Uncle|Captain|Colonel)\b.*\bher\b|\b(?:Mrs|Miss|Ms|Lady|Aunt|Sister|Madame)\b.*\b(?:he|his)\b/;
/** Openings that lean on the sentence before. */
const LEANS =
  /^[“‘"'—–-]*(?:but|and|so|or|nor|yet|then|there(?:fore|upon|after)|thus|hence|however|nevertheless|still|instead|otherwise|besides|moreover|meanwhile|afterwards|this|that|these|those|such|both|neither|another|none|it(?! (?:was|is|had been|rained|snowed|seemed|grew|had (?:rained|snowed)))|one of them|for(?= [a-z]+ (?:was|were|had|could)))\b/i;
/** "When he came in, Tobit rose": the name comes behind. */
const BEFORE_NAME =
  /^[“‘"']*(?:when|as|before|after|while|though|although|if|since|until|having|with|for all)\b/i;
const NOWHERE = Number.POSITIVE_INFINITY;
/** The farthest that a sentence takes along what stands before it. */
const MOST_ALONG = 2;

/**
 * For each sentence the places of those that must stand before it so that it is understood: none for one that
 * stands alone; undefined for one that cannot be understood even so. English.
 */
export function whatEachNeeds(
  sentences: readonly Sentence[],
  { people }: ChapterNames,
): (readonly number[] | undefined)[] {
  const needs: (readonly number[] | undefined)[] = [];
  for (const [index, sentence] of sentences.entries()) {
    const named = (people.get(sentence.blockId) ?? [])
      .filter(({ from, to }) => from >= sentence.from && to <= sentence.to)
      .map(({ from }) => from - sentence.from);
    needs.push(standsAlone(sentence.text, named) ? [] : along(sentences, needs, index));
  }
  return needs;
}

/** True if nobody is pointed to before the first name, nor somebody beside the only one, and nothing is leant on. */
function standsAlone(text: string, named: readonly number[]): boolean {
  const firstName = smallest(named);
  if (LEANS.test(text) || (named.length === 1 && ANOTHER.test(text))) return false;
  const first = Math.min(PRONOUN.exec(text)?.index ?? NOWHERE, SOMEBODY.exec(text)?.index ?? NOWHERE);
  if (first === NOWHERE || firstName < first) return true;
  return firstName < text.length && BEFORE_NAME.test(text);
}

/** The sentence before, with what it needs itself, if it stands right there and they are few. */
function along(
  sentences: readonly Sentence[],
  needs: readonly (readonly number[] | undefined)[],
  index: number,
): readonly number[] | undefined {
  const [before, here] = [sentences[index - 1], sentences[index]];
  const needed = needs[index - 1];
  if (before === undefined || here === undefined || needed === undefined) return undefined;
  const isNext = here.block - before.block <= 1;
  const isNaming = /\p{Lu}/u.test(before.text.slice(1)) || needed.length > 0;
  return isNext && isNaming && needed.length < MOST_ALONG ? [...needed, index - 1] : undefined;
}
