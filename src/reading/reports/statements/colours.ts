import { DENIED, isImagined } from "../../owners.ts";

/** Features of looks that can be compared. */
export type Feature = "eyes" | "hair";

/** The families of each word, from the words of each family. */
function byWord(families: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const entries = Object.entries(families);
  return new Map(entries.flatMap(([family, words]) => words.split(" ").map((word) => [word, family])));
}

const FAMILIES: Readonly<Record<Feature, ReadonlyMap<string, string>>> = {
  eyes: byWord({
    blue: "blue azure sapphire bluest cornflower",
    "blue violet": "violet",
    grey: "grey gray slate greyest",
    green: "green emerald greenest jade",
    brown: "brown amber chestnut brownest topaz tawny",
    "brown green": "hazel",
    "black brown": "black blackest",
    "brown black": "dark darkest",
    "blue green": "turquoise",
  }),
  hair: byWord({
    fair: "blonde blond fair golden yellow flaxen straw tow platinum honey fairest",
    "fair red": "sandy",
    red: "red ginger copper carroty redhead coppery reddest",
    "red brown": "auburn russet",
    brown: "brown mousy",
    "brown red": "chestnut",
    black: "black raven jet blackest ebony",
    "brown black": "dark brunette darkest",
    grey: "grey gray white silver silvery snowy",
    "fair brown": "tawny",
  }),
};
/** Things that stand for a colour: "eyes the colour of wet slate". */
const THINGS = byWord({
  grey: "slate steel ash ashes smoke pewter flint iron snow",
  blue: "sky cornflowers bluebells",
  green: "moss grass jade emeralds",
  "brown red": "chestnuts mahogany",
  brown: "chocolate peat walnut toffee",
  "brown black": "coffee treacle",
  fair: "wheat corn straw butter barley",
  "fair brown": "honey",
  red: "carrots rust marmalade foxes fox",
  black: "coal soot pitch ink tar jet",
});
const NOUN: Readonly<Record<Feature, string>> = {
  eyes: "eyes",
  hair: "(?:hair|curls?|locks?|ringlets|tresses|mane|fringe|braids?|plaits?)",
};
const WORDS = "(?:[a-z’'-]+,? )";
const COPULA =
  "(?:were|was|are|is|had (?:always |never |once )?(?:been|turned|gone)|looked|shone|gleamed|flashed|went|showed)";

/** "her dark head", "a pretty brunette". */
const OF_HEADS = [
  "(?<=\\b(?:his|her|['’]s?) )(?:sleek |bright |small |neat |close-cropped )?(?<colour>dark|fair|black|blonde?|golden|auburn|red|grey|gray|white|brown|sandy|ginger) head\\b",
  "\\ban? (?:[a-z]+ )?(?<colour>brunette|blonde|redhead)\\b(?! [a-z]*(?:hair|curl|lock|wig))",
];

function patternsOf(part: Feature): readonly RegExp[] {
  const colours = [...FAMILIES[part].keys()].join("|");
  const colour = `(?<colour>${colours})(?:(?:-|, | and | or )(?<second>${colours}))?`;
  const noun = NOUN[part];
  return [
    // "her clear grey eyes"
    `\\b(?:[a-z]+-)?${colour}(?:-[a-z]+)?,? ${WORDS}?${noun}\\b`,
    // "her eyes were of a clear grey"
    `\\b${noun}(?:,? (?:which|that))? ${COPULA} ${WORDS}{0,3}?${colour}(?![\\w-]| with\\b| from\\b| eyes\\b| hair\\b)`,
    // "with eyes of a clear grey", "with eyes as grey as slate"
    `\\b${noun} (?:of|as) (?:an? )?${WORDS}?${colour}(?! (?:eyes|hair)\\b)`,
    // "her eyes, grey as ever,"
    `\\b${noun}, (?:of )?(?:an? )?(?:[a-z]+(?: and|,)? ){0,2}${colour}(?= as\\b| and [a-z]+[,.;—]|[,.;—])`,
    // "grey-eyed"
    `\\b${colour}-(?:${part === "eyes" ? "eyed" : "haired"})\\b`,
    // "the grey of her eyes"
    `(?<=\\bthe (?:[a-z]+ )?)${colour} of (?:his|her|\\p{Lu}[^,.;!?]{0,40}['’]s?) ${WORDS}?${noun}\\b`,
    // "opened her eyes. They were brown"
    `\\b${noun}\\. They (?:were|are) ${WORDS}{0,2}?${colour}(?![\\w-]| with\\b| from\\b)`,
    // "the eyes of Mara were grey"
    `\\bthe ${noun} of (?<owner>\\p{Lu}[^,.;!?]{1,40}?) ${COPULA} ${WORDS}{0,2}?${colour}(?![\\w-])`,
    // "eyes the colour of wet slate"
    `\\b${noun},?(?: ${COPULA}| of)? the (?:exact |very )?colou?r of (?:an? |the )?${WORDS}?(?<thing>${[...THINGS.keys()].join("|")})\\b`,
    ...(part === "hair" ? OF_HEADS : []),
  ].map((source) => new RegExp(source, "giu"));
}

const PATTERNS = { eyes: patternsOf("eyes"), hair: patternsOf("hair") };
/** A text that tells their colour holds one of these. */
export const COLOUR_WORDS: Readonly<Record<Feature, RegExp>> = {
  eyes: /\b[Ee]ye[sd]\b/,
  hair: /\b(?:[Hh]air(?:ed)?|[Cc]urls?|[Ll]ocks?|[Rr]inglets|[Tt]resses|[Mm]ane|[Ff]ringe|[Bb]raids?|[Pp]laits?|head|brunette|blonde|redhead)\b/,
};
/** The families of a colour as a cast's attribute has it: "grey", "fair, cropped". */
export function familiesOf(part: Feature, value: string): string[] {
  const words = value.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...new Set(words.flatMap((word) => FAMILIES[part].get(word)?.split(" ") ?? []))];
}

/** Returns the colour families in a text about somebody: `["grey"]` of "Tall, with grey eyes." for eyes. */
export function familiesTold(part: Feature, text: string): string[] {
  const [phrase] = PATTERNS[part].flatMap((pattern) => text.match(pattern) ?? []);
  return phrase === undefined ? [] : familiesOf(part, phrase);
}

/** Words that tell the colour of somebody's eyes or hair. */
export interface ColourPhrase {
  part: Feature;
  families: readonly string[];
  from: number;
  to: number;
  /** Offset from which the owner is looked for: of "eyes" in "the grey of her eyes". */
  ownedFrom: number;
  /** Where the name ends that the words themselves give: "the eyes of Mara". */
  namedTo: number | undefined;
}

/** The words of a text that tell the colour of eyes or hair, without those that deny or imagine it. English. */
export function colourPhrases(text: string): ColourPhrase[] {
  const spoken = (["eyes", "hair"] as const).filter((part) => COLOUR_WORDS[part].test(text));
  return spoken.flatMap((part) =>
    PATTERNS[part].flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap((match): ColourPhrase[] => {
        const from = match.index;
        const to = from + match[0].length;
        if (DENIED.test(match[0]) || isImagined(text, from, to)) return [];
        const { colour = "", second = "", thing = "", owner: named } = match.groups ?? {};
        const families =
          THINGS.get(thing.toLowerCase())?.split(" ") ?? familiesOf(part, `${colour} ${second}`);
        const ownedFrom = / of (?:his|her|\p{Lu})/u.test(match[0]) ? from + match[0].search(/\S+$/u) : from;
        const namedTo = named === undefined ? undefined : from + match[0].indexOf(named) + named.length;
        return [{ part, families, from, to, ownedFrom, namedTo }];
      }),
    ),
  );
}
