import { nameAt } from "../../names/spellings.ts";
import type { ReadingMention } from "../../reading.ts";
import { quotedFlags } from "../../text/sentences.ts";
import type { WordHit } from "../../text/word-scan.ts";
import type { CastMember, CastWord, CastWords, Pronoun } from "./cast-words.ts";

/** A name or an anchored mention in a paragraph; `facts` are places in the cast. */
export interface Named {
  from: number;
  to: number;
  facts: readonly number[];
}

/** A pronoun, or a noun that stands for somebody. */
interface Meant {
  from: number;
  to: number;
  pronoun: Pronoun;
}

/** How many of those who may be meant are taken. */
const MOST_MEANT = 2;
/** So many paragraphs later nobody is meant by a pronoun any more. */
const PARAGRAPHS_BACK = 4;
const ARTICLE = /\b(?:the|that|this|poor|old|young)(?: [\p{L}-]+)? $/iu;

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
  readonly #members: readonly CastMember[];
  #known: readonly Meant[] | undefined;
  readonly #persons: readonly Named[];
  readonly #things: readonly Named[];
  readonly #recent: readonly number[];
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
    this.#persons = this.named.filter(({ facts }) => facts.some((fact) => members[fact]?.isPerson));
    this.#things = this.named.filter(({ facts }) => facts.some((fact) => !members[fact]?.isPerson));
  }

  /** Told at the first question: most paragraphs are never asked. */
  get #meant(): readonly Meant[] {
    const { text } = this;
    this.#known ??= this.hits.flatMap(({ from, to, value: { pronoun, isNoun } }) => {
      if (pronoun === undefined) return [];
      const isMeant =
        !isNoun || (isDefinite(text, from) && !this.named.some((name) => name.to >= to && name.from <= from));
      return isMeant ? [{ from, to, pronoun }] : [];
    });
    return this.#known;
  }

  /**
   * The persons whom a stretch of a sentence may be about: whose it is said to be, else all who are named in the sentence
   * or meant by its pronouns; and, where nobody is named before it, `carried`, of whom the sentence before was.
   */
  personsAt(at: number, [from, to]: readonly [number, number], carried: () => number[]): number[] {
    const owner = this.#ownerOf(at, from);
    if (owner !== undefined && owner.length > 0) return owner;
    const names = this.#personsNamed(from, to);
    const clause = Math.max(from, startOfClause(this.text.slice(from, at)) + from);
    const isNamedBefore = names.some((name) => name.from >= clause && name.from < at);
    const found = [
      ...names.flatMap(({ facts }) => facts),
      ...this.#meantIn(from, to).flatMap((meant) => this.#resolve(meant)),
      ...(isNamedBefore ? [] : carried()),
    ];
    return [...new Set(found)];
  }

  /** The places and things that a sentence may be about. */
  thingsAt([from, to]: readonly [number, number]): number[] {
    const here = this.#things.filter((thing) => thing.from >= from && thing.from < to);
    const meant = here.length > 0 ? here : this.#things.filter((thing) => thing.from < from).slice(-1);
    return distinct(meant.flatMap(({ facts }) => facts.filter((fact) => !this.#members[fact]?.isPerson)));
  }

  /** False if nobody of the cast may be meant in it. */
  get isOfCast(): boolean {
    return this.named.length > 0 || this.#recent.length > 0;
  }

  /** Of whom a sentence is, for the next one that names nobody. */
  topicOf([from, to]: readonly [number, number]): number[] {
    const named = this.#personsNamed(from, to).flatMap(({ facts }) => facts);
    if (named.length > 0) return [...new Set(named)];
    return distinct(this.#meantIn(from, to).flatMap((one) => this.#resolve(one)));
  }

  #personsNamed(from: number, to: number): Named[] {
    return this.#persons.filter((name) => name.from >= from && name.to <= to);
  }

  #meantIn(from: number, to: number): Meant[] {
    return this.#meant.filter((meant) => meant.from >= from && meant.to <= to);
  }

  /** Whose "Nora’s grey" or "his old" says that the word behind it is; undefined if nothing says it. */
  #ownerOf(at: number, start: number): number[] | undefined {
    const name = this.#personsNamed(start, at).at(-1);
    if (name !== undefined && /^[’']s?(?: [\p{L}’'-]+){0,3} $/u.test(this.text.slice(name.to, at)))
      return [...name.facts];
    const meant = this.#meantIn(start, at).at(-1);
    if (meant === undefined || !/^(?:his|her|my)$/i.test(this.text.slice(meant.from, meant.to)))
      return undefined;
    return /^(?:,? [\p{L}’'-]+){0,3} $/u.test(this.text.slice(meant.to, at))
      ? this.#resolve(meant)
      : undefined;
  }

  #resolve({ from, pronoun }: Meant): number[] {
    if (pronoun === "speaker") return this.#speakers(from);
    const persons = this.#personsFitting(pronoun);
    const before = persons.filter((name) => name.from < from).reverse();
    const nearest = distinct(before.flatMap(({ facts }) => facts));
    if (nearest.length > 0) return nearest.slice(0, MOST_MEANT);
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
    return meant === undefined ? this.#recent.slice(0, MOST_MEANT) : this.#resolve(meant);
  }

  #personsFitting(pronoun: Pronoun): Named[] {
    return this.#persons.flatMap((name) => {
      const facts = name.facts.filter((fact) => this.#fits(fact, pronoun));
      return facts.length === 0 ? [] : [{ ...name, facts }];
    });
  }

  #fits(fact: number, pronoun: Pronoun): boolean {
    const member = this.#members[fact];
    if (member?.isPerson !== true) return false;
    return pronoun === "anyone" || member.gender === undefined || member.gender === pronoun;
  }
}

/** Where the last clause of a text begins. */
function startOfClause(text: string): number {
  return Math.max(text.lastIndexOf(":"), text.lastIndexOf(";"), text.lastIndexOf("—"));
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
    named.push({ from, ...name });
  }
  if (mentions.length === 0) return named;
  const free = named.filter(({ from, to }) => !mentions.some((one) => one.from < to && from < one.to));
  const anchored = mentions.map(({ from, to, fact }) => ({ from, to, facts: [fact] }));
  return [...free, ...anchored].sort((a, b) => a.from - b.from);
}
