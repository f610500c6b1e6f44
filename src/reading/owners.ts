import { isPerson, likelyGenderOf, type NamedSpan } from "./cast-names.ts";
import type { ReadingFact } from "./reading.ts";
import { type Gender, isHonorific } from "./word-lists.ts";

/** A paragraph. */
export interface Paragraph {
  text: string;
}

/** A paragraph with the one above it, where a pronoun may have its name. */
export type Below<Passage extends Paragraph> = Passage & {
  above: (Passage & { above?: Passage | undefined }) | undefined;
};

/** The prose that statements are read in. */
export interface ReadProse<Passage extends Paragraph> {
  named(passage: Passage): readonly NamedSpan[];
  /** 1 for every character inside quotation marks. */
  quoted(passage: Passage): Uint8Array;
}

/** Whom a phrase is about, and the words that say so. */
export interface Owner<Passage extends Paragraph> {
  fact: ReadingFact;
  passage: Passage;
  from: number;
  to: number;
  /** True if named next to the phrase, false if meant by a pronoun. */
  isNamed: boolean;
}

const NOUNS: Readonly<Record<Gender, RegExp>> = {
  female:
    /\b(?:woman|girl|lady|mother|sister|daughter|wife|widow|aunt|nurse|maid|bride|queen|grandmother|niece)\b/i,
  male: /\b(?:man|boy|gentleman|father|brother|son|husband|uncle|fellow|lad|king|grandfather|nephew|captain|priest)\b/i,
};

/** Who a name means: a person, and nobody else. */
export function personOf({ facts }: NamedSpan): ReadingFact | undefined {
  const [fact] = facts;
  return fact !== undefined && facts.length === 1 && isPerson(fact) ? fact : undefined;
}

/** The person whose name ends at this offset, such as before the possessive of "Mara’s". */
export function ownerNamed<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Passage,
  end: number,
): Owner<Passage> | undefined {
  const span = prose.named(passage).find(({ to }) => to === end);
  const fact = span === undefined ? undefined : personOf(span);
  return fact === undefined || span === undefined
    ? undefined
    : { fact, passage, from: span.from, to: span.to, isNamed: true };
}

/**
 * Whom "he" or "she" means at a place: the one person named before it in the passage, outside quotation marks, who can
 * be; if none is named, the one of the passage before. Undefined as soon as there are two, or another man or woman
 * is named between.
 */
export function ownerMeant<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Below<Passage>,
  at: number,
  gender: Gender,
): Owner<Passage> | undefined {
  const here = candidates(prose, passage, at, gender);
  if (here.length > 0) return only(here, passage.text.slice(here.at(-1)?.to, at), gender);
  if (NOUNS[gender].test(passage.text.slice(0, at))) return undefined;
  // A paragraph may begin with somebody else: only who is known to be "she" is meant across it.
  let { above }: { above?: Passage | undefined } = passage;
  for (let back = 0; above !== undefined && back < ABOVE; back++) {
    const before = candidates(prose, above, above.text.length, gender);
    const owner = only(before, above.text.slice(before.at(-1)?.to ?? 0), gender);
    if (owner !== undefined || before.length > 0)
      return owner !== undefined && likelyGenderOf(owner.fact) === gender ? owner : undefined;
    above = (above as Below<Passage>).above;
  }
  return undefined;
}

/** So many paragraphs back a name is still meant, as far as the caller gives them. */
export const ABOVE = 4;

function candidates<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Passage,
  end: number,
  gender: Gender,
): Owner<Passage>[] {
  const quoted = prose.quoted(passage);
  return prose.named(passage).flatMap((span): Owner<Passage>[] => {
    const fact = personOf(span);
    if (span.to > end || quoted[span.from] === 1) return [];
    const [first] = span.facts;
    if (fact === undefined) {
      if (first === undefined || !span.facts.some(isPerson)) return [];
      return [{ ...span, fact: first, passage, isNamed: false }];
    }
    const other = likelyGenderOf(fact);
    return other === undefined || other === gender
      ? [{ fact, passage, from: span.from, to: span.to, isNamed: false }]
      : [];
  });
}

/** Animals that may be meant as well. */
const ANIMAL =
  /\b(?:mare|horse|pony|stallion|dog|bitch|cat|puppy|hound|spaniel|terrier|cow|donkey|mule|parrot)\b/i;

function only<Passage extends Paragraph>(
  found: readonly Owner<Passage>[],
  between: string,
  gender: Gender,
): Owner<Passage> | undefined {
  const last = found.at(-1);
  if (last === undefined || NOUNS[gender].test(between) || ANIMAL.test(between)) return undefined;
  return found.every(({ fact }) => fact === last.fact) ? last : undefined;
}

/** Words that deny a trait, or put it off. */
export const DENIED =
  /\b(?:not|never|no|nor|neither|hardly|if|than|would|might|could|wish(?:ed)?|once|dyed?|wig)\b/i;
/** Words for others than those who are named. */
export const OTHERS =
  /\b(?:man|woman|boy|girl|child|lady|gentleman|fellow|stranger|someone|somebody|one|people|both|mother|father|sister|brother|daughter|son|wife|husband|aunt|uncle|cousin|cat|dog|horse)\b/i;

const NOT_THEIRS = new RegExp(`${OTHERS.source}|\\b(?:had|has|with|was|were|is|and)\\b`, "i");
/** A noun that is the subject itself: "a woman with". */
const OF_THEIR_OWN =
  /(?<=\b(?:was|is|became|still|only) |, )an? (?:[a-z]+ ){0,2}(?:man|woman|boy|girl|child|lady|gentleman) (?:of|with)\b/i;

/** Words behind which "his eyes" are those of another than the sentence's subject. */
export const TOWARDS =
  /\b(?:into|at|from|met|meets?|meeting|sought|avoided|admired?|liked|loved|kissed|stroked|noticed|saw|watched|studied)(?: [a-z]+ (?:of|in|into|from|at|on))? $/i;
/** "She had her mother’s green eyes". */
const INHERITED =
  /\b(?:had|has|with|inherited|got) (?:(?:his|her) (?:(?:own|dead|late) )?|the )(?:mother|father|grandmother|grandfather|family|aunt|uncle)['’]s (?:[a-z-]+,? ){0,2}$/i;

/** Finds the owner of a phrase: by "her", "Mara’s" or "of Mara" next to it, else the subject of "had", "with" or "was". */
export function ownerOf<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Below<Passage>,
  from: number,
  to: number,
): Owner<Passage> | undefined {
  const { text } = passage;
  const isQuoted = prose.quoted(passage)[from] === 1;
  const offset = Math.max(0, from - NEAR);
  const before = text.slice(offset, from);
  const determiner =
    /(?:\b(?<pronoun>his|her|my|your|their|our|its)|(?<possessive>['’]s?|,? whose)) (?<between>(?:[a-z’-]+,? ){0,4})$/i.exec(
      before,
    );
  const inherited = INHERITED.exec(before);
  if (inherited !== null)
    return isQuoted ? undefined : subjectOf(prose, passage, from - inherited[0].length + 5);
  // "Mara’s mother had brown eyes"
  if (NOT_THEIRS.test(determiner?.groups?.between ?? "")) return undefined;
  if (determiner?.groups?.possessive !== undefined)
    return ownerNamed(prose, passage, offset + determiner.index);
  const pronoun = determiner?.groups?.pronoun?.toLowerCase();
  if (determiner !== null && (pronoun === "his" || pronoun === "her")) {
    if (isQuoted || TOWARDS.test(before.slice(0, determiner.index))) return undefined;
    const gender = pronoun === "his" ? "male" : "female";
    return ownerMeant(prose, passage, offset + determiner.index, gender);
  }
  if (pronoun !== undefined) return undefined;
  const behind = prose
    .named(passage)
    .find((span) => /^,? (?:of )?$/.test(text.slice(to, span.from)) && span.from > to);
  if (behind !== undefined) return ownerNamed(prose, passage, behind.to);
  return isQuoted ? undefined : subjectOf(prose, passage, from);
}

/** Characters before a phrase in which its owner is looked for: next to it, and in its sentence. */
const NEAR = 120;
const FAR = 600;
/** Words that lead from a subject to its looks: "had", "with", "pushed back the". */
const LINK =
  /\b(?:had|has|with|was|is|there was|out of|from behind|(?:pushed|brushed|combed|tossed|shook|smoothed|tied|pinned|dried|wrung|tucked|ran|turned|fixed|lifted|raised|blinked|bent) [^.;]*)\b(?:(?!\b(?:had|has|was|were|is)\b)[^;:—()])*$/i;

/** The person that the sentence is about: named next to the phrase, or connected to it by a verb. */
function subjectOf<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Below<Passage>,
  from: number,
): Owner<Passage> | undefined {
  const { text } = passage;
  const start = Math.max(sentenceStart(text, from), from - FAR);
  const named = prose.named(passage).filter((span) => span.from >= start && span.to <= from);
  const last = named.at(-1);
  const between = last === undefined ? "" : text.slice(last.to, from);
  if (/^['’]/.test(last === undefined ? "" : text.slice(last.to))) return undefined; // what is Mara's is not Mara
  // "Mara, a tall dark-haired girl"
  const isApposed = named.length === 1 && last?.from === start && APPOSED.test(between);
  if (last !== undefined && (isApposed || /^,? (?:was |[a-z]+ and |[a-z]+, )?$/.test(between)))
    return ownerNamed(prose, passage, last.to);
  return linkedTo(prose, passage, { start, from, named });
}

/** The person from whom a verb leads to the end of a sentence's part. */
function linkedTo<Passage extends Paragraph>(
  prose: ReadProse<Passage>,
  passage: Below<Passage>,
  { start, from, named }: { start: number; from: number; named: readonly NamedSpan[] },
): Owner<Passage> | undefined {
  const { text } = passage;
  const linkAt = linkIn(text.slice(start, from));
  if (linkAt === undefined) return undefined;
  const last = named.at(-1);
  const pronoun = [...text.slice(start, start + linkAt).matchAll(/\b(he|she)\b/gi)].at(-1);
  if (pronoun !== undefined && (last === undefined || start + pronoun.index > last.from)) {
    return ownerMeant(prose, passage, start + pronoun.index, /^he$/i.test(pronoun[0]) ? "male" : "female");
  }
  if (last === undefined || named.length > 1 || last.to > start + linkAt + 1) return undefined;
  return ownerNamed(prose, passage, last.to);
}

const APPOSED = /^, (?:an?|the) (?:[a-z]+,? ){0,2}$/;

/** Offset of the words that lead up to the phrase; undefined if they deny it or name somebody else. */
function linkIn(sentence: string): number | undefined {
  const link = LINK.exec(sentence);
  if (link === null || DENIED.test(link[0]) || OTHERS.test(sentence.replace(OF_THEIR_OWN, "")))
    return undefined;
  return link.index;
}

/** Finds where the sentence around `at` begins: behind the nearest mark before it, "Dr." and initials apart. */
export function sentenceStart(text: string, at: number): number {
  for (let end = at - 1; end > 0; end--) {
    if (text[end] !== " " || !/[.!?…”"]/.test(text[end - 1] ?? "")) continue;
    const word = /(\p{L}+)\.$/u.exec(text.slice(Math.max(0, end - 12), end))?.[1];
    const isShort =
      word !== undefined && (word.length === 1 || (word.length < 6 && isHonorific(word.toLowerCase())));
    if (!isShort) return end + 1;
  }
  return 0;
}

/** Words of a dream or a comparison. */
const IMAGINED =
  /\b(?:dream(?:t|ed|s|ing)?|imagin(?:ed|es|ing)|pretend(?:ed|ing)?|as if|as though|if only|picture)\b/i;
/** "had never had red hair". */
const UNSAID = /(?:\b(?:never|not|without)|n['’]t) (?:had |have |has |with |a |the )[^,;.]{0,20}$/i;
/** True of words that are dreamt, imagined, compared or denied. */
export function isImagined(text: string, from: number, to: number): boolean {
  const start = sentenceStart(text, from);
  return IMAGINED.test(text.slice(start, to)) || UNSAID.test(text.slice(start, from));
}
