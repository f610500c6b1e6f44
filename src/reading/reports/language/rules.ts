import { type Mark, type MarkedText, type MarkKind, oneOf } from "./finding.ts";

/** A way of writing that is marked in narration; the word it is counted under is the group `word`, else all of it. */
interface Rule {
  kind: MarkKind;
  pattern: RegExp;
}

/** Behind a verb that has a subject right before it: the verb is looked for first, since it is rarer. */
const SUBJECT =
  "(?<=\\b(?:I|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|[Yy]ou|and|[A-Z][a-z]+)(?: (?:only|just|still|now|then|suddenly|almost|already|even|also|\\w+ly))? [a-z]+)";
const SOFTLY = "(?: (?:only|just|still|now|then|almost|already|even|also|\\w+ly))?";
const SENSED = oneOf("saw heard felt noticed watched sensed observed perceived");
/** Nouns that end like a verb's "-ing". */
const NO_VERB = oneOf(
  "thing something nothing anything everything king ring string spring wing evening morning ceiling being wedding building feeling meaning darling during sibling clothing lightning",
);
const OWNER = oneOf(
  "his her my their our your its the a an some him them me it us someone somebody something another one [A-Z][a-z]+",
);
const AFTER_SEEMED = oneOf("to as that like");

const rule = (kind: MarkKind, pattern: string): Rule => ({ kind, pattern: new RegExp(pattern, "g") });

/** Words that put a person between the reader and what happens. */
const FILTERS: readonly Rule[] = [
  rule(
    "filter",
    `\\b(?<word>could)${SUBJECT}${SOFTLY} (?<second>see|hear|feel|smell|taste|sense)\\b(?! (?:to|for|no)\\b)`,
  ),
  rule(
    "filter",
    `\\b(?<word>saw|felt|noticed|sensed|observed|perceived|realized|realised)${SUBJECT} (?:that|how)\\b`,
  ),
  rule(
    "filter",
    `\\b(?<word>${SENSED})${SUBJECT} ${OWNER}(?: [a-z]+){0,3}? (?!${NO_VERB}\\b)[a-z]{2,}ing\\b`,
  ),
  rule("filter", `\\b(?<word>felt)${SUBJECT} an?(?: [a-z]+){1,2} (?:of|in)\\b`),
  rule("filter", `\\b(?<word>felt)${SUBJECT} (?:himself|herself|myself|themselves|ourselves)\\b`),
  rule("filter", `\\b(?<word>seemed|appeared) ${AFTER_SEEMED}\\b`),
  rule(
    "filter",
    `\\b(?<word>began|started) (?<second>to) (?!the\\b|his\\b|her\\b|my\\b|their\\b|a\\b|it\\b)[a-z]+`,
  ),
  rule("filter", `\\b(?<word>found) (?:himself|herself|myself|themselves|ourselves) [a-z]+ing\\b`),
  rule("filter", `\\b(?<word>could) (?<second>not help) [a-z]+ing\\b`),
];

const NO_DEGREE =
  "(?<!\\b(?:[Tt]he|these|those|this|that|his|her|my|their|its|your|our|same|not|never|or|would|than|so) )(?<!\\b(?:had|but|’d|'d) )";
const INTENSIFIERS: readonly Rule[] = [
  rule("intensifier", `${NO_DEGREE}\\b(?<word>very) (?!well\\b|few\\b|day\\b)[a-z]+`),
  rule(
    "intensifier",
    `${NO_DEGREE}\\b(?<word>quite|rather|somewhat|really|perfectly|extremely|exceedingly|terribly|awfully|totally|completely|absolutely|utterly|simply|literally|incredibly) (?!than\\b|an?\\b|the\\b|of\\b|to\\b|in\\b|by\\b|as\\b|if\\b|for\\b|and\\b|with\\b|when\\b|because\\b|that\\b|from\\b|what\\b|it\\b|like\\b|did\\b|at\\b|on\\b|after\\b|before\\b|enough\\b)[a-z]+`,
  ),
  rule("intensifier", "\\b(?<word>all of a sudden|[Ss]uddenly)\\b"),
  rule("intensifier", "\\b(?<word>a (?:little )?bit) (?!of\\b|to\\b|later\\b)[a-z]+"),
];

const BODY = oneOf("head heads shoulder shoulders eye eyes brow brows eyebrow eyebrows hand hands lip lips");
const OWN = oneOf("his her my their our your");
const PADDING: readonly Rule[] = [
  rule(
    "padding",
    "\\b(?<word>the fact that|in order to|for the purpose of|in the process of|in the event that|on the subject of|with regard to|in regard to|in respect to|with reference to|as to whether|the (?:manner|way) in which|by means of which|at (?:this|that) point in time|in spite of the fact|owing to the fact|each and every|the reason why|by reason of|in the vicinity of|in close proximity|in the direction of|of the opinion that|in such a manner|to such an extent|in the course of)\\b",
  ),
  rule(
    "padding",
    "\\b(?<word>(?:gave|giving) (?:him |her |me |them |us )?an? (?:\\w+ )?(?:nod|shrug|sigh|shudder|shiver|start|bow|glance|groan|cry|laugh|smile|grunt|gasp|wave))\\b(?!-)",
  ),
  rule("padding", "\\b(?<word>(?:took|cast|threw|stole) a (?:\\w+ )?(?:look|glance|peep|peek))\\b"),
  rule(
    "padding",
    "\\b(?<word>(?:made|make|came to|come to) (?:a|the) (?:decision|attempt|effort|conclusion|suggestion|remark|observation|statement|inquiry|discovery) (?:to|that))\\b",
  ),
  rule(
    "padding",
    "\\b(?<word>[Tt]here (?:was|were)) (?:an?|no|some|many|several|two|three|something|nothing) (?:[a-z]+ ){0,3}?(?:that|who|which) ",
  ),
  rule(
    "padding",
    `\\b(?<word>(?:nodded|nodding) ${OWN} ${BODY}|(?:shrugged|shrugging) ${OWN} ${BODY}|(?:blinked|blinking) ${OWN} ${BODY})\\b`,
  ),
  rule(
    "padding",
    "\\b(?<word>thought to (?:him|her|my|them)(?:self|selves)|(?:whispered|murmured|muttered) (?:softly|quietly|lowly)|(?:returned|returning) back|(?:rose|rising) up|(?:sank|sinking) down|(?:lifted|raised) up|(?:entered|entering) into the|(?:followed|following) after|(?:repeated|repeating) again|(?:knelt|kneeling) down|(?:small|large|tall|great|big) in size|(?:red|blue|white|black|green|grey|gray|brown|yellow) in colou?r)\\b",
  ),
];

const RULES = [...FILTERS, ...INTENSIFIERS, ...PADDING];

/** Marks that a pattern finds by itself: filter words, intensifiers and padding, in narration. */
export function marksByRule({ text, isQuoted }: MarkedText): Mark[] {
  const marks: Mark[] = [];
  for (const { kind, pattern } of RULES) {
    for (const match of text.matchAll(pattern)) {
      const { word: first = match[0], second } = match.groups ?? {};
      const from = match.index + match[0].indexOf(first);
      const to =
        second === undefined ? from + first.length : match.index + match[0].indexOf(second) + second.length;
      if (isQuoted[from] === 1 || marks.some((one) => one.from < to && from < one.to)) continue;
      marks.push({
        kind,
        word: (second === undefined ? first : `${first} ${second}`).toLowerCase(),
        from,
        to,
      });
    }
  }
  return marks;
}
