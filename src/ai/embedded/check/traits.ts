import type { NamedSpan } from "../../../reading/cast-names.ts";
import { type RelevantPassage, type Shelf, sentenceStart } from "./passages.ts";
import { type Owner, ownerMeant, ownerNamed } from "./pronouns.ts";

/** Features of looks that can be compared. */
export type Feature = "eyes" | "hair";

/** The colour of somebody's eyes or hair in the prose. */
export interface Trait {
  part: Feature;
  /** The families that the colour may belong to; two colours agree if they share one. */
  families: readonly string[];
  owner: Owner;
  passage: RelevantPassage;
  from: number;
  to: number;
}

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
const COPULA = "(?:were|was|are|is|had (?:always |never |once )?(?:been|turned|gone)|looked|shone|gleamed)";

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
/** A passage that tells their colour holds one of these. */
export const TRAIT_WORDS: Readonly<Record<Feature, RegExp>> = {
  eyes: /\b[Ee]ye[sd]\b/,
  hair: /\b(?:[Hh]air(?:ed)?|[Cc]urls?|[Ll]ocks?|[Rr]inglets|[Tt]resses|[Mm]ane|[Ff]ringe|[Bb]raids?|[Pp]laits?|head|brunette|blonde|redhead)\b/,
};
const DENIED =
  /\b(?:not|never|no|nor|neither|hardly|if|than|would|might|could|wish(?:ed)?|once|dyed?|wig)\b/i;
const OTHERS =
  /\b(?:man|woman|boy|girl|child|lady|gentleman|fellow|stranger|someone|somebody|one|people|both|mother|father|sister|brother|daughter|son|wife|husband|aunt|uncle|cousin|cat|dog|horse)\b/i;

const NOT_THEIRS = new RegExp(`${OTHERS.source}|\\b(?:had|has|with|was|were|is|and)\\b`, "i");
/** A noun that is the subject itself: "a woman with". */
const OF_THEIR_OWN =
  /(?<=\b(?:was|is|became|still|only) |, )an? (?:[a-z]+ ){0,2}(?:man|woman|boy|girl|child|lady|gentleman) (?:of|with)\b/i;

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

/** The colours of eyes and hair that people of the cast have in a passage. English. */
export function traitsIn(shelf: Shelf, passage: RelevantPassage): Trait[] {
  const spoken = (["eyes", "hair"] as const).filter((part) => TRAIT_WORDS[part].test(passage.text));
  return spoken.flatMap((part) =>
    PATTERNS[part].flatMap((pattern) =>
      [...passage.text.matchAll(pattern)].flatMap((match): Trait[] => {
        const from = match.index;
        const to = from + match[0].length;
        const { colour = "", second = "", thing = "", owner: named } = match.groups ?? {};
        const start = / of (?:his|her|\p{Lu})/u.test(match[0]) ? from + match[0].search(/\S+$/u) : from;
        const isUnreal = DENIED.test(match[0]) || isImagined(passage.text, from, to);
        const owner = isUnreal
          ? undefined
          : named === undefined
            ? ownerOf(shelf, passage, start, to)
            : ownerNamed(shelf, passage, from + match[0].indexOf(named) + named.length);
        const families =
          THINGS.get(thing.toLowerCase())?.split(" ") ?? familiesOf(part, `${colour} ${second}`);
        return owner === undefined ? [] : [{ part, families, owner, passage, from, to }];
      }),
    ),
  );
}

/** Words of a dream or a comparison. */
const IMAGINED =
  /\b(?:dream(?:t|ed|s|ing)?|imagin(?:ed|es|ing)|pretend(?:ed|ing)?|as if|as though|if only|picture)\b/i;
/** "had never had red hair". */
const UNSAID = /(?:\b(?:never|not|without)|n['’]t) (?:had |have |has |with |a |the )[^,;.]{0,20}$/i;
function isImagined(text: string, from: number, to: number): boolean {
  const start = sentenceStart(text, from);
  return IMAGINED.test(text.slice(start, to)) || UNSAID.test(text.slice(start, from));
}

/** Words behind which "his eyes" are those of another than the sentence's subject. */
const TOWARDS =
  /\b(?:into|at|from|met|meets?|meeting|sought|avoided|admired?|liked|loved|kissed|stroked|noticed|saw|watched|studied)(?: [a-z]+ (?:of|in|into|from|at|on))? $/i;
/** "She had her mother’s green eyes". */
const INHERITED =
  /\b(?:had|has|with|inherited|got) (?:(?:his|her) (?:(?:own|dead|late) )?|the )(?:mother|father|grandmother|grandfather|family|aunt|uncle)['’]s (?:[a-z-]+,? ){0,2}$/i;

/** Finds the owner of a phrase: by "her", "Mara’s" or "of Mara" next to it, else the subject of "had", "with" or "was". */
function ownerOf(shelf: Shelf, passage: RelevantPassage, from: number, to: number): Owner | undefined {
  const { text } = passage;
  const isQuoted = shelf.quoted(passage)[from] === 1;
  const offset = Math.max(0, from - NEAR);
  const before = text.slice(offset, from);
  const determiner =
    /(?:\b(?<pronoun>his|her|my|your|their|our|its)|(?<possessive>['’]s?|,? whose)) (?<between>(?:[a-z’-]+,? ){0,4})$/i.exec(
      before,
    );
  const inherited = INHERITED.exec(before);
  if (inherited !== null)
    return isQuoted ? undefined : subjectOf(shelf, passage, from - inherited[0].length + 5);
  // "Mara’s mother had brown eyes"
  if (NOT_THEIRS.test(determiner?.groups?.between ?? "")) return undefined;
  if (determiner?.groups?.possessive !== undefined)
    return ownerNamed(shelf, passage, offset + determiner.index);
  const pronoun = determiner?.groups?.pronoun?.toLowerCase();
  if (determiner !== null && (pronoun === "his" || pronoun === "her")) {
    if (isQuoted || TOWARDS.test(before.slice(0, determiner.index))) return undefined;
    const gender = pronoun === "his" ? "male" : "female";
    return ownerMeant(shelf, passage, offset + determiner.index, gender);
  }
  if (pronoun !== undefined) return undefined;
  const behind = shelf
    .named(passage)
    .find((span) => /^,? (?:of )?$/.test(text.slice(to, span.from)) && span.from > to);
  if (behind !== undefined) return ownerNamed(shelf, passage, behind.to);
  return isQuoted ? undefined : subjectOf(shelf, passage, from);
}

/** Characters before a phrase in which its owner is looked for: next to it, and in its sentence. */
const NEAR = 120;
const FAR = 600;
/** Words that lead from a subject to its looks: "had", "with", "pushed back the". */
const LINK =
  /\b(?:had|has|with|was|is|there was|(?:pushed|brushed|combed|tossed|shook|smoothed|tied|pinned|dried|wrung|tucked|ran|turned|fixed|lifted|raised|blinked|bent) [^.;]*)\b(?:(?!\b(?:had|has|was|were|is)\b)[^;:—()])*$/i;

/** The person that the sentence is about: named next to the phrase, or connected to it by a verb. */
function subjectOf(shelf: Shelf, passage: RelevantPassage, from: number): Owner | undefined {
  const { text } = passage;
  const start = Math.max(sentenceStart(text, from), from - FAR);
  const named = shelf.named(passage).filter((span) => span.from >= start && span.to <= from);
  const last = named.at(-1);
  const between = last === undefined ? "" : text.slice(last.to, from);
  if (/^['’]/.test(last === undefined ? "" : text.slice(last.to))) return undefined; // what is Mara's is not Mara
  // "Mara, a tall dark-haired girl"
  const isApposed = named.length === 1 && last?.from === start && APPOSED.test(between);
  if (last !== undefined && (isApposed || /^,? (?:was |[a-z]+ and |[a-z]+, )?$/.test(between)))
    return ownerNamed(shelf, passage, last.to);
  return linkedTo(shelf, passage, { start, from, named });
}

/** The person from whom a verb leads to the end of a sentence's part. */
function linkedTo(
  shelf: Shelf,
  passage: RelevantPassage,
  { start, from, named }: { start: number; from: number; named: readonly NamedSpan[] },
): Owner | undefined {
  const { text } = passage;
  const linkAt = linkIn(text.slice(start, from));
  if (linkAt === undefined) return undefined;
  const last = named.at(-1);
  const pronoun = [...text.slice(start, start + linkAt).matchAll(/\b(he|she)\b/gi)].at(-1);
  if (pronoun !== undefined && (last === undefined || start + pronoun.index > last.from)) {
    return ownerMeant(shelf, passage, start + pronoun.index, /^he$/i.test(pronoun[0]) ? "male" : "female");
  }
  if (last === undefined || named.length > 1 || last.to > start + linkAt + 1) return undefined;
  return ownerNamed(shelf, passage, last.to);
}

const APPOSED = /^, (?:an?|the) (?:[a-z]+,? ){0,2}$/;

/** Offset of the words that lead up to the phrase; undefined if they deny it or name somebody else. */
function linkIn(sentence: string): number | undefined {
  const link = LINK.exec(sentence);
  if (link === null || DENIED.test(link[0]) || OTHERS.test(sentence.replace(OF_THEIR_OWN, "")))
    return undefined;
  return link.index;
}
