import { createKeyedRules, type KeyedRule, oneOf, wordsOfList } from "../../text/keyed-rules.ts";
import type { Mark, MarkedText, MarkKind } from "./finding.ts";

/** A way of writing that is marked in narration; the word it is counted under is the group `word`, else all of it. */
interface Rule extends KeyedRule {
  kind: MarkKind;
}

/** Words between a subject and its verb. */
const SOFTLY = "(?: (?:only|just|still|now|then|suddenly|almost|already|even|also|\\w+ly))?";
/** Behind a verb that has a subject right before it: the verb is looked for first, since it is rarer. */
const SUBJECT = `(?<=\\b(?:I|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|[Yy]ou|and|[A-Z][a-z]+)${SOFTLY} [a-z]+)`;
const SENSED = oneOf("saw heard felt noticed watched sensed observed perceived");
const SEEN_THAT = oneOf("saw felt noticed sensed observed perceived realized realised");
/** Nouns that end like a verb's "-ing". */
const NO_VERB = oneOf(`
  thing something nothing anything everything king ring string spring wing evening morning ceiling being wedding building feeling
  meaning darling during sibling clothing lightning`);
const OBJECT = oneOf(`
  his her my their our your its the a an some him them me it us someone somebody something another one [A-Z][a-z]+`);
const SELF = oneOf("himself herself myself themselves ourselves");

/** Words that put a person between the reader and what happens. */
const FILTERS = [
  `\\b(?<word>could)${SUBJECT}${SOFTLY} (?<second>see|hear|feel|smell|taste|sense)\\b(?! (?:to|for|no)\\b)`,
  `\\b(?<word>${SEEN_THAT})${SUBJECT} (?:that|how)\\b`,
  `\\b(?<word>${SENSED})${SUBJECT} ${OBJECT}(?: [a-z]+){0,3}? (?!${NO_VERB}\\b)[a-z]{2,}ing\\b`,
  `\\b(?<word>felt)${SUBJECT} an?(?: [a-z]+){1,2} (?:of|in)\\b`,
  `\\b(?<word>felt)${SUBJECT} ${SELF}\\b`,
  "\\b(?<word>seemed|appeared) (?:to|as|that|like)\\b",
  "\\b(?<word>began|started) (?<second>to) (?!the\\b|his\\b|her\\b|my\\b|their\\b|a\\b|it\\b)[a-z]+",
  `\\b(?<word>found) ${SELF} [a-z]+ing\\b`,
  "\\b(?<word>could) (?<second>not help) [a-z]+ing\\b",
];

/** Words before "very" and its like that make it something else: "the very thing", "would rather". */
const NO_DEGREE = `(?<!\\b${oneOf(
  "[Tt]he these those this that his her my their its your our same not never or would than so had but",
)} )(?<![’']d )`;
const DEGREE = oneOf(`
  quite rather somewhat really perfectly extremely exceedingly terribly awfully totally completely absolutely utterly simply
  literally incredibly`);
/** Words that nothing of a degree is said of. */
const NO_QUALITY = oneOf(`
  than an? the of to in by as if for and with when because that from what it like did at on after before enough`);
const INTENSIFIERS = [
  `${NO_DEGREE}\\b(?<word>very) (?!well\\b|few\\b|day\\b)[a-z]+`,
  `${NO_DEGREE}\\b(?<word>${DEGREE}) (?!${NO_QUALITY}\\b)[a-z]+`,
  "\\b(?<word>all of a sudden|[Ss]uddenly)\\b",
  "\\b(?<word>a (?:little )?bit) (?!of\\b|to\\b|later\\b)[a-z]+",
];

const OWN = oneOf("his her my their our your");
/** Phrases that fewer words say as well. */
const LONG_WINDED = oneOf(`
  the_fact_that in_order_to for_the_purpose_of in_the_process_of in_the_event_that on_the_subject_of with_regard_to in_regard_to
  in_respect_to with_reference_to as_to_whether the_manner_in_which the_way_in_which by_means_of_which at_this_point_in_time
  at_that_point_in_time owing_to_the_fact each_and_every the_reason_why by_reason_of in_the_vicinity_of in_close_proximity
  in_the_direction_of of_the_opinion_that in_such_a_manner to_such_an_extent in_the_course_of`);
/** Phrases of which one word says all. */
const DOUBLED = oneOf(`
  thought_to_himself thought_to_herself thought_to_myself thought_to_themselves whispered_softly whispered_quietly murmured_softly
  muttered_softly returned_back returning_back rose_up rising_up sank_down sinking_down lifted_up raised_up entered_into_the
  entering_into_the followed_after following_after repeated_again repeating_again knelt_down kneeling_down small_in_size
  large_in_size tall_in_size great_in_size big_in_size ${"red blue white black green grey gray brown yellow".replaceAll(/(\w+)/g, "$1_in_colou?r")}`);
const GIVEN = oneOf("nod shrug sigh shudder shiver start bow glance groan cry laugh smile grunt gasp wave");
const MADE = oneOf(
  "decision attempt effort conclusion suggestion remark observation statement inquiry discovery",
);
const PADDING = [
  `\\b(?<word>${LONG_WINDED}|${DOUBLED})\\b`,
  `\\b(?<word>(?:gave|giving) (?:him |her |me |them |us )?an? (?:\\w+ )?${GIVEN})\\b(?!-)`,
  "\\b(?<word>(?:took|cast|threw|stole) a (?:\\w+ )?(?:look|glance|peep|peek))\\b",
  `\\b(?<word>(?:made|make|came to|come to) (?:a|the) ${MADE} (?:to|that))\\b`,
  "\\b(?<word>[Tt]here (?:was|were)) (?:an?|no|some|many|several|two|three|something|nothing) (?:[a-z]+ ){0,3}?(?:that|who|which) ",
  `\\b(?<word>(?:nodded|nodding) ${OWN} heads?|(?:shrugged|shrugging) ${OWN} shoulders|(?:blinked|blinking) ${OWN} eyes)\\b`,
];

/** Words of the patterns of a kind by which a sentence is known to need them. */
const NEEDS: Readonly<Record<"filter" | "intensifier" | "padding", string>> = {
  filter: `could began started found seemed appeared ${SENSED} ${SEEN_THAT}`,
  intensifier: `very sudden suddenly bit ${DEGREE}`,
  padding: `${LONG_WINDED} ${DOUBLED} gave giving took cast threw stole made make came come there nodded nodding shrugged shrugging blinked
    blinking`,
};
/** In every sentence: of a phrase another word is looked for. */
const EVERYWHERE = new Set(
  "the that in of to for on with at by an as this such which it his her my or and each to him".split(" "),
);

const rulesOf = (kind: keyof typeof NEEDS, patterns: readonly string[]): Rule[] => {
  const needs = wordsOfList(NEEDS[kind]).filter((word) => !EVERYWHERE.has(word));
  return patterns.map((pattern) => ({ kind, needs, pattern: new RegExp(pattern, "g") }));
};
const matches = createKeyedRules([
  ...rulesOf("filter", FILTERS),
  ...rulesOf("intensifier", INTENSIFIERS),
  ...rulesOf("padding", PADDING),
]);

/** Marks that a pattern finds by itself: filter words, intensifiers and padding, in narration. */
export function marksByRule(
  { text, isQuoted }: MarkedText,
  sentences: readonly (readonly [from: number, to: number])[],
): Mark[] {
  const marks: Mark[] = [];
  for (const { rule, match, at } of matches(text, sentences)) {
    const { word: first = match[0], second } = match.groups ?? {};
    const from = at + match[0].indexOf(first);
    const to = second === undefined ? from + first.length : at + match[0].indexOf(second) + second.length;
    if (isQuoted[from] === 1 || marks.some((one) => one.from < to && from < one.to)) continue;
    const word = (second === undefined ? first : `${first} ${second}`).toLowerCase();
    marks.push({ kind: rule.kind, word, from, to });
  }
  return marks;
}
