import type { ReadingFact } from "./reading.ts";
import { type Token, tokenize } from "./tokens.ts";
import { type Gender, genderOfGiven } from "./word-lists.ts";

/** A name or an alias of the cast, found in a text; offsets are UTF-16. */
export interface NamedSpan {
  from: number;
  to: number;
  /** Facts that have this name; several if an alias is shared. */
  facts: readonly ReadingFact[];
}

/** True for a fact that can have eyes, an age and a voice: anything but a place or a thing. */
export function isPerson({ kind }: ReadingFact): boolean {
  return !/place|location|setting|object|item|thing|organi[sz]ation|event|house|ship|city|town/i.test(kind);
}

const FEMALE_TITLE =
  /^(?:mrs|miss|ms|lady|madam|madame|aunt|sister|mother|queen|princess|duchess|countess|baroness|dame|mlle|mme|señora|frau)\b/i;
const MALE_TITLE =
  /^(?:mr|sir|lord|uncle|brother|father|king|prince|duke|count|baron|monsieur|señor|herr|don)\b/i;
/** Returns the gender that the cast gives: by attributes, titles, family, or the only pronoun of the summary; else undefined. */
function genderOf({ name, aliases, attributes, summary }: ReadingFact): Gender | undefined {
  for (const { key, value } of attributes) {
    if (/^(?:gender|sex|pronouns?)$/i.test(key.trim())) {
      if (/\b(?:f|female|woman|girl|she|her)\b/i.test(value)) return "female";
      if (/\b(?:m|male|man|boy|he|him|his)\b/i.test(value)) return "male";
    }
    if (/\b(?:husband|maiden name)\b/i.test(key)) return "female";
    if (/\bwife\b/i.test(key)) return "male";
  }
  for (const text of [name, ...aliases]) {
    if (FEMALE_TITLE.test(text)) return "female";
    if (MALE_TITLE.test(text)) return "male";
  }
  const she = /\b(?:she|her|herself)\b/i.test(summary);
  const he = /\b(?:he|his|him|himself)\b/i.test(summary);
  return she === he ? undefined : she ? "female" : "male";
}

/** Returns the gender that the cast gives, else that of the given name. */
export function likelyGenderOf(fact: ReadingFact): Gender | undefined {
  const given = /^[^\s]+/.exec(fact.name)?.[0].toLowerCase() ?? "";
  return genderOf(fact) ?? genderOfGiven(given);
}

/** A known name in a block's text; `from` and `to` are UTF-16 offsets. */
export interface Link {
  from: number;
  to: number;
  /** The name or alias as the facts have it. */
  name: string;
  /** The facts that it may mean; more than one is ambiguous. */
  factIds: readonly string[];
  /** Key of a single word that begins a sentence, where a capital tells nothing: "Will you?" */
  atStart: string | null;
  /** True for a name without any capital. */
  isSmall: boolean;
}

interface Unit {
  key: string;
  from: number;
  to: number;
  isCapital: boolean;
  isStart: boolean;
}

interface Branch {
  next: Map<string, Branch>;
  names: { text: string; units: readonly Unit[]; factIds: string[] }[];
}

/** Scripts that put no space between words: a name is looked for letter by letter. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Finds the names and aliases of the facts in the tokens of a block: whole words, the longest name wins, none overlaps
 * another. Apostrophes and hyphens may be of any kind; a capital in the name needs one in the text.
 * O(tokens), times the words of the longest name.
 */
export function createLinker(cast: readonly ReadingFact[]): (tokens: readonly Token[]) => Link[] {
  const root: Branch = { next: new Map(), names: [] };
  for (const { id, name, aliases } of cast) {
    for (const text of [name, ...aliases]) plant(root, text, id);
  }
  return (tokens) => {
    const units = unitsOf(tokens);
    const links: Link[] = [];
    for (let at = 0; at < units.length; at++) {
      const first = units[at]!; // at < length
      const found = longest(root, units, at);
      if (found === undefined) continue;
      const last = units[at + found.units.length - 1] ?? first;
      links.push({
        from: first.from,
        to: last.to,
        name: found.text,
        factIds: found.factIds,
        atStart: first.isStart && found.units.length === 1 ? first.key : null,
        isSmall: !found.units.some(({ isCapital }) => isCapital),
      });
      at += found.units.length - 1;
    }
    return links;
  };
}

function plant(root: Branch, text: string, factId: string): void {
  const units = unitsOf(tokenize(text));
  if (units.length === 0) return;
  let branch = root;
  for (const { key } of units) {
    let next = branch.next.get(key);
    if (next === undefined) {
      next = { next: new Map(), names: [] };
      branch.next.set(key, next);
    }
    branch = next;
  }
  const known = branch.names.find((name) =>
    name.units.every(({ isCapital }, index) => isCapital === units[index]?.isCapital),
  );
  if (known === undefined) branch.names.push({ text, units, factIds: [factId] });
  else if (!known.factIds.includes(factId)) known.factIds.push(factId);
}

function longest(root: Branch, units: readonly Unit[], at: number): Branch["names"][number] | undefined {
  let best: Branch["names"][number] | undefined;
  let branch: Branch | undefined = root;
  for (let index = at; index < units.length; index++) {
    branch = branch.next.get(units[index]!.key); // index < length
    if (branch === undefined) break;
    const found = branch.names.find((name) => name.units.every((unit, part) => fits(unit, units[at + part])));
    if (found !== undefined) best = found;
  }
  return best;
}

function fits(name: Unit, text: Unit | undefined): boolean {
  if (text === undefined) return false;
  return name.isCapital ? text.isCapital : !text.isCapital || text.isStart;
}

function unitsOf(tokens: readonly Token[]): Unit[] {
  return tokens.flatMap((token) => {
    if (token.kind === "word" && SPACELESS.test(token.text)) return partsOf(token, /./gu);
    if (token.kind === "word" && token.key.includes("-")) return partsOf(token, /[^-‐‑]+/g);
    return [{ ...token, isCapital: token.shape !== "lower" }];
  });
}

function partsOf({ text, from, isStart }: Token, pattern: RegExp): Unit[] {
  return [...text.matchAll(pattern)].map(({ 0: part, index }) => ({
    key: part.toLowerCase().normalize("NFC").replaceAll("’", "'"),
    from: from + index,
    to: from + index + part.length,
    isCapital: /^[\p{Lu}\p{Lt}]/u.test(part),
    isStart: isStart && index === 0,
  }));
}
