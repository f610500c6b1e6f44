import { sentenceStart } from "../../../reading/owners.ts";
import type { OneOnly } from "../../../reading/statements.ts";
import type { ProsePassage } from "./passages.ts";

/** Traits that may differ elsewhere for a good reason. */
export type Told = OneOnly | "life";

const words = (...alternatives: readonly string[]) => new RegExp(`\\b(?:${alternatives.join("|")})\\b`, "iu");

const NUMBER =
  "(?:an?|\\d+|some|many|several|few|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty)";

/** Not so in the story at all: dreams, lies, parts that are played, what is only told or depicted. */
const UNREAL = words(
  "dream(?:t|ed|s|ing)?|nightmares?|vision|hallucinat\\w+|delirium|fancied|imagin\\w+|pretend\\w*|make-believe",
  "lied|a lie|lies|lying to|liar|fib(?:bed)?|untrue|not true|swore blind|an alias|a false name",
  "mistak\\w+|mistook|wrong (?:man|woman|girl|boy|person|one)|took (?:him|her|me) for",
  "disguise\\w*|masquerade|fancy dress|costumes?|in the play|on the stage|on stage|in the part|rehears\\w+|the role",
  "photo(?:graph|s|graphs)?|snapshots?|portrait|painting|picture|miniature|locket|sketch|poster|statue|the film|on film|waxwork",
  "(?:his|her|the|their|[a-z]+['’]s) (?:story|version|account|tale|legend)|used to (?:say|tell)|fairy tale",
);

/** At another time than that of the story around it. */
const ELSEWHEN = words(
  `${NUMBER} (?:long |more |whole )?(?:years?|decades?|winters|summers) (?:ago|before|earlier|later|after(?:wards)?|on|since|older|younger|had|have|back)`,
  "years (?:ago|before|earlier|later|after(?:wards)?|since|had passed|passed|went by)|a lifetime ago|long ago|decades",
  "used to|in those days|in (?:his|her|my|their) (?:youth|childhood|girlhood|boyhood|prime|day)|as a (?:young )?(?:child|boy|girl|man|woman|baby|student)",
  "when (?:he|she|I|we|they|\\p{Lu}\\p{L}+) (?:was|were|had been) (?:a |an |very |so |still |only |just )*(?:small|little|young|child|boy|girl|baby|student|lieutenant|sergeant|captain|major|colonel|corporal|midshipman|constable)",
  "remember(?:ed|ing|s)?|recall(?:ed|ing|s)?|memory|memories|thought back|looking back",
  "(?:the|that) (?:\\w+ )?(?:winter|summer|spring|autumn|year|night|day|christmas|easter) (?:I|he|she|we|they) (?:was|were|had)",
  "the (?:winter|summer|spring|autumn|year|christmas) before|that last (?:winter|summer|spring|autumn|year|christmas)",
  "until the war|before the war|since the war|the previous (?:year|winter|summer|spring|autumn)",
);

/** Another of that name, or another altogether. */
const OTHER = words(
  "namesake|same name|called after|named (?:after|for)|twins?|double|impostor|look-?alike|the (?:elder|younger)",
  "(?:the other|another) (?:one|man|woman|girl|boy|of (?:that|the) name)",
);

const TITLE = words(
  "promot\\w*|commission\\w*|gazetted|rank|stripes?|pips?|demot\\w*|brok(?:e|en) (?:him|her|to)|reduced|busted|retired|resign\\w*|brevet|acting|former(?:ly)?|ex",
  "ordained|consecrated|elected|appointed|knight\\w*|ennobled|peerage|made (?:him|her|up)|again|now|then|one day|soon",
  "marri\\w+|marry\\w*|wed(?:ding|ded)?|bride\\w*|honeymoon|divorce\\w*|maiden|husband|wife|widow\\w*|engaged|ring|kissed",
  "called (?:him|her)|address(?:ed)? (?:him|her)|joke\\w*|mock\\w*|teas\\w+|sarcas\\w*|correct\\w+",
);
const FAMILY = words(
  "born|birth|adopted|died|dead|death|killed|lost|buried|half-(?:brother|sister)s?|step-?\\w+|in-law",
);

const CHANGED: Readonly<Record<Told, RegExp>> = {
  eyes: words(
    "lenses|contact lens|glass eyes?|drops|iris(?:es)? (?:had )?changed|coloured glasses",
    "bruis\\w+|swollen|puffy|punched|black eyes? from|fists?|blood-?shot|walked into a door|dilated",
  ),
  hair: words(
    "dye(?:d|s|ing)?|bleach\\w*|henna\\w*|peroxide\\w*|tint(?:ed|s)?|rinsed? in|(?:a|the) rinse|wigs?|toupee|hair-?piece|false hair|coloured (?:it|her|his)",
    "shav\\w+|shorn|hairdresser\\w*|salon|turned (?:grey|white)|gone (?:grey|white)|went (?:grey|white)|(?:grey|white) now",
  ),
  age: words("papers said|passport|certificate said|believe|do(?:es)? not look|did not look"),
  life: words(
    "ghosts?|spirit|spectre|alive|not dead|dead|death|died|die|dying|graves?|tomb|buried|burial|coffin|funeral|heaven|hell|afterlife|beyond|risen|resurrect\\w*|s[ée]ance",
    "tapes?|record(?:ing|ings|ed)|cassette|gramophone|answering machine|voicemail|film|screen|video|letters?|diary|diaries|dated",
    "voice|would (?:say|have)|son|nephew|grandson|daughter|niece|flashback",
  ),
  marriage: TITLE,
  rank: TITLE,
  hand: words("lost|stump|sling|sprain\\w*|broken|bandage\\w*|learn(?:t|ed)"),
  brothers: FAMILY,
  sisters: FAMILY,
};

/** Things that make hair look black or brown for an hour, and things that make it look white or grey. */
const WETTED = words(
  "wet|soaked|drenched|damp|sodden|dripping|oiled?|greas\\w+|tar|soot|coal|ink|mud(?:dy)?",
);
const DUSTED = words(
  "flour|plaster|dust(?:y)?|chalk|ash|ashes|snow|frost|rime|powder\\w*|paint|lime|cobwebs?|foam",
);
const LIGHT = words(
  "(?:candle|lamp|fire|moon|star|gas|torch|half-?|twi)light|(?:in|by|under|against) (?:the|that|this|such a?) (?:[a-z]+ ){0,2}(?:light|lamp|moon|dark|darkness|dusk|gloom|glare|glow|shade|shadows?|sunset|dawn|neon)",
  "silhouette|shadows?|sunset|dusk",
);
/** Hedges and conditions; they speak of their own sentence only. */
const UNCERTAIN = words(
  "if|would(?! not)|might|could have|perhaps|maybe|as if|as though|seem(?:ed|s)?|appear(?:ed|s)?|(?:did|does) not look|(?:looked|looks|felt) (?:almost|nearly|quite|like|about)|wondered|suppose\\w*|guess\\w*|whether",
);
const BY_THEN = words("when|as long as|once|no longer|until|till|by now|by the time");

/**
 * True if the prose gives a reason why something told at this place need not be so elsewhere: another time, a dream, a
 * lie, a likeness, another of the name, dye, a wig, the light, a promotion. What changes somebody is read in the passage,
 * two above it and the one below, but for the block `besides`; other times and dreams in the passage and the one above;
 * hedges in their own sentence. Silence costs a finding, a false alarm costs trust: so the lists are wide.
 */
export function hasReason(
  passage: ProsePassage,
  { from, to }: { from: number; to: number },
  told: Told,
  besides?: string,
): boolean {
  if (around(passage).some(({ blockId, text }) => blockId !== besides && CHANGED[told].test(text)))
    return true;
  if (scenesOf(passage).some((text) => [UNREAL, ELSEWHEN, OTHER].some((reason) => reason.test(text))))
    return true;
  if (UNCERTAIN.test(passage.text.slice(sentenceStart(passage.text, from), to))) return true;
  const sentence = sentenceAround(passage, from, to);
  if (told === "eyes") return LIGHT.test(sentence);
  if (told !== "hair") return BY_THEN.test(sentence);
  return LIGHT.test(sentence) || isCovered(passage.text, passage.text.slice(from, to));
}

/** The passage, the two above it and the one below. */
function around(passage: ProsePassage): ProsePassage[] {
  const { above, below } = passage;
  return [passage, above, above?.above, below].filter((one) => one !== undefined);
}

/** True for a colour that water or flour gives to hair. */
function isCovered(text: string, colour: string): boolean {
  if (/\b(?:black|dark|brown)/i.test(colour) && WETTED.test(text)) return true;
  return /\b(?:white|gr[ea]y|silver)/i.test(colour) && DUSTED.test(text);
}

/** The passage and the one above it: who dreams or remembers says so there. */
function scenesOf({ text, above }: ProsePassage): string[] {
  return above === undefined ? [text] : [text, above.text];
}

/** True if what stands here, or near it, is dreamt, played, depicted or told of another of the name. */
export function isUnreal(passage: ProsePassage): boolean {
  return scenesOf(passage).some((text) => UNREAL.test(text) || OTHER.test(text));
}

/** True for prose that goes back to another time. */
export function isElsewhen({ text }: ProsePassage): boolean {
  return ELSEWHEN.test(text);
}

function sentenceAround({ text }: ProsePassage, from: number, to: number): string {
  const mark = text.slice(to).search(/[.!?…]/);
  return text.slice(sentenceStart(text, from), mark < 0 ? text.length : to + mark + 1);
}

/** Lasting changes of looks: told anywhere, they explain every other colour after that. */
export const CHANGES: Readonly<Record<"eyes" | "hair", RegExp>> = {
  eyes: /\b(?:[Cc]ontact lens(?:es)?|coloured lenses|[Gg]lass eye)\b/,
  hair: /\b(?:[Dd]ye(?:d|s|ing)?|[Bb]leach(?:ed|es|ing)?|[Hh]enna(?:ed)?|peroxide|wigs?|toupee)\b/,
};

/** Years that go by: ages told on both sides of it need not be the same. */
export const YEARS_PASS =
  /\b(?:[Yy]ears? (?:later|after(?:wards)?|passed|went|had passed|had gone|since|on)\b|another (?:year|spring|summer|autumn|winter)|[Tt]he (?:following|next) (?:year|spring|summer|autumn|winter)|[Nn]ext (?:year|spring|summer|autumn|winter)|the years|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|many|several|some) (?:long |more |whole )?(?:years|winters|summers)\b)/;
