import { type JoinedWords, joinWords } from "./joined-words.ts";
import type { ChapterStyle } from "./learn.ts";
import { type Openings, openingsOf } from "./openings.ts";
import { type Overused, overusedIn } from "./overused.ts";
import { findPhrases, type Phrase, type WordPlace } from "./phrases.ts";
import { findVariants, type Variant } from "./variants.ts";
import { IS } from "./words.ts";

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
