import type { CastMember, CastWord, CastWords, Pronoun } from "../../cast-words.ts";
import { nameAt } from "../../names/spellings.ts";
import type { ReadingMention } from "../../reading.ts";
import { quotedFlags } from "../../sentences.ts";
import type { WordHit } from "../../text/word-scan.ts";

/** A name or an anchored mention in a paragraph; `facts` are places in the cast. */
export interface Named {
  from: number;
  to: number;
  facts: readonly number[];
}

/** A pronoun, or a noun that stands for somebody; `facts` once it was asked whom. */
interface Meant {
  from: number;
  to: number;
  pronoun: Pronoun;
  facts: readonly number[] | undefined;
}

/** How many of those who may be meant are taken. */
const MOST_MEANT = 2;
/** So many paragraphs later nobody is meant by a pronoun any more. */
const PARAGRAPHS_BACK = 4;
const ARTICLE = /\b(?:the|that|this|poor|old|young)(?: [\p{L}-]+)? $/iu;

/** So many characters from its name or from what stands for it a thing is described. */
const NEAR = 60;
const STANDS_FOR_THING =
  /\b(?:it|its|there|here|which|where|whose|(?:the|this|that) (?:place|house|room|building|hall|town|village|city|island|country|river|road|street|ship|boat|thing|object|ring|car))\b/iu;

/** Who was named in the paragraphs before, the last first. */
export class Recent {
  #named: { fact: number; paragraph: number }[] = [];
  #paragraph = 0;

  /** Goes on to the next paragraph. */
  pass(named: readonly Named[]): void {
    for (const { facts } of named) {
      for (const fact of facts) {
        this.#named = this.#named.filter((one) => one.fact !== fact);
        this.#named.unshift({ fact, paragraph: this.#paragraph });
      }
    }
    this.#paragraph++;
    this.#named = this.#named.filter(({ paragraph }) => this.#paragraph - paragraph <= PARAGRAPHS_BACK);
  }

  /** Forgets all: a new scene begins. */
  clear(): void {
    this.#named = [];
  }

  get facts(): number[] {
    return this.#named.map(({ fact }) => fact);
  }
}

/** A paragraph in which it can be asked whom a word is about. Recall comes first: whoever may be meant is. */
export class Subjects {
  readonly text: string;
  readonly hits: readonly WordHit<CastWord>[];
  readonly named: readonly Named[];
  /** The names among them that may be a person's. */
  readonly persons: readonly Named[];
  readonly #members: readonly CastMember[];
  #known: readonly Meant[] | undefined;
  readonly #things: readonly Named[];
  readonly #recent: readonly number[];
  readonly #fitting = new Map<Pronoun, readonly Named[]>();
  #quoted: Uint8Array | undefined;

  constructor(
    text: string,
    { members, scan }: CastWords,
    {
      mentions,
      recent,
    }: { mentions: readonly (ReadingMention & { fact: number })[]; recent: readonly number[] },
  ) {
    this.text = text;
    this.#members = members;
    this.#recent = recent;
    this.hits = scan(text);
    this.named = namedIn(text, this.hits, mentions);
    this.persons = this.named.filter(({ facts }) => facts.some((fact) => members[fact]?.isPerson));
    this.#things = this.named.filter(({ facts }) => facts.some((fact) => !members[fact]?.isPerson));
  }

  /** Told at the first question: most paragraphs are never asked. */
  get #meant(): readonly Meant[] {
    const { text } = this;
    this.#known ??= this.hits.flatMap(({ from, to, value: { pronoun, isNoun } }) => {
      if (pronoun === undefined) return [];
      const isMeant =
        !isNoun || (isDefinite(text, from) && !this.named.some((name) => name.to >= to && name.from <= from));
      return isMeant ? [{ from, to, pronoun, facts: undefined }] : [];
    });
    return this.#known;
  }

  /**
   * The persons whom a stretch of a sentence may be about: whose it is said to be, else all who are named in the sentence
   * or meant by its pronouns; and, where nobody is named before it, `carried`, of whom the sentence before was.
   */
  personsAt(
    at: number,
    [from, to]: readonly [number, number],
    carried: () => readonly number[],
  ): readonly number[] {
    const owner = this.#ownerOf(at, from);
    if (owner !== undefined && owner.length > 0) return owner;
    const found: number[] = [];
    let lastBefore = -1;
    for (const name of this.persons) {
      if (name.from < from || name.to > to) continue;
      include(found, name.facts);
      if (name.from < at) lastBefore = name.from;
    }
    for (const meant of this.#meant)
      if (meant.from >= from && meant.to <= to) include(found, this.#resolve(meant));
    const isNamedBefore = lastBefore >= 0 && !opensClause(this.text.slice(lastBefore + 1, at));
    if (!isNamedBefore) include(found, carried());
    return found;
  }

  /** True if a place or a thing is named. */
  get hasThings(): boolean {
    return this.#things.length > 0;
  }

  /** True if a name begins or goes on at this place. */
  isInName(at: number): boolean {
    return this.named.some(({ from, to }) => from <= at && at < to);
  }

  /**
   * The places and things that a word of a sentence may be about: those named near it, else the last one named before, if
   * something near the word stands for it.
   */
  thingsAt(at: number, [from, to]: readonly [number, number]): number[] {
    const found: number[] = [];
    let before: Named | undefined;
    for (const thing of this.#things) {
      if (thing.from >= to) break;
      if (thing.from < at) before = thing;
      if (thing.from >= from && thing.from - at < NEAR && at - thing.to < NEAR)
        this.#includeThings(found, thing);
    }
    if (found.length > 0 || before === undefined) return found;
    const around = this.text.slice(Math.max(from, at - NEAR), Math.min(to, at + NEAR));
    if (STANDS_FOR_THING.test(around)) this.#includeThings(found, before);
    return found;
  }

  #includeThings(found: number[], { facts }: Named): void {
    for (const fact of facts) if (!this.#members[fact]?.isPerson && !found.includes(fact)) found.push(fact);
  }

  /** False if nobody of the cast may be meant in it. */
  get isOfCast(): boolean {
    return this.named.length > 0 || this.#recent.length > 0;
  }

  /** Of whom a sentence is, for the next one that names nobody. */
  topicOf([from, to]: readonly [number, number]): readonly number[] {
    const found: number[] = [];
    for (const name of this.persons) if (name.from >= from && name.to <= to) include(found, name.facts);
    if (found.length > 0) return found;
    for (const meant of this.#meant)
      if (meant.from >= from && meant.to <= to) include(found, this.#resolve(meant));
    return found;
  }

  /** Finds the owner that "Nora’s grey" or "his old" gives to the word behind it; undefined without one. */
  #ownerOf(at: number, start: number): readonly number[] | undefined {
    const name = lastWithin(this.persons, start, at);
    if (name !== undefined && /^[’']s?(?: [\p{L}’'-]+){0,3} $/u.test(this.text.slice(name.to, at)))
      return name.facts;
    const meant = lastWithin(this.#meant, start, at);
    if (meant === undefined || !/^(?:his|her|my)$/i.test(this.text.slice(meant.from, meant.to)))
      return undefined;
    return /^(?:,? [\p{L}’'-]+){0,3} $/u.test(this.text.slice(meant.to, at))
      ? this.#resolve(meant)
      : undefined;
  }

  #resolve(meant: Meant): readonly number[] {
    meant.facts ??= meant.pronoun === "speaker" ? this.#speakers(meant.from) : this.#nearest(meant);
    return meant.facts;
  }

  /** Who is named last before a pronoun; else who is named first behind it and who was last in the paragraphs before. */
  #nearest({ from, pronoun }: Meant): number[] {
    const persons = this.#personsFitting(pronoun);
    const found: number[] = [];
    for (let at = persons.length - 1; at >= 0 && found.length < MOST_MEANT; at--)
      if (persons[at]!.from < from) include(found, persons[at]!.facts); // within the bounds
    if (found.length > 0) return found.slice(0, MOST_MEANT);
    const recent = this.#recent.filter((fact) => this.#fits(fact, pronoun)).slice(0, MOST_MEANT);
    const behind = distinct(persons.flatMap(({ facts }) => facts));
    return distinct([...behind.slice(0, recent.length > 0 ? 1 : MOST_MEANT), ...recent]);
  }

  /** Who may say "I" in quotation marks: whoever is named or meant beside them. */
  #speakers(at: number): number[] {
    this.#quoted ??= quotedFlags(this.text);
    const quoted = this.#quoted;
    if (quoted[at] !== 1) return [];
    const outside = this.#personsFitting("anyone").filter((name) => quoted[name.from] !== 1);
    const near = outside.sort((a, b) => Math.abs(a.from - at) - Math.abs(b.from - at));
    const named = distinct(near.flatMap(({ facts }) => facts)).slice(0, MOST_MEANT);
    if (named.length > 0) return named;
    const meant = this.#meant.find(
      ({ from, pronoun }) => quoted[from] !== 1 && (pronoun === "male" || pronoun === "female"),
    );
    return meant === undefined ? this.#recent.slice(0, MOST_MEANT) : [...this.#resolve(meant)];
  }

  #personsFitting(pronoun: Pronoun): readonly Named[] {
    const known = this.#fitting.get(pronoun);
    if (known !== undefined) return known;
    const fitting = this.persons.flatMap(({ from, to, facts }) => {
      const own = facts.filter((fact) => this.#fits(fact, pronoun));
      return own.length === 0 ? [] : [{ from, to, facts: own }];
    });
    this.#fitting.set(pronoun, fitting);
    return fitting;
  }

  #fits(fact: number, pronoun: Pronoun): boolean {
    const member = this.#members[fact];
    if (member?.isPerson !== true) return false;
    return pronoun === "anyone" || member.gender === undefined || member.gender === pronoun;
  }
}

/** True if another clause begins within the text. */
function opensClause(text: string): boolean {
  return /[:;—]/.test(text);
}

/** The last of these that stands within a stretch. */
function lastWithin<Place extends { from: number; to: number }>(
  places: readonly Place[],
  from: number,
  to: number,
): Place | undefined {
  for (let at = places.length - 1; at >= 0; at--) {
    const place = places[at]!; // within the bounds
    if (place.from >= from && place.to <= to) return place;
  }
  return undefined;
}

/** Adds those that are not among the found yet. */
function include(found: number[], facts: readonly number[]): void {
  for (const fact of facts) if (!found.includes(fact)) found.push(fact);
}

function distinct(facts: readonly number[]): number[] {
  return [...new Set(facts)];
}

function isDefinite(text: string, from: number): boolean {
  return ARTICLE.test(text.slice(Math.max(0, from - 30), from));
}

/** The names in a text, in order, none overlapping another; an anchored mention wins over a name. */
function namedIn(
  text: string,
  hits: readonly WordHit<CastWord>[],
  mentions: readonly (ReadingMention & { fact: number })[],
): Named[] {
  const named: Named[] = [];
  let end = 0;
  for (const { from, to, value } of hits) {
    if (from < end || (value.names ?? value.called) === undefined) continue;
    if (value.called !== undefined && isDefinite(text, from)) named.push({ from, to, facts: [value.called] });
    const name = value.names && nameAt(text, from, value.names);
    if (name === undefined) continue;
    end = name.to;
    named.push({ from, to: name.to, facts: name.facts });
  }
  if (mentions.length === 0) return named;
  const free = named.filter(({ from, to }) => !mentions.some((one) => one.from < to && from < one.to));
  const anchored = mentions.map(({ from, to, fact }) => ({ from, to, facts: [fact] }));
  return [...free, ...anchored].sort((a, b) => a.from - b.from);
}
