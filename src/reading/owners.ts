import { isPerson, likelyGenderOf, type NamedSpan } from "./cast-names.ts";
import type { ReadingFact } from "./reading.ts";
import { type Gender, isHonorific, SPEECH_VERBS } from "./word-lists.ts";

/** A paragraph with the one above it, where a pronoun may have its name. */
export interface Paragraph {
  text: string;
  above?: Paragraph | undefined;
}

/** The prose that statements are read in. */
export interface ReadProse {
  named(paragraph: Paragraph): readonly NamedSpan[];
  /** 1 for every character inside quotation marks. */
  quoted(paragraph: Paragraph): Uint8Array;
  /** Who says what is in quotation marks in the paragraph at hand. */
  speaker?(): ReadingFact | undefined;
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

/** The person whose name is the first that stands where it should. */
export function personAt(
  prose: ReadProse,
  paragraph: Paragraph,
  isThere: (span: NamedSpan) => boolean,
): ReadingFact | undefined {
  const span = prose.named(paragraph).find(isThere);
  return span === undefined ? undefined : personOf(span);
}

/**
 * Whom a pronoun means: outside quotation marks whoever is meant by "he" or "his", within them the speaker by "I" or "my".
 * Undefined wherever it is not sure.
 */
export function personMeant(
  prose: ReadProse,
  paragraph: Paragraph,
  { word, at }: { word: string; at: number },
): ReadingFact | undefined {
  const isQuoted = prose.quoted(paragraph)[at] === 1;
  if (/^(?:I|my)$/i.test(word)) return isQuoted ? prose.speaker?.() : undefined;
  const gender = /^h(?:e|is)$/i.test(word) ? "male" : /^(?:she|her)$/i.test(word) ? "female" : undefined;
  if (isQuoted || gender === undefined) return undefined;
  return (
    announced(prose, paragraph, at) ??
    lastNamed(prose, paragraph, at, gender) ??
    subjectMeant(prose, paragraph, at, gender)
  );
}

/** "He was nineteen, Sam Okoro, and": the name behind the pronoun that begins a sentence. */
function announced(prose: ReadProse, paragraph: Paragraph, at: number): ReadingFact | undefined {
  const { text } = paragraph;
  if (sentenceStart(text, at) !== at) return undefined;
  return personAt(prose, paragraph, ({ from, to }) => {
    const between = text.slice(at, from);
    return from > at && /^[^.!?;“”]{4,60}, $/.test(between) && /^[,.]/.test(text.slice(to));
  });
}

/** So many paragraphs back a name is still meant. */
export const ABOVE = 4;

/**
 * The one person named before a place in the paragraph, outside quotation marks, who can be "he" or "she"; if none is named, the
 * one of the paragraphs above. Undefined as soon as there are two, or another man or woman is named between.
 */
function lastNamed(
  prose: ReadProse,
  paragraph: Paragraph,
  at: number,
  gender: Gender,
): ReadingFact | undefined {
  const here = candidates(prose, paragraph, at, gender);
  if (here.length > 0) return only(here, paragraph.text.slice(here.at(-1)?.to, at), gender);
  if (NOUNS[gender].test(paragraph.text.slice(0, at))) return undefined;
  // A paragraph may begin with somebody else: only who is known to be "she" is meant across it.
  let { above } = paragraph;
  for (let back = 0; above !== undefined && back < ABOVE; back++) {
    const before = candidates(prose, above, above.text.length, gender);
    if (before.length > 0) {
      const fact = only(before, above.text.slice(before.at(-1)?.to), gender);
      return fact !== undefined && likelyGenderOf(fact) === gender ? fact : undefined;
    }
    above = above.above;
  }
  return undefined;
}

/** Who may be meant, in the order of their names; no fact where a name is of several. */
interface Candidate {
  fact: ReadingFact | undefined;
  to: number;
}

function candidates(prose: ReadProse, paragraph: Paragraph, end: number, gender: Gender): Candidate[] {
  const quoted = prose.quoted(paragraph);
  return prose.named(paragraph).flatMap((span): Candidate[] => {
    if (span.to > end || quoted[span.from] === 1 || !span.facts.some(isPerson)) return [];
    const fact = personOf(span);
    const other = fact === undefined ? undefined : likelyGenderOf(fact);
    return other === undefined || other === gender ? [{ fact, to: span.to }] : [];
  });
}

/** Animals that may be meant as well. */
const ANIMAL =
  /\b(?:mare|horse|pony|stallion|dog|bitch|cat|puppy|hound|spaniel|terrier|cow|donkey|mule|parrot)\b/i;

function only(found: readonly Candidate[], between: string, gender: Gender): ReadingFact | undefined {
  if (NOUNS[gender].test(between) || ANIMAL.test(between)) return undefined;
  const fact = found[0]?.fact;
  return found.every((one) => one.fact === fact) ? fact : undefined;
}

/** Of several who may be meant the one whose name begins the last sentence that a name begins. */
function subjectMeant(
  prose: ReadProse,
  paragraph: Paragraph,
  at: number,
  gender: Gender,
): ReadingFact | undefined {
  const { text } = paragraph;
  const quoted = prose.quoted(paragraph);
  const before = prose.named(paragraph).filter(({ from, to }) => to <= at && quoted[from] !== 1);
  const last = before.findLast(({ from }) => sentenceStart(text, from) === from);
  const fact = last === undefined ? undefined : personOf(last);
  if (last === undefined || fact === undefined || likelyGenderOf(fact) !== gender) return undefined;
  const between = text.slice(last.to, at);
  if (NOUNS[gender].test(between) || ANIMAL.test(between)) return undefined;
  const isOther = (one: ReadingFact | undefined) =>
    one !== fact && (one === undefined || likelyGenderOf(one) === gender);
  return before.some((span) => span.from > last.from && isOther(personOf(span))) ? undefined : fact;
}

const TITLES = "(?:(?:the|old|poor|young|little|dear|Mr\\.?|Mrs\\.?|Miss|Dr\\.?) )*";

/** Characters before a name in which the words stand that say that somebody speaks. */
const NEAR = 60;
const SAID = new RegExp(`[”"’]\\s*(?<tag>(?<verb>\\p{Ll}+) ${TITLES})$`, "u");

/** The words that say that whoever is named there speaks: "said Mara" behind a quotation, "Mara said" beside one. */
export function speechTag(
  text: string,
  { from, to }: { from: number; to: number },
): [from: number, to: number] | undefined {
  const before = text.slice(Math.max(0, from - NEAR), from);
  const inverted = SAID.exec(before);
  if (inverted !== null && SPEECH_VERBS.has(inverted.groups?.verb ?? ""))
    return [from - (inverted.groups?.tag ?? "").length, to];
  const verb = /^ (?:\p{L}+ly )?(\p{L}+)\b/u.exec(text.slice(to));
  if (verb === null || !SPEECH_VERBS.has(verb[1] ?? "")) return undefined;
  const end = to + verb[0].length;
  return /[”"’]\s*$/.test(before) || /^[^.!?]{0,30}[“"‘]/.test(text.slice(end)) ? [from, end] : undefined;
}

/** Who says what is in quotation marks in a paragraph, by the words beside it; undefined where these name nobody, or two. */
export function speakerIn(prose: ReadProse, paragraph: Paragraph): ReadingFact | undefined {
  const { text } = paragraph;
  const quoted = prose.quoted(paragraph);
  const isTag = (span: { from: number; to: number }) =>
    quoted[span.from] !== 1 && speechTag(text, span) !== undefined;
  const named = prose.named(paragraph).filter(isTag).map(personOf);
  const pronouns = [...text.matchAll(/\b(?:he|she|I)\b/gi)]
    .filter(({ 0: word, index }) => isTag({ from: index, to: index + word.length }))
    .map(({ 0: word, index }) => personMeant(prose, paragraph, { word, at: index }));
  const all = new Set([...named, ...pronouns]);
  return all.size === 1 ? [...all][0] : undefined;
}

/** Words that deny a trait, or put it off. */
export const DENIED =
  /\b(?:not|never|no|nor|neither|hardly|if|than|would|might|could|wish(?:ed)?|once|dyed?|wig)\b/i;
/** Words for others than those who are named. */
const OTHERS =
  /\b(?:man|woman|boy|girl|child|lady|gentleman|fellow|stranger|someone|somebody|one|people|both|mother|father|sister|brother|daughter|son|wife|husband|aunt|uncle|cousin|cat|dog|horse)\b/i;
/** A noun that is the subject itself: "a woman with". */
const OF_THEIR_OWN =
  /(?<=\b(?:was|is|became|still|only) |, )an? (?:[a-z]+ ){0,2}(?:man|woman|boy|girl|child|lady|gentleman) (?:of|with)\b/i;
/** Words behind which "his eyes" are those of another than the sentence's subject. */
const TOWARDS =
  /\b(?:into|at|from|met|meets?|meeting|sought|avoided|admired?|liked|loved|kissed|stroked|noticed|saw|watched|studied)(?: [a-z]+ (?:of|in|into|from|at|on))? $/i;
/** "She had her mother’s green eyes". */
const INHERITED =
  /\b(?:had|has|with|inherited|got) (?:(?:his|her) (?:(?:own|dead|late) )?|the )(?:mother|father|grandmother|grandfather|family|aunt|uncle)['’]s (?:[a-z-]+,? ){0,2}$/i;
/** "his long", "Nora’s", "whose". */
const POSSESSIVE =
  /(?:\b(?<pronoun>his|her|my|your|their|our|its)|(?<owned>['’]s?|,? whose)) (?<between>(?:[a-z’-]+,? ){0,4})$/i;
/** "had a", "with his long". */
const HOLDING =
  /,? \b(?:had|has|having|with|showing) (?:(?:an?|the|his|her|two|both|such an?|very|rather) )*(?:[a-z-]+,? ){0,2}$/;
const NO_ADJECTIVE = /\b(?:in|of|to|at|for|on|as|with|from|by|and|that|was|were|had|has|is|not)\b/;

const SHORT: Readonly<Record<string, string>> = { his: "his", hers: "her", mine: "my" };

/** Characters before a phrase in which its owner is looked for. */
const FAR = 160;

/** Finds the owner of something: by a possessive before it, "of" behind it, or "had" and "with" behind the owner. */
export function ownerOf(
  prose: ReadProse,
  paragraph: Paragraph,
  { from, to }: { from: number; to: number },
): ReadingFact | undefined {
  const { text } = paragraph;
  const offset = Math.max(0, from - FAR);
  const before = text.slice(offset, from);
  const inherited = INHERITED.exec(before);
  if (inherited !== null) return subjectOf(prose, paragraph, offset + inherited.index + 4);
  const possessive = POSSESSIVE.exec(before);
  const { pronoun, between = "" } = possessive?.groups ?? {};
  if (possessive !== null && !NO_ADJECTIVE.test(between) && !OTHERS.test(between)) {
    const at = offset + possessive.index;
    if (pronoun === undefined) return personAt(prose, paragraph, (span) => span.to === at);
    const isTheirs = !TOWARDS.test(before.slice(0, possessive.index));
    return isTheirs ? personMeant(prose, paragraph, { word: pronoun, at }) : undefined;
  }
  const behind = text.slice(to);
  const of = /^ (?:of (?:the )?)?(?=\p{Lu})/u.exec(behind);
  if (of !== null) {
    const at = to + of[0].length;
    return personAt(prose, paragraph, (span) => span.from === at && !/^['’]/.test(text.slice(span.to)));
  }
  const theirs = /^ of (hers|mine|his(?= ?[.,;:!?—)]| (?:and|was|were|had|seemed|that)\b))\b/.exec(
    behind,
  )?.[1];
  if (theirs !== undefined) return personMeant(prose, paragraph, { word: SHORT[theirs] ?? "", at: to });
  const holding = HOLDING.exec(before);
  if (holding === null || OTHERS.test(holding[0])) return undefined;
  return subjectBefore(prose, paragraph, offset + holding.index + (holding[0].startsWith(" ") ? 1 : 0));
}

/** Words between a subject and its verb. */
const BETWEEN =
  /^(?:,? who)?(?: (?:had|has|always|never|now|still|also|only|then|once|himself|herself|too|certainly|[a-z]+ly))*,? ?$/;
/** "was thirty-four and had": another verb of the same subject. */
const SHARED =
  /^ (?:was|is|had|has|wore|fell|went|came|took|caught|[a-z]+ed)\b(?! (?:by|that)\b)(?!.*\b(?:he|she|they|it|who|which|I)\b)[^.;:!?“”]{0,60},? (?:and|but) (?:also |still |always |never )?$/;
/** Words before a name that make it no subject: "the father of Dinah was". */
const NO_SUBJECT = new RegExp(
  `\\b(?:of|with|to|from|by|near|like|beside|behind|than|for|and|or|on|at|in|upon|after|before|about|against|toward|towards|called|named|nor) ${TITLES}$`,
  "i",
);

/** True of a name that a preposition stands before: it is no subject. */
export function isNoSubject(text: string, from: number): boolean {
  return NO_SUBJECT.test(text.slice(Math.max(0, from - FAR), from));
}

/** The person who is the subject of a verb at a place: a name, "he" or "she" right before it, or "I" of whoever speaks. */
export function subjectBefore(prose: ReadProse, paragraph: Paragraph, at: number): ReadingFact | undefined {
  const { text } = paragraph;
  const offset = Math.max(0, at - FAR);
  const pronoun = /\b(he|she|I)((?:,? (?!(?:he|she|I)\b)[a-z-]+){0,12},? ?)$/i.exec(text.slice(offset, at));
  const isFree = (from: number) => !prose.named(paragraph).some((span) => span.from >= from && span.to <= at);
  const isSubject = (between: string) => BETWEEN.test(between) || SHARED.test(between);
  if (pronoun !== null && isSubject(pronoun[2] ?? "") && isFree(offset + pronoun.index))
    return personMeant(prose, paragraph, { word: pronoun[1] ?? "", at: offset + pronoun.index });
  const span = prose.named(paragraph).findLast(({ to }) => to <= at);
  if (span === undefined || !isSubject(text.slice(span.to, at))) return undefined;
  return isNoSubject(text, span.from) ? undefined : personOf(span);
}

/** Words that lead from a subject to its looks: "had", "with", "pushed back the". */
const LINK =
  /\b(?:had|has|with|was|is|there was|out of|from|through|behind|under|from behind|(?:pushed|brushed|combed|tossed|shook|smoothed|tied|pinned|dried|wrung|tucked|ran|turned|fixed|lifted|raised|opened|closed|lowered|blinked|bent) [^.;]*)\b(?:(?!\b(?:had|has|was|were|is)\b)[^;:—()])*$/i;
const APPOSED = /^, (?:an?|the) (?:[a-z]+,? ){0,2}$/;

/** The person that a sentence of the prose is about: named next to a phrase, or connected to it by a verb. */
export function subjectOf(prose: ReadProse, paragraph: Paragraph, from: number): ReadingFact | undefined {
  const { text } = paragraph;
  if (prose.quoted(paragraph)[from] === 1) return undefined;
  const start = sentenceStart(text, from);
  const named = prose.named(paragraph).filter((span) => span.from >= start && span.to <= from);
  const last = named.at(-1);
  const between = last === undefined ? "" : text.slice(last.to, from);
  if (last !== undefined && /^['’]/.test(between)) return undefined; // what is Mara's is not Mara
  // "Mara, a tall dark-haired girl"
  const isApposed = named.length === 1 && last?.from === start && APPOSED.test(between);
  if (last !== undefined && (isApposed || /^,? (?:was |[a-z]+ and |[a-z]+, )?$/.test(between)))
    return personOf(last);
  return linkedTo(prose, paragraph, { start, from, named });
}

/** The person from whom a verb leads to the end of a sentence's part. */
function linkedTo(
  prose: ReadProse,
  paragraph: Paragraph,
  { start, from, named }: { start: number; from: number; named: readonly NamedSpan[] },
): ReadingFact | undefined {
  const sentence = paragraph.text.slice(start, from);
  const link = LINK.exec(sentence);
  if (link === null || DENIED.test(link[0]) || OTHERS.test(sentence.replace(OF_THEIR_OWN, "")))
    return undefined;
  const last = named.at(-1);
  const pronoun = [...sentence.slice(0, link.index).matchAll(/\b(?:he|she)\b/gi)].at(-1);
  if (pronoun !== undefined && (last === undefined || start + pronoun.index > last.from))
    return personMeant(prose, paragraph, { word: pronoun[0], at: start + pronoun.index });
  const isLinked = last !== undefined && named.length === 1 && last.to <= start + link.index + 1;
  return isLinked ? personOf(last) : undefined;
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
