import { quotedFlags } from "../sentences.ts";
import { type Gender, SPEECH_VERBS } from "../word-lists.ts";
import { PERSON_NOUNS } from "./person-nouns.ts";

/** Somebody of the cast by the place there; anybody else by the words that stand for them: "the girl", "I". */
export type Speaker = number | string;

/** The speech in a paragraph. */
export interface Spoken {
  /** Words in quotation marks. */
  words: number;
  /** Who says it; undefined if that cannot be told. */
  speaker: Speaker | undefined;
  /** The paragraph's place in its chapter. */
  block: number;
}

/** A name in a paragraph; `fact` is the place in the cast. */
export interface NamedPerson {
  from: number;
  to: number;
  fact: number;
}

/** Who speaks by the words beside the speech: somebody, or whom a pronoun there means. */
type Told = Speaker | { gender: Gender; at: number };

interface Turn extends Spoken {
  text: string;
  named: readonly NamedPerson[];
  isQuoted: Uint8Array;
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;
const GENDERS = new Map(
  Object.entries(PERSON_NOUNS).flatMap(([gender, nouns]) =>
    nouns.split(" ").map((noun) => [noun, gender as Gender | "anyone"] as const),
  ),
);
const PERSON = new RegExp(
  `\\b(?:the|a|an|his|her|my|our|their|this|that|another) (?:\\p{L}+ ){0,2}?(?<noun>${[...GENDERS.keys()].join("|")})\\b`,
  "giu",
);
/** Whom a pronoun may mean is one of so many who were named last. */
const RECENT = 5;
/** So far behind a name a pronoun tells whether it is a man's or a woman's, in characters. */
const NEAR = 80;

/**
 * Reads who says what, a paragraph after the other: by the words beside the speech, and, where paragraphs of speech follow
 * each other, by turn. It keeps the paragraphs until the end, for what it learns from all of them.
 */
export class SpeechReader {
  readonly #genderOf: (fact: number) => Gender | undefined;
  readonly #paragraphs: Turn[] = [];
  /** How often "he" (positive) or "she" follows the name of a fact. */
  readonly #votes = new Map<number, number>();
  /** Who was named or spoke, the last first. */
  #recent: Speaker[] = [];

  constructor(genderOf: (fact: number) => Gender | undefined) {
    this.#genderOf = genderOf;
  }

  /** Takes the next paragraph, with the persons whom it names, in order. */
  read(text: string, block: number, named: readonly NamedPerson[]): void {
    const isQuoted = /[“"‘„«「]/.test(text) ? quotedFlags(text) : new Uint8Array(text.length);
    let words = 0;
    for (const { index } of text.matchAll(WORD)) words += isQuoted[index] ?? 0;
    if (words === 0 && named.length === 0) return;
    this.#paragraphs.push({ words, speaker: undefined, block, text, named, isQuoted });
    for (const [index, { from, to, fact }] of named.entries()) {
      if (isQuoted[from] === 1) continue;
      const behind = text.slice(to, Math.min(named[index + 1]?.from ?? text.length, to + NEAR));
      const pronoun = /\b(?:he|his|him|himself|she|her|herself)\b/i.exec(behind);
      if (pronoun === null || isQuoted[to + pronoun.index] === 1) continue;
      this.#votes.set(fact, (this.#votes.get(fact) ?? 0) + (/^h(?!er)/i.test(pronoun[0]) ? 1 : -1));
    }
  }

  /** Who says what. */
  end(): Spoken[] {
    const turns: Turn[] = [];
    for (const paragraph of this.#paragraphs) {
      if (paragraph.words > 0) {
        const told = toldBy(paragraph);
        paragraph.speaker = typeof told === "object" ? this.#meant(told, paragraph, turns.at(-1)) : told;
        turns.push(paragraph);
      }
      this.#seeAll(paragraph);
    }
    takeTurns(turns);
    return turns.map(({ words, speaker, block }) => ({ words, speaker, block }));
  }

  /** Names and nouns of a paragraph in their order, and last who spoke. */
  #seeAll({ text, named, isQuoted, speaker }: Turn): void {
    const seen: [at: number, who: Speaker][] = named.map(({ from, fact }) => [from, fact]);
    for (const { index, groups } of text.matchAll(PERSON)) {
      const isNamed = named.some(({ from, to }) => from < index + 20 && index < to);
      if (!isNamed && groups?.noun !== undefined) seen.push([index, groups.noun.toLowerCase()]);
    }
    const told = seen.filter(([at]) => isQuoted[at] !== 1).sort(([one], [other]) => one - other);
    for (const [, who] of told) this.#see(who);
    if (speaker !== undefined && speaker !== "I") this.#see(speaker);
  }

  #see(who: Speaker): void {
    this.#recent = [who, ...this.#recent.filter((one) => one !== who)].slice(0, RECENT);
  }

  #fits(who: Speaker, gender: Gender): boolean {
    if (typeof who === "string") {
      const of = GENDERS.get(/\p{L}+$/u.exec(who)?.[0] ?? "");
      return of === undefined || of === "anyone" || of === gender;
    }
    const votes = this.#votes.get(who) ?? 0;
    const known = this.#genderOf(who) ?? (votes > 0 ? "male" : votes < 0 ? "female" : undefined);
    return known === undefined || known === gender;
  }

  /** Whom "he said" means: the only one who is named before it in the paragraph, or was lately and did not speak just before. */
  #meant(
    { gender, at }: { gender: Gender; at: number },
    { named, isQuoted, block }: Turn,
    before: Turn | undefined,
  ): Speaker | undefined {
    const here = new Set(
      named.flatMap(({ from, fact }) =>
        from < at && isQuoted[from] !== 1 && this.#fits(fact, gender) ? [fact] : [],
      ),
    );
    if (here.size > 0) return here.size === 1 ? [...here][0] : undefined;
    const justSpoke = before?.block === block - 1 ? before.speaker : undefined;
    const [one, two] = this.#recent.filter((who) => this.#fits(who, gender) && who !== justSpoke);
    return two === undefined ? one : undefined;
  }
}

/** Returns who speaks by the words around the speech of a paragraph; undefined where these are two. What one does tells least. */
function toldBy(turn: Turn): Told | undefined {
  const { text, isQuoted } = turn;
  const tags: Told[] = [];
  let beat: Told | undefined;
  for (let from = 0; from < text.length; ) {
    let to = from;
    while (to < text.length && isQuoted[to] === isQuoted[from]) to++;
    if (isQuoted[from] !== 1) {
      const told = (from > 0 ? tagBehind(turn, from, to) : undefined) ?? tagBefore(turn, from, to);
      if (told !== undefined) tags.push(told);
      beat ??= beatOf(turn, from, to);
    }
    from = to;
  }
  const [one, two] = new Set(tags.filter((tag) => typeof tag !== "object"));
  const isTold = two === undefined && (one !== "I" || tags.every((tag) => tag === "I"));
  return isTold ? (one ?? tags[0] ?? beat) : undefined;
}

/** “…” I answered that it was the fourth: no part of the speech before it. */
const INDIRECT = /^[^\p{L}]*(?:\p{L}+ ){1,3}(?:that|whether|if)\b/u;

/** “…” said Edith; “…” she said; “…” Edith put the cup down. */
function tagBehind(turn: Turn, from: number, to: number): Told | undefined {
  const said = turn.text.slice(from, to);
  if (INDIRECT.test(said)) return undefined;
  const verb = /^[^\p{L}.!?]*(\p{Ll}+)(?: (?:on|in|out))?\s+/u.exec(said);
  if (verb !== null && (isSpeech(verb[1]) || /ed$|^(?:thought|sang|went)$/.test(verb[1] ?? ""))) {
    const inverted = subjectAt(turn, from + verb[0].length);
    if (inverted !== undefined) return inverted;
  }
  const lead = /^[^\p{L}]*/u.exec(said)?.[0].length ?? 0;
  const subject = subjectAt(turn, from + lead);
  if (typeof subject !== "string" || subject === "I" || STRANGER.test(said.slice(lead))) return subject;
  return isSpeech(/^\s+(?:\p{L}+ly )?(\p{L}+)/u.exec(said.slice(lead + subject.length))?.[1])
    ? subject
    : undefined;
}

/** Edith said: “…”; at last Edith said in a low voice, “…” */
function tagBefore(turn: Turn, from: number, to: number): Told | undefined {
  const said = turn.text.slice(from, to);
  if (to === turn.text.length || !/[,:]\s*[“"‘„«「]?$/u.test(said)) return undefined;
  const start = /^[\s\S]*[.!?;]\s+/u.exec(said)?.[0].length ?? 0;
  const verb = [...said.slice(start).matchAll(/\p{L}+/gu)].find(([word]) => isSpeech(word));
  if (verb === undefined) return undefined;
  const clause = said.slice(start, start + verb.index);
  const name = turn.named.find((one) => one.to === from + start + clause.trimEnd().length);
  if (name !== undefined) return name.fact;
  const pronoun = /\b(?:he|she|I)\s+$/i.exec(clause);
  return subjectAt(turn, from + start + (pronoun?.index ?? 0));
}

/** Edith put the cup down. “…” */
function beatOf(turn: Turn, from: number, to: number): Told | undefined {
  if (INDIRECT.test(turn.text.slice(from, to))) return undefined;
  const lead =
    /^[\s.—–…]*(?:(?:And|But|Then|So|Now|At last) )?/u.exec(turn.text.slice(from, to))?.[0].length ?? 0;
  const subject = subjectAt(turn, from + lead);
  if (typeof subject === "string" && subject !== "I") return undefined;
  return subject;
}

function isSpeech(word: string | undefined): boolean {
  return word !== undefined && SPEECH_VERBS.has(word.toLowerCase());
}

const NOUN = /^(?:the|a|an|his|her|my|their|our|your|another|one of)\s+(?:\p{L}+[ -])?\p{L}+/iu;
const STRANGER = /^(?:\p{Lu}[\p{L}.’'-]*)(?: \p{Lu}[\p{L}.’'-]*)*/u;

/** The words at a place that say who does something. */
function subjectAt({ text, named }: Turn, at: number): Told | undefined {
  const name = named.find(
    ({ from }) => from === at || (from > at && from - at < 12 && isTitle(text.slice(at, from))),
  );
  if (name !== undefined) return name.fact;
  const rest = text.slice(at, at + 60);
  const pronoun = /^(?:he|she|I)\b/i.exec(rest)?.[0].toLowerCase();
  if (pronoun === "he") return { gender: "male", at };
  if (pronoun === "she") return { gender: "female", at };
  if (pronoun === "i") return "I";
  return (NOUN.exec(rest) ?? STRANGER.exec(rest))?.[0].toLowerCase();
}

function isTitle(between: string): boolean {
  return /^(?:the|old|poor|young|little|dear|mr\.?|mrs\.?|miss|sir|lady|lord|dr\.?|[ ])+$/i.test(between);
}

/**
 * Fills in the speakers of paragraphs of speech that follow each other, where two speak and nobody else: who spoke the turn
 * before last speaks again; once forth, once back. Nobody calls himself by name.
 */
function takeTurns(turns: readonly Turn[]): void {
  for (let start = 0; start < turns.length; ) {
    let end = start + 1;
    while (end < turns.length && turns[end]?.block === (turns[end - 1]?.block ?? 0) + 1) end++;
    const row = turns.slice(start, end);
    const [one, two, ...more] = new Set(row.flatMap(({ speaker }) => speaker ?? []));
    if (one !== undefined && two !== undefined && more.length === 0)
      for (const order of [row, [...row].reverse()]) alternate(order, [one, two]);
    start = end;
  }
}

function alternate(row: readonly Turn[], [one, two]: readonly [Speaker, Speaker]): void {
  for (const [index, turn] of row.entries()) {
    const before = row[index - 1]?.speaker;
    if (before === undefined || turn.speaker !== undefined) continue;
    const next = before === one ? two : one;
    const isCalled = turn.named.some(({ from, fact }) => fact === next && turn.isQuoted[from] === 1);
    if (!isCalled) turn.speaker = next;
  }
}
