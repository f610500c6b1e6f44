import type { ReadingFact } from "../../../reading/reading.ts";
import { type Token, tokenize } from "../../../reading/tokens.ts";
import { isHonorific } from "../../../reading/word-lists.ts";
import { type Evidence, evidenceAt, type Found, type Rule, type Shelf } from "./passages.ts";
import { hasReason } from "./reasons.ts";

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
/** A second title that comes more often than this is meant. */
const RARE = 2;

/** Titles against the cast: "Miss Pask" if the cast knows Mrs. Pask alone. Only of surnames that one fact alone has. */
export const titles: Rule = {
  find: (shelf) => [...surnamesOf(shelf.cast)].flatMap((surname) => oddTitles(shelf, surname)),
};

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
  const titled = attributes.filter(({ key }) => /^(?:title|rank|honorific)$/i.test(key.trim()));
  return titled.flatMap(({ value }) => tokenize(value));
}

function oddTitles(shelf: Shelf, [surname, { fact, titles: known }]: [string, Surname]): Found[] {
  if (known.size === 0) return [];
  const titled = titledIn(shelf, surname);
  const right = titled.find(({ key }) => known.has(key));
  const rivals = CLASSES.filter((group) => [...known.keys()].some((title) => group.has(title)));
  const odd = new Set(
    titled.map(({ key }) => key).filter((key) => !known.has(key) && rivals.some((group) => group.has(key))),
  );
  if (right === undefined) return [];
  return [...odd].flatMap((title) => {
    const places = titled.filter(({ key }) => key === title);
    if (places.length > RARE || places.some((place) => isExplained(shelf, place))) return [];
    const [first, ...evidence] = [right, ...places].flatMap((place) => quoteOf(shelf, place) ?? []);
    const text = evidence[0]?.text;
    if (first === undefined || text === undefined) return [];
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

/** True if the prose around a title says why it is another: a promotion, a wedding, years ago. */
function isExplained(shelf: Shelf, { chapter, block, from, to }: Titled): boolean {
  const passages = shelf.passages(chapter);
  const passage = passages[block];
  return passage !== undefined && hasReason(passage, { from, to }, "title");
}

/** A title before a surname; `key` is the title's. */
interface Titled {
  key: string;
  chapter: number;
  block: number;
  from: number;
  to: number;
}

/** Every title before a surname, in order. Told by the statistics: no prose is read. */
function titledIn({ statistics, chapterIds }: Shelf, surname: string): Titled[] {
  return chapterIds.flatMap((chapterId, chapter) => {
    const known = statistics.chapters.get(chapterId);
    if (!known?.tally.capitalOf(surname)?.afterHonorific) return [];
    return [...known.runs].flatMap(({ block, words }) =>
      words.flatMap(({ key, to }, index) => {
        const title = words[index - 1];
        if (key !== surname || title === undefined || !isHonorific(title.key)) return [];
        return [{ key: full(title.key), chapter, block, from: title.from, to }];
      }),
    );
  });
}

/** Undefined if another program has taken the passage away since it was counted. */
function quoteOf(shelf: Shelf, { chapter, block, from, to }: Titled): Evidence | undefined {
  const passage = shelf.passages(chapter)[block];
  return passage === undefined ? undefined : evidenceAt(passage, from, to);
}

function full(key: string): string {
  return FULL[key] ?? key;
}
