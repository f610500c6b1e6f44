import { oneOf } from "../../text/keyed-rules.ts";
import type { Mark } from "./finding.ts";

/** A sentence of narration as its tense is read. */
export interface NarratedSentence {
  text: string;
  from: number;
}

const PAST = new RegExp(
  `\\b(?:(?:I|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|[Ii]t) (?:\\w+ly )?\\w{2,}ed|${oneOf("was were had did said came went saw took gave knew stood sat told threw spoke wrote began fell drew rose")})\\b`,
);
const PRESENT = oneOf(`
  is has says walks looks turns goes comes stands sits takes puts opens closes shuts runs picks pulls pushes reaches nods
  smiles laughs shrugs shakes hears sees feels steps leans stares watches waits moves drops lifts raises holds starts
  stops sighs whispers asks answers replies crosses climbs falls rises grabs throws`);
const IS_PRESENT = new RegExp(
  `\\b(?<subject>[Hh]e|[Ss]he|[Tt]hey) (?:\\w+ly )?(?<verb>(?!is\\b|has\\b)${PRESENT})\\b`,
  "d",
);
/** So many sentences of a chapter tell its tense, and so few of the other one are slips. */
const FEWEST = 20;
const SLIPS = 0.02;

/** Sentences in the present tense between two in the past, in a chapter that nobody tells as "I"; none where the writer does it often. */
export function tenseSlips<Sentence extends NarratedSentence>(
  sentences: readonly Sentence[],
): { sentence: Sentence; mark: Mark }[] {
  const isPast = sentences.map(({ text }) => PAST.test(text));
  const past = isPast.filter(Boolean).length;
  const slips: { sentence: Sentence; mark: Mark }[] = [];
  for (const [at, sentence] of sentences.entries()) {
    if (isPast[at] || !isPast[at - 1] || !isPast[at + 1]) continue;
    const match = IS_PRESENT.exec(sentence.text);
    const [from, to] = match?.indices?.groups?.verb ?? [0, 0];
    if (to > 0) slips.push({ sentence, mark: markAt("tense", sentence, from, to) });
  }
  return tellers(sentences) < TELLING && past >= FEWEST && slips.length <= Math.max(1, SLIPS * past)
    ? slips
    : [];
}

function markAt(kind: Mark["kind"], { text, from: start }: NarratedSentence, from: number, to: number): Mark {
  return { kind, word: text.slice(from, to), from: start + from, to: start + to };
}

const INNER = oneOf("wondered realized realised longed suspected regretted");
const I_TELL = /\bI (?:\w+ly )?(?:thought|felt|knew|wondered|remembered|saw|heard)\b/;
const OF_ANOTHER = new RegExp(
  `(?:^|[.;,] (?:and |but )?)(?<who>[Hh]e|[Ss]he|[A-Z][a-z]+) (?:\\w+ly )?(?<verb>${INNER}) (?!to\\b)`,
  "d",
);
const TELLING = 8;

/** Finds thoughts of somebody else in a chapter that an "I" tells. */
export function viewpointSlips<Sentence extends NarratedSentence>(
  sentences: readonly Sentence[],
): { sentence: Sentence; mark: Mark }[] {
  const slips = sentences.flatMap((sentence) => {
    const match = OF_ANOTHER.exec(sentence.text);
    const [from, to] = match?.indices?.groups?.verb ?? [0, 0];
    return match?.groups?.who === "I" || to === 0
      ? []
      : [{ sentence, mark: markAt("viewpoint", sentence, from, to) }];
  });
  return tellers(sentences) >= TELLING && slips.length <= 2 ? slips : [];
}

function tellers(sentences: readonly NarratedSentence[]): number {
  return sentences.filter(({ text }) => I_TELL.test(text)).length;
}
