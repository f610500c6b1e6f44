import type { ReadingFact } from "../reader.ts";
import { genderOf, personOf } from "./check-people.ts";
import { type Evidence, type Found, mayHold, type Passage, quote, type Shelf } from "./check-shelf.ts";
import { isHonorific } from "./lists-honorifics.ts";
import { type Token, tokenize } from "./tokens.ts";

/** Titles that nobody has two of at a time, by who may have them. */
const CLASSES: readonly ReadonlySet<string>[] = [
  new Set(["mrs", "miss"]),
  new Set("captain lieutenant sergeant corporal major colonel general admiral commander".split(" ")),
];
const FULL: Readonly<Record<string, string>> = {
  capt: "captain",
  lieut: "lieutenant",
  lt: "lieutenant",
  sgt: "sergeant",
  maj: "major",
  col: "colonel",
  gen: "general",
};
/** A title that comes more often than this beside the one that the cast has is meant. */
const RARE = 2;
const REFLEXIVE = /^ (himself|herself)\b/;

/**
 * Titles and pronouns against the cast: "Miss Pask" where the cast knows Mrs. Pask alone, "Mara himself". Only of
 * surnames that one fact alone has.
 */
export function findTitles(shelf: Shelf): Found[] {
  const surnames = surnamesOf(shelf.cast);
  const titles = [...surnames].flatMap(([surname, { fact, titles: known }]) =>
    known.size === 0 ? [] : oddTitles(shelf, { surname, fact, known }),
  );
  return [...titles, ...oddPronouns(shelf)];
}

interface Surname {
  fact: ReadingFact;
  titles: Map<string, string>;
}

/** Surnames of one fact alone, with the titles that its names, and its attribute of that key, put before it. */
function surnamesOf(cast: readonly ReadingFact[]): Map<string, Surname> {
  const owners = new Map<string, Surname | undefined>();
  for (const fact of cast) {
    for (const name of [fact.name, ...fact.aliases]) {
      const words = tokenize(name).filter(({ kind }) => kind === "word");
      const last = words.at(-1);
      if (last === undefined || last.shape === "lower" || isHonorific(last.key)) continue;
      const known = owners.has(last.key) ? owners.get(last.key) : { fact, titles: new Map<string, string>() };
      owners.set(last.key, known?.fact === fact ? known : undefined);
      const title = words.at(-2);
      for (const one of [...titlesOf(fact), ...(title === undefined ? [] : [title])]) {
        if (isHonorific(one.key)) known?.titles.set(full(one.key), one.text);
      }
    }
  }
  return new Map([...owners].filter((entry): entry is [string, Surname] => entry[1] !== undefined));
}

/** The words of the attribute that says somebody's title. */
function titlesOf({ attributes }: ReadingFact): Token[] {
  const said = attributes.filter(({ key }) => /^(?:title|rank|honorific)$/i.test(key.trim()));
  return said.flatMap(({ value }) => tokenize(value));
}

function oddTitles(
  shelf: Shelf,
  { surname, fact, known }: { surname: string; fact: ReadingFact; known: ReadonlyMap<string, string> },
): Found[] {
  const odd = new Map<string, Evidence[]>();
  let right: Evidence | undefined;
  for (const [chapter, chapterId] of shelf.chapterIds.entries()) {
    if (!shelf.statistics.chapters.get(chapterId)?.tally.capital.get(surname)?.afterHonorific) continue;
    for (const passage of shelf.passages(chapter)) {
      for (const { key, evidence } of titledIn(shelf, passage, surname)) {
        if (known.has(key)) right ??= evidence;
        else if (
          CLASSES.some((group) => group.has(key) && [...known.keys()].some((title) => group.has(title)))
        ) {
          odd.set(key, [...(odd.get(key) ?? []), evidence]);
        }
      }
    }
  }
  if (right === undefined) return [];
  const first = right;
  return [...odd.values()].flatMap((evidence) => {
    if (evidence.length > RARE) return [];
    const { text } = evidence[0]!; // a list is begun with one
    return {
      type: "contradiction" as const,
      severity: "warn" as const,
      message: `“${text}”: the cast knows ${[...known.values()].join(", ")} for ${fact.name}.`,
      factId: fact.id,
      evidence: [first, ...evidence],
      suggestion: first.text,
      confidence: 0.55,
      claim: ["title", text],
    };
  });
}

function titledIn(shelf: Shelf, passage: Passage, surname: string): { key: string; evidence: Evidence }[] {
  if (!mayHold(passage, surname)) return [];
  const tokens = shelf.tokens(passage);
  return tokens.flatMap((token, at) => {
    const title = tokens[at - 1];
    if (token.key !== surname || token.shape === "lower" || title === undefined) return [];
    if (title.kind !== "word" || title.shape === "lower" || !isHonorific(title.key)) return [];
    return [{ key: full(title.key), evidence: quote(passage, title.from, token.to) }];
  });
}

/** "Mara himself", where the cast says that Mara is a woman. */
function oddPronouns(shelf: Shelf): Found[] {
  const spoken = shelf.remarkable.filter(({ text }) => /\b(?:him|her)self\b/.test(text));
  return spoken.flatMap((passage) =>
    shelf.named(passage).flatMap((span) => {
      const fact = personOf(span);
      const pronoun = REFLEXIVE.exec(passage.text.slice(span.to))?.[1];
      const gender = fact === undefined || pronoun === undefined ? undefined : genderOf(fact);
      if (gender === undefined || (pronoun === "himself") === (gender === "male")) return [];
      const from = span.to + 1;
      return {
        type: "contradiction" as const,
        severity: "warn" as const,
        message: `“${pronoun}” of ${fact!.name}, whom the cast has ${gender}.`, // it has a gender
        factId: fact!.id, // as above
        evidence: [quote(passage, span.from, span.to), quote(passage, from, from + pronoun!.length)], // as above
        suggestion: gender === "male" ? "himself" : "herself",
        confidence: 0.6,
        claim: ["pronoun", passage.text.slice(span.from, from + pronoun!.length)], // as above
      };
    }),
  );
}

function full(key: string): string {
  return FULL[key] ?? key;
}
