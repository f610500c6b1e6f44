import { isPerson } from "../cast-names.ts";
import type { ReadingFact } from "../reading.ts";
import { COMMON, isHonorific } from "../word-lists.ts";

/** A name or an alias, or a part of one that nobody else bears. */
export interface NameSpelling {
  /** As written, all in capitals, over the end of a line. */
  texts: readonly string[];
  /** Places of facts in the cast. */
  facts: readonly number[];
}

/** The names of a cast by the key of their first word, the longest first: for who scans a text for words. */
export function spellingsOf(cast: readonly ReadingFact[]): Map<string, NameSpelling[]> {
  const spellings = new Map<string, NameSpelling[]>();
  for (const [text, facts] of namesOf(cast)) {
    const key = /[\p{L}\p{N}]+/u.exec(text)?.[0].toLowerCase();
    if (key === undefined) continue;
    const spelling = { texts: waysToWrite(text), facts };
    const known = spellings.get(key);
    if (known === undefined) spellings.set(key, [spelling]);
    else known.push(spelling);
  }
  const lengthOf = ({ texts }: NameSpelling) => texts[0]?.length ?? 0;
  for (const list of spellings.values()) list.sort((a, b) => lengthOf(b) - lengthOf(a));
  return spellings;
}

const LETTER = /[\p{L}\p{N}]/u;

/** The longest of these names that stands at this place of a text, and where it ends. */
export function nameAt(
  text: string,
  from: number,
  spellings: readonly NameSpelling[],
): { to: number; facts: readonly number[] } | undefined {
  for (const { texts, facts } of spellings) {
    for (const way of texts) {
      const to = from + way.length;
      if (text.startsWith(way, from) && !LETTER.test(text.charAt(to))) return { to, facts };
    }
  }
  return undefined;
}

/** Every name, and whose it is. */
function namesOf(cast: readonly ReadingFact[]): Map<string, number[]> {
  const names = new Map<string, number[]>();
  const parts = new Map<string, number[]>();
  const add = (to: Map<string, number[]>, text: string, fact: number) => {
    const facts = to.get(text) ?? [];
    if (!facts.includes(fact)) facts.push(fact);
    to.set(text, facts);
  };
  for (const [index, fact] of cast.entries()) {
    for (const text of [fact.name, ...fact.aliases]) {
      add(names, text.trim(), index);
      for (const part of partsOf(text, isPerson(fact))) add(parts, part, index);
    }
  }
  for (const [text, facts] of parts) if (facts.length === 1 && !names.has(text)) names.set(text, facts);
  return names;
}

/** The given name and the surname of a person; a place without its article. */
function partsOf(text: string, ofPerson: boolean): string[] {
  if (!ofPerson) return /^The /.test(text) ? [text.slice(4)] : [];
  const parts = text
    .split(/\s+/)
    .filter((part) => /^\p{Lu}[\p{L}’'-]+$/u.test(part) && !isHonorific(part.toLowerCase()));
  return parts.length < 2 && !/\s/.test(text)
    ? []
    : [parts[0] ?? "", parts.at(-1) ?? ""].filter((part) => part !== "" && !COMMON.has(part.toLowerCase()));
}

function waysToWrite(text: string): string[] {
  const upright = text.trim().replace(/\s+/g, " ").replaceAll("’", "'");
  const opening = `${upright.charAt(0).toUpperCase()}${upright.slice(1)}`;
  const ways = [upright, opening, upright.toUpperCase()];
  const curly = ways.map((way) => way.replaceAll("'", "’"));
  const broken = [...ways, ...curly].flatMap((way) =>
    [...way.matchAll(/ /g)].map(({ index }) => `${way.slice(0, index)}\n${way.slice(index + 1)}`),
  );
  return [...new Set([...curly, ...ways, ...broken])];
}
