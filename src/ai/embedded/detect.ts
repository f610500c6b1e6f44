import type { Proposal, ReadingBook, ReadingChapter, ReadingFact } from "../reader.ts";
import type { NameForm } from "./cluster.ts";
import { proposalId } from "./detect-id.ts";
import { type Script, scriptOf } from "./detect-language.ts";
import { findKnown, type KnownName, spanOf } from "./detect-mentions.ts";
import { type BookNames, type FoundName, findNames } from "./detect-names.ts";
import { type BookPeople, gatherPeople, keyOfName } from "./detect-people.ts";
import { indexPlaces, type Place } from "./detect-spans.ts";
import { isEpithet } from "./lists-common.ts";
import { isGiven } from "./lists-given.ts";
import { isHonorific } from "./lists-honorifics.ts";
import { type BookStatistics, createStatistics } from "./statistics.ts";

/** Detection, and what it cannot do with a book. */
export interface Detector {
  detect(chapter: ReadingChapter, book: ReadingBook): Proposal[];
  limits(book: ReadingBook): string | null;
}

interface KnownBook {
  bookId: string;
  version: number;
  cast: string;
  names: BookNames;
  people: BookPeople;
}

const LIMITS: Readonly<Record<Script, string | null>> = {
  english: null,
  foreign: "not English: names by their capitals alone",
  "capital-nouns": "nouns have capitals here: known names and titled or listed people only",
  caseless: "no capitals in this script: known names only",
};

/**
 * Proposals for a chapter, each kind in order of first place: known names that are not anchored, further forms of
 * them, new people and places. The statistics of the whole book are kept between calls; the answer depends on nothing
 * but the arguments.
 */
export function createDetector(statisticsOf = createStatistics()): Detector {
  let kept: KnownBook | undefined; // one book at a time: its names are derived anew in some 50 ms
  const learn = (book: ReadingBook): { statistics: BookStatistics; known: KnownBook } => {
    const statistics = statisticsOf(book);
    const cast = JSON.stringify(book.cast.map(({ id, name, kind, aliases }) => [id, name, kind, aliases]));
    const { version, total } = statistics;
    const before = kept?.bookId === book.bookId && kept.version === version ? kept : undefined;
    if (before?.cast === cast) return { statistics, known: before };
    const names = before?.names ?? sure(findNames(statistics), scriptOf(total));
    kept = { bookId: book.bookId, version, cast, names, people: gatherPeople(names, book.cast) };
    return { statistics, known: kept };
  };
  return {
    detect(chapter, book) {
      const shelf = book.chapters.map((shelved) =>
        shelved.chapterId === chapter.chapterId
          ? { ...shelved, revision: chapter.revision, read: () => chapter }
          : shelved,
      );
      const { statistics, known } = learn({ ...book, chapters: shelf });
      return propose(chapter, book, statistics, known);
    },
    limits: (book) => LIMITS[scriptOf(statisticsOf(book).total)],
  };
}

/** Where nouns have capitals, only what a title or a list speaks for. */
function sure(names: BookNames, script: Script): BookNames {
  if (script !== "capital-nouns") return names;
  const isSure = ({ words, kind }: FoundName) =>
    kind === "character" &&
    words.some(({ key }, index) => isGiven(key) || (isHonorific(key) && index < words.length - 1));
  return new Map([...names].map(([chapterId, found]) => [chapterId, found.filter(isSure)]));
}

function propose(
  chapter: ReadingChapter,
  { cast, mentions = [] }: ReadingBook,
  { total }: BookStatistics,
  { names, people }: KnownBook,
): Proposal[] {
  const blockIndex = new Map(chapter.blocks.map(({ blockId }, index) => [blockId, index]));
  const anchored = indexPlaces(
    mentions.map(({ blockId, from, to }) => ({ block: blockIndex.get(blockId) ?? -1, from, to })),
  );
  const isFree = (place: Place) => anchored(place).length === 0;
  const all = names.get(chapter.chapterId) ?? [];
  const links = findKnown(chapter, cast, { names: all, people, total });
  const linked = indexPlaces(links);
  const isKnown = (name: FoundName) =>
    linked(name).some(
      ({ from, to, name: known }) =>
        (from <= name.from && name.to <= to) || keyOfName(known) === withoutEpithets(name.key),
    );
  const found = all.filter(isFree);
  const unknown = found.filter((name) => !isKnown(name));
  return [
    ...proposeMentions(chapter, links.filter(isFree), cast),
    ...proposeNames(chapter, unknown, people, cast),
  ];
}

function withoutEpithets(key: string): string {
  const words = key.split(" ");
  while (words.length > 1 && isEpithet(words[0]!)) words.shift(); // the loop's own condition
  return words.join(" ");
}

function proposeMentions(
  chapter: ReadingChapter,
  links: readonly KnownName[],
  cast: readonly ReadingFact[],
): Proposal[] {
  const facts = new Map(cast.map((fact) => [fact.id, fact]));
  const groups = groupBy(links, ({ factId, factIds, confidence, name }) =>
    [factId, confidence, factIds.length > 1 || confidence < 0.5 ? name : ""].join("\n"),
  );
  return groups.map((group): Proposal => {
    const { factId, factIds, confidence, name, reason } = group[0]!; // no group is empty
    const fact = facts.get(factId)!; // links come from this cast
    const candidates = [factId, ...factIds.filter((id) => id !== factId)];
    return {
      id: proposalId(
        chapter.chapterId,
        "mention",
        factId,
        confidence,
        factIds.length > 1 || confidence < 0.5 ? name : "",
      ),
      type: "mention",
      factId,
      name: fact.name,
      kind: fact.kind,
      confidence,
      reason,
      occurrences: group.map((link) => spanOf(chapter, link)),
      ...(factIds.length > 1 ? { candidates } : {}),
    };
  });
}

function proposeNames(
  chapter: ReadingChapter,
  found: readonly FoundName[],
  people: BookPeople,
  cast: readonly ReadingFact[],
): Proposal[] {
  const facts = new Map(cast.map((fact) => [fact.id, fact]));
  const groups = groupBy(found, ({ kind, key }) => {
    const cluster = kind === "character" ? people.characters.get(key) : undefined;
    if (cluster === undefined) return `${kind}\n${key}`;
    return cluster.owner === null
      ? `character\n${cluster.forms[0]?.key}`
      : `alias\n${cluster.owner}\n${withoutEpithets(key)}`;
  });
  return groups.map((group): Proposal => {
    const { kind, key } = group[0]!; // no group is empty
    const cluster = kind === "character" ? people.characters.get(key) : undefined;
    const forms = cluster?.forms ?? [people.places.get(key)!]; // every place is counted
    const owner = facts.get(cluster?.owner ?? "");
    const occurrences = group.map((name) => spanOf(chapter, name));
    const confidence = confidenceOf(group, forms);
    if (owner === undefined) return newFact(chapter, { kind, forms, occurrences, confidence });
    const name =
      forms.find((form) => form.key === withoutEpithets(key))?.text ?? spanOf(chapter, group[0]!).text; // as above
    return {
      id: proposalId(chapter.chapterId, "new_alias", owner.id, name),
      type: "new_alias",
      factId: owner.id,
      name,
      kind: owner.kind,
      confidence: round(confidence * 0.85),
      reason: `Another form of the name of ${owner.name}.`,
      occurrences,
    };
  });
}

function newFact(
  { chapterId }: ReadingChapter,
  {
    kind,
    forms,
    occurrences,
    confidence,
  }: Pick<Proposal, "kind" | "occurrences" | "confidence"> & { forms: readonly NameForm[] },
): Proposal {
  const [main, ...others] = forms;
  const count = forms.reduce((sum, form) => sum + form.count, 0);
  const name = main?.text ?? "";
  const aliases = others.filter(({ key }) => key === withoutEpithets(key)).map(({ text }) => text);
  return {
    id: proposalId(chapterId, "new_fact", kind, main?.key ?? ""),
    type: "new_fact",
    factId: null,
    name,
    kind,
    confidence,
    reason: `Named ${count === 1 ? "once" : `${count} times`} in the book${aliases.length === 0 ? "" : `, also as ${aliases.join(", ")}`}.`,
    occurrences,
    aliases,
  };
}

/** From the best evidence of any occurrence, and from how often the book has the name. */
function confidenceOf(group: readonly FoundName[], forms: readonly NameForm[]): number {
  const score = Math.max(...group.map((name) => name.score));
  const count = forms.reduce((sum, form) => sum + form.count, 0);
  const alone = score / (score + 2);
  return round(alone + (1 - alone) * Math.min(0.6, (count - 1) * 0.1));
}

function round(value: number): number {
  return Math.min(0.99, Math.round(value * 100) / 100);
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[][] {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return [...groups.values()];
}
