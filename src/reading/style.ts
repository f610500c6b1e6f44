import { findPhrases, type Phrase, type WordPlace } from "./find-phrases.ts";
import type { ChapterStyle } from "./learn-style.ts";
import { type JoinedWords, joinWords } from "./reports/style/joined-words.ts";
import { type Overused, overusedIn } from "./reports/style/overused.ts";
import { findVariants, type Variant } from "./reports/style/variants.ts";
import { IS } from "./reports/style/words.ts";

/** How much is told of each. */
export interface StyleBounds {
  phrases: number;
  echoes: number;
  overusedOfChapter: number;
  variants: number;
  openings: number;
  runs: number;
  places: number;
}

/** A word that comes back soon. */
export interface EchoTold {
  word: string;
  count: number;
  nearest: number;
  places: WordPlace[];
}

/** Report on the style of a book, or of some of its chapters. */
export interface BookStyle {
  phrases: Phrase[];
  phrasesTotal: number;
  echoes: EchoTold[];
  echoesTotal: number;
  overused: Overused[];
  sentenceOpenings: Openings;
  paragraphOpenings: Openings;
  variants: Variant[];
  variantsTotal: number;
}

/**
 * The style of a book; with `only`, the place of a chapter, of that chapter, held against the book. It yields on its way:
 * some 100 ms for 200,000 words. Linear in the words.
 */
export function* styleOf(
  book: readonly ChapterStyle[],
  bounds: StyleBounds,
  only?: number,
): Generator<void, BookStyle> {
  const whole = yield* joinWords(book);
  const told = only === undefined ? book : [book[only]!]; // the caller's own place
  const joined = only === undefined ? whole : yield* joinWords(told);
  const places = [...told.keys()];
  const { phrases, total: phrasesTotal } = yield* findPhrases(told, joined, {
    most: bounds.phrases,
    places: bounds.places,
  });
  const echoes = echoesOf(book, whole, only);
  yield;
  const overused: Overused[] = [];
  for (const place of only === undefined ? places : [only]) {
    for (const word of overusedIn(book, whole, place, bounds.overusedOfChapter)) overused.push(word);
    yield;
  }
  const openings = { most: bounds.openings, runs: bounds.runs };
  const sentenceOpenings = openingsOf(told, IS.opensSentence, openings);
  const paragraphOpenings = openingsOf(told, IS.opensParagraph, openings);
  yield;
  const { variants, total: variantsTotal } = yield* findVariants(told, joined, {
    most: bounds.variants,
    places: bounds.places,
  });
  return {
    phrases,
    phrasesTotal,
    echoes: echoes.slice(0, bounds.echoes),
    echoesTotal: echoes.length,
    overused,
    sentenceOpenings,
    paragraphOpenings,
    variants,
    variantsTotal,
  };
}

/** A word is uncommon if it stands in the book at most so often, or once in so many words. */
const UNCOMMON = { count: 8, inWords: 5000 } as const;

/** The echoes of uncommon words, the nearest of the rarest first. */
function echoesOf(book: readonly ChapterStyle[], joined: JoinedWords, only: number | undefined): EchoTold[] {
  const most = Math.max(UNCOMMON.count, joined.total / UNCOMMON.inWords);
  const found: { echo: EchoTold; weight: number }[] = [];
  for (const [chapter, { words, echoes }] of book.entries()) {
    if (only !== undefined && chapter !== only) continue;
    const own = joined.numbers[chapter]!; // one a chapter
    for (const { places, count, nearest } of echoes) {
      let inBook = 0;
      for (const place of places) {
        const number = own[words.ids[place]!]!; // words of the chapter
        inBook = joined.isTelling(number) ? Math.max(inBook, joined.counts[number]!) : Infinity; // as above
        if (inBook > most) break;
      }
      if (inBook > most) continue;
      const word = joined.keys[own[words.ids[places[0]!]!]!] ?? ""; // two at least
      const told = places.map((at) => ({ chapter: only === undefined ? chapter : 0, word: at, words: 1 }));
      const weight = (count - 1) / inBook / Math.sqrt(nearest);
      found.push({ echo: { word, count, nearest, places: told }, weight });
    }
  }
  return found.sort((one, other) => other.weight - one.weight).map(({ echo }) => echo);
}

/** First words of sentences or paragraphs. */
export interface Openings {
  total: number;
  most: { word: string; count: number }[];
  /** Several in a row that begin alike, the longest first. */
  runs: { word: string; count: number; place: WordPlace }[];
}

const SHORTEST_RUN = 3;

/** The words that sentences, or paragraphs, begin with most, and the runs of those that begin alike. */
function openingsOf(
  chapters: readonly ChapterStyle[],
  flag: typeof IS.opensSentence | typeof IS.opensParagraph,
  { most, runs: mostRuns }: { most: number; runs: number },
): Openings {
  const counts = new Map<string, number>();
  const runs: Openings["runs"] = [];
  let total = 0;
  for (const [chapter, { words }] of chapters.entries()) {
    let run: Openings["runs"][number] | undefined;
    const close = () => {
      if (run !== undefined && run.count >= SHORTEST_RUN) runs.push(run);
    };
    for (let at = 0; at < words.ids.length; at++) {
      const flags = words.flags[at]!; // one a word
      if ((flags & flag) === 0 || (flags & (IS.heading | IS.number)) !== 0) continue;
      const word = words.lexicon.keys[words.ids[at]!] ?? ""; // as above
      total++;
      counts.set(word, (counts.get(word) ?? 0) + 1);
      if (run?.word === word) run.count++;
      else {
        close();
        run = { word, count: 1, place: { chapter, word: at, words: 1 } };
      }
    }
    close();
  }
  const sorted = [...counts].sort((one, other) => other[1] - one[1]).slice(0, most);
  return {
    total,
    most: sorted.filter(([, count]) => count > 1).map(([word, count]) => ({ word, count })),
    runs: runs.sort((one, other) => other.count - one.count).slice(0, mostRuns),
  };
}
