import { type Owner, ownerMeant, ownerNamed } from "./check-people.ts";
import { type RemarkablePassage, type Shelf, sentenceStart } from "./check-shelf.ts";

/** What can be compared of somebody's looks. */
export type Part = "eyes" | "hair";

/** A colour that the prose gives somebody. */
export interface Trait {
  part: Part;
  /** The families that the colour may belong to; two colours agree where they share one. */
  families: readonly string[];
  owner: Owner;
  passage: RemarkablePassage;
  from: number;
  to: number;
}

const FAMILIES: Readonly<Record<Part, Readonly<Record<string, string>>>> = {
  eyes: {
    blue: "blue",
    azure: "blue",
    sapphire: "blue",
    violet: "blue violet",
    grey: "grey",
    gray: "grey",
    slate: "grey",
    green: "green",
    emerald: "green",
    brown: "brown",
    hazel: "brown green",
    amber: "brown",
    chestnut: "brown",
    black: "black brown",
    dark: "brown black",
  },
  hair: {
    blonde: "fair",
    blond: "fair",
    fair: "fair",
    golden: "fair",
    yellow: "fair",
    flaxen: "fair",
    straw: "fair",
    sandy: "fair red",
    red: "red",
    auburn: "red brown",
    ginger: "red",
    copper: "red",
    carroty: "red",
    brown: "brown",
    chestnut: "brown red",
    mousy: "brown",
    black: "black",
    raven: "black",
    jet: "black",
    dark: "brown black",
    grey: "grey",
    gray: "grey",
    white: "grey",
    silver: "grey",
  },
};
const NOUN: Readonly<Record<Part, string>> = {
  eyes: "eyes",
  hair: "(?:hair|curls|locks|tresses|braids?|plaits?)",
};
const WORDS = "(?:[a-z’'-]+,? )";
const COPULA = "(?:were|was|are|is|had (?:always |never |once )?(?:been|turned|gone)|looked|shone|gleamed)";

function patternsOf(part: Part): readonly RegExp[] {
  const colours = Object.keys(FAMILIES[part]).join("|");
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
    `\\b${noun}, (?:[a-z]+ )?${colour}(?= as\\b|[,.;—])`,
    // "grey-eyed"
    `\\b${colour}-(?:${part === "eyes" ? "eyed" : "haired"})\\b`,
    // "the grey of her eyes"
    `(?<=\\bthe (?:[a-z]+ )?)${colour} of (?:his|her|\\p{Lu}[^,.;!?]{0,40}['’]s?) ${WORDS}?${noun}\\b`,
  ].map((source) => new RegExp(source, "giu"));
}

const PATTERNS = { eyes: patternsOf("eyes"), hair: patternsOf("hair") };
/** What each of them has; passages without it are passed over. */
const SPOKEN: Readonly<Record<Part, RegExp>> = {
  eyes: /\beye[sd]\b/i,
  hair: /hair|curls|locks|tresses|braid|plait/i,
};
const DENIED =
  /\b(?:not|never|no|nor|neither|hardly|if|than|would|might|could|wish(?:ed)?|once|dyed?|wig)\b/i;
const OTHERS =
  /\b(?:man|woman|boy|girl|child|lady|gentleman|fellow|stranger|someone|somebody|one|people|both|mother|father|sister|brother|daughter|son|wife|husband|aunt|uncle|cousin|cat|dog|horse)\b/i;

const NOT_THEIRS = new RegExp(`${OTHERS.source}|\\b(?:had|has|with|was|were|is|and)\\b`, "i");
/** A noun that is the subject itself: "a woman with". */
const OF_THEIR_OWN = /\ban? (?:[a-z]+ ){0,2}(?:man|woman|boy|girl|child|lady|gentleman) (?:of|with)\b/i;

/** The families of a colour as a cast's attribute gives it: "grey", "fair, cropped". */
export function familiesOf(part: Part, value: string): string[] {
  const words = value.toLowerCase().match(/[a-z]+/g) ?? [];
  return [...new Set(words.flatMap((word) => FAMILIES[part][word]?.split(" ") ?? []))];
}

/** The same of a text about somebody: `["grey"]` of "Tall, with grey eyes." for eyes. */
export function familiesTold(part: Part, text: string): string[] {
  const [phrase] = PATTERNS[part].flatMap((pattern) => text.match(pattern) ?? []);
  return phrase === undefined ? [] : familiesOf(part, phrase);
}

/** The colours of eyes and hair that a passage gives people of the cast. English. */
export function traitsIn(shelf: Shelf, passage: RemarkablePassage): Trait[] {
  const spoken = (["eyes", "hair"] as const).filter((part) => SPOKEN[part].test(passage.text));
  return spoken.flatMap((part) =>
    PATTERNS[part].flatMap((pattern) =>
      [...passage.text.matchAll(pattern)].flatMap((match) => {
        const from = match.index;
        const to = from + match[0].length;
        const { colour = "", second = "" } = match.groups ?? {};
        const start = / of (?:his|her|\p{Lu})/u.test(match[0]) ? from + match[0].search(/\S+$/u) : from;
        const owner = DENIED.test(match[0]) ? undefined : ownerOf(shelf, passage, start, to);
        const families = familiesOf(part, `${colour} ${second}`);
        return owner === undefined ? [] : [{ part, families, owner, passage, from, to }];
      }),
    ),
  );
}

/** Whose a phrase is: by "her", "Mara’s" or "of Mara" beside it, else the subject of "had", "with" or "was". */
function ownerOf(shelf: Shelf, passage: RemarkablePassage, from: number, to: number): Owner | undefined {
  const { text } = passage;
  const isQuoted = shelf.quoted(passage)[from] === 1;
  const before = text.slice(0, from);
  const determiner =
    /(?:\b(?<pronoun>his|her|my|your|their|our|its)|(?<possessive>['’]s?|,? whose)) (?<between>(?:[a-z’-]+,? ){0,4})$/i.exec(
      before,
    );
  // "Mara’s mother had brown eyes"
  if (NOT_THEIRS.test(determiner?.groups?.between ?? "")) return undefined;
  if (determiner?.groups?.possessive !== undefined) return ownerNamed(shelf, passage, determiner.index);
  const pronoun = determiner?.groups?.pronoun?.toLowerCase();
  if (pronoun === "his" || pronoun === "her") {
    const gender = pronoun === "his" ? "male" : "female";
    return isQuoted ? undefined : ownerMeant(shelf, passage, determiner!.index, gender); // it matched
  }
  if (pronoun !== undefined) return undefined;
  const behind = shelf
    .named(passage)
    .find((span) => /^,? (?:of )?$/.test(text.slice(to, span.from)) && span.from > to);
  if (behind !== undefined) return ownerNamed(shelf, passage, behind.to);
  return isQuoted ? undefined : subjectOf(shelf, passage, from);
}

/** Words that lead from a subject to its looks: "had", "with", "pushed back the". */
const LINK =
  /\b(?:had|has|with|was|is|there was|(?:pushed|brushed|combed|tossed|shook|smoothed|tied|pinned|dried|wrung|tucked|ran) [^.;]*)\b(?:(?!\b(?:had|has|was|were|is)\b)[^;:—()])*$/i;

/** The person that the sentence is about: named beside the phrase, or where a verb leads from the name to it. */
function subjectOf(shelf: Shelf, passage: RemarkablePassage, from: number): Owner | undefined {
  const { text } = passage;
  const start = sentenceStart(text, from);
  const sentence = text.slice(start, from);
  const named = shelf.named(passage).filter((span) => span.from >= start && span.to <= from);
  const last = named.at(-1);
  if (last !== undefined && /^['’]/.test(text.slice(last.to))) return undefined; // what is Mara's is not Mara
  if (last !== undefined && /^,? (?:was |[a-z]+ and |[a-z]+, )?$/.test(text.slice(last.to, from))) {
    return ownerNamed(shelf, passage, last.to);
  }
  const link = LINK.exec(sentence);
  if (link === null || DENIED.test(link[0]) || OTHERS.test(sentence.replace(OF_THEIR_OWN, "")))
    return undefined;
  const pronoun = [...sentence.slice(0, link.index).matchAll(/\b(he|she)\b/gi)].at(-1);
  if (pronoun !== undefined && (last === undefined || start + pronoun.index > last.from)) {
    return ownerMeant(shelf, passage, start + pronoun.index, /^he$/i.test(pronoun[0]) ? "male" : "female");
  }
  if (last === undefined || named.length > 1 || last.to > start + link.index + 1) return undefined;
  return ownerNamed(shelf, passage, last.to);
}
