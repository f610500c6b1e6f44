import type { ReadingBook, ReadingChapter } from "../../../reading/reading.ts";
import {
  type BookStatistics,
  createStatistics,
  type Script,
  scriptOf,
  withReading,
} from "../../../reading/statistics.ts";
import { isGiven, isHonorific } from "../../../reading/word-lists.ts";
import type { Proposal } from "../../reader.ts";
import { findKnown } from "./mentions.ts";
import { type BookNames, type FoundName, findBookNames } from "./names.ts";
import { type BookPeople, gatherPeople, keyOfName } from "./people.ts";
import { proposeMentions, proposeNames, withoutEpithets } from "./propose.ts";
import { type BlockSpan, indexPlaces } from "./spans.ts";

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
    const names = before?.names ?? findBookNames(statistics, sureIn(scriptOf(total)));
    const people = gatherPeople(names.spellings, book.cast, total);
    kept = { bookId: book.bookId, version, cast, names, people };
    return { statistics, known: kept };
  };
  return {
    detect(chapter, book) {
      const { statistics, known } = learn(withReading(chapter, book));
      return propose(chapter, book, statistics, known);
    },
    limits: (book) => LIMITS[scriptOf(statisticsOf(book).total)],
  };
}

/** Where nouns have capitals, only what a title or a list speaks for. */
function sureIn(script: Script): (name: Pick<FoundName, "key" | "kind">) => boolean {
  if (script !== "capital-nouns") return () => true;
  return ({ key, kind }) => {
    const words = key.split(" ");
    const isSure = (word: string, index: number) =>
      isGiven(word) || (isHonorific(word) && index < words.length - 1);
    return kind === "character" && words.some(isSure);
  };
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
  const isFree = (place: BlockSpan) => anchored(place).length === 0;
  const all = names.namesIn(chapter.chapterId);
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
