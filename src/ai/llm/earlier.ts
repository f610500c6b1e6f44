import { setImmediate as breathe } from "node:timers/promises";
import { type CastScan, castNamesIn, castScanOf } from "../../reading/cast-scan.ts";
import type { ReadingBook, ReadingChapter } from "../../reading/reading.ts";
import { splitSentences } from "../../reading/sentences.ts";
import { append } from "../../text/extremes.ts";
import { LruCache } from "../../text/lru-cache.ts";
import { contentId } from "./answer.ts";
import type { PromptPassage } from "./passage.ts";

/** A sentence that describes somebody or something of the cast; `from` is where it begins in its block. */
export interface EarlierSentence {
  chapterId: string;
  blockId: string;
  from: number;
  text: string;
  factId: string;
}

/**
 * Reads what the book says up to a chapter's end, and gives what goes with each of its passages: sentences from before it
 * about those who are named in it, those first that speak of what it speaks of.
 */
export type EarlierSentences = (
  chapter: ReadingChapter,
  book: ReadingBook,
  signal: AbortSignal,
) => Promise<(passage: PromptPassage) => EarlierSentence[]>;

interface Described extends EarlierSentence {
  /** Its block's place in the chapter, from 0. */
  block: number;
  /** The words that describe. */
  traits: readonly string[];
}

const TRAITS = new Set(
  "eye eyes eyed hair haired beard bearded moustache bald blond blonde redhead freckles scar scarred tall taller short shorter thin stout fat slim age aged old older young younger years birthday born twin twins died dead death killed buried grave funeral widow widower married wedding unmarried wife husband fiancé fiancée pregnant brother brothers sister sisters son sons daughter daughters mother father parents uncle aunt cousin nephew niece orphan child children blind deaf mute lame limp limped limping cane crutch glasses spectacles left-handed right-handed wore wears tattoo voice accent french english german american irish doctor captain sergeant inspector professor teacher nurse lawyer priest baker farmer carpenter soldier owned owns horse dog car house lived lives north south east west miles".split(
    " ",
  ),
);
const PRONOUN = /^\P{L}*(?:he|she|his|her|him|they|their|its?)\b/iu;
// A longer one, such as a speech, would take the room of several.
const MOST_CHARACTERS = 320;
const CHAPTERS_KEPT = 2000;

/** Finds sentences by the names in them, or in the sentence before one that begins with a pronoun; each chapter once. */
export function createEarlier(): EarlierSentences {
  const kept = new LruCache<string, Described[]>(CHAPTERS_KEPT);
  return async (chapter, book, signal) => {
    const names = castScanOf(book.cast);
    const cast = contentId(JSON.stringify(book.cast.map(({ id, name, aliases }) => [id, name, aliases])));
    const described: Described[] = [];
    for (const { chapterId, revision, read } of book.cast.length === 0 ? [] : book.chapters) {
      const isLast = chapterId === chapter.chapterId;
      const key = `${chapterId} ${isLast ? chapter.revision : revision} ${cast}`;
      let found = kept.get(key);
      if (found === undefined) {
        await breathe();
        if (signal.aborted) break;
        found = describedIn(isLast ? chapter : read(), names);
        kept.set(key, found);
      }
      append(described, found);
      if (isLast) break;
    }
    return (passage) => chosenFor(passage, { described, chapter, names });
  };
}

/** The sentences of a chapter that hold a describing word, under each fact that they are about. */
function describedIn(chapter: ReadingChapter, names: CastScan): Described[] {
  let before: string[] = [];
  return splitSentences(chapter).flatMap(({ block, blockId, from, text, words }) => {
    const named = factsIn(text, names);
    const about = named.length > 0 || !PRONOUN.test(text) ? named : before;
    before = about;
    const traits = words.flatMap((word) => word.split("-").filter((part) => TRAITS.has(part)));
    if (traits.length === 0 || text.length > MOST_CHARACTERS) return [];
    return about.map((factId) => ({
      chapterId: chapter.chapterId,
      block,
      blockId,
      from,
      text,
      factId,
      traits,
    }));
  });
}

/**
 * Of every fact that the passage names its sentences in turn, those first that share most traits with the passage, then
 * those that say most in few words.
 */
function chosenFor(
  passage: PromptPassage,
  {
    described,
    chapter,
    names,
  }: { described: readonly Described[]; chapter: ReadingChapter; names: CastScan },
): EarlierSentence[] {
  const named = new Set(passage.flatMap(({ text }) => factsIn(text, names)));
  const spoken = new Set(passage.flatMap(({ text }) => text.toLowerCase().match(/\p{L}+/gu) ?? []));
  const start = (passage[0]?.number ?? 1) - 1;
  const density = ({ traits, text }: Described) => traits.length / text.length;
  const score = ({ traits }: Described) => traits.filter((trait) => spoken.has(trait)).length;
  const ranked = [...named].map((fact) =>
    described
      .filter(
        ({ factId, chapterId, block }) =>
          factId === fact && (chapterId !== chapter.chapterId || block < start),
      )
      .sort((a, b) => score(b) - score(a) || density(b) - density(a)),
  );
  const longest = ranked.reduce((most, { length }) => Math.max(most, length), 0);
  const inTurn = Array.from({ length: longest }, (_, turn) =>
    ranked.flatMap((list) => list[turn] ?? []),
  ).flat();
  const seen = new Set<string>();
  return inTurn.filter(({ blockId, from }) => {
    const place = `${blockId} ${from}`;
    return !seen.has(place) && seen.add(place);
  });
}

function factsIn(text: string, names: CastScan): string[] {
  const spans = castNamesIn(text, names);
  return [...new Set(spans.flatMap(({ facts }) => (facts.length === 1 ? facts.map(({ id }) => id) : [])))];
}
