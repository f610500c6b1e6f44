import { groupBy } from "../text/group-by.ts";
import { isPerson, likelyGenderOf } from "./cast-names.ts";
import { type NameSpelling, nameAt, spellingsOf } from "./names/spellings.ts";
import type { ReadingChapter, ReadingFact, ReadingMention } from "./reading.ts";
import { SpeechReader, type Spoken } from "./reports/dialogue.ts";
import { createWordScan, type WordHit } from "./text/word-scan.ts";
import type { Gender } from "./word-lists.ts";

/** Who appears in a chapter; facts by their place in the cast. */
export interface ChapterAppearances {
  /** How often each fact is named in each scene. */
  scenes: ReadonlyMap<number, number>[];
  /** The paragraphs that hold speech, and who says it. */
  turns: readonly Spoken[];
  /** Words in quotation marks, by who says them; those of nobody who can be told are of `NOBODY`. */
  spoken: ReadonlyMap<number, { words: number; paragraphs: number }>;
  /** True if the chapter has a scene break. */
  hasBreaks: boolean;
}

/** Speaker of words that are not attributed. */
export const NOBODY = -1;
/** Speaker of the words of a first person who tells the story. */
export const NARRATOR = -2;

/** The names of a cast, ready to be found. */
export interface CastScan {
  places: ReadonlyMap<string, number>;
  isPerson: readonly boolean[];
  genders: readonly (Gender | undefined)[];
  scan(text: string): WordHit<readonly NameSpelling[]>[];
}

/** Returns a scanner for the names of a cast. */
export function castScanOf(cast: readonly ReadingFact[]): CastScan {
  return {
    places: new Map(cast.map(({ id }, place) => [id, place])),
    isPerson: cast.map((fact) => isPerson(fact)),
    genders: cast.map(likelyGenderOf),
    scan: createWordScan(spellingsOf(cast)),
  };
}

/**
 * Counts who is named in each scene of a chapter, and who says how much. A name that several facts share counts for none
 * unless it is anchored. It yields after every paragraph.
 */
export function* learnAppearances(
  { blocks }: ReadingChapter,
  cast: CastScan,
  mentions: readonly ReadingMention[],
): Generator<void, ChapterAppearances> {
  const scenes = [new Map<number, number>()];
  const speech = new SpeechReader((fact) => cast.genders[fact]);
  const anchored = groupBy(mentions, ({ blockId }) => blockId);
  let hasBreaks = false;
  for (const [index, { blockId, text, type }] of blocks.entries()) {
    if (type === "scene_break") {
      hasBreaks = true;
      if ((scenes.at(-1)?.size ?? 0) > 0) scenes.push(new Map());
      continue;
    }
    if (type === "code_block" || type === "raw_block") continue;
    const named = namedIn(text, cast, anchored.get(blockId) ?? []);
    const scene = scenes.at(-1);
    for (const { fact } of named) scene?.set(fact, (scene.get(fact) ?? 0) + 1);
    const persons = named.filter(({ fact }) => cast.isPerson[fact]).sort((a, b) => a.from - b.from);
    speech.read(text, index, persons);
    yield;
  }
  const spoken = speech.end();
  return { scenes, turns: spoken, spoken: sumOf(spoken), hasBreaks };
}

function namedIn(
  text: string,
  { places, scan }: CastScan,
  mentions: readonly ReadingMention[],
): { from: number; to: number; fact: number }[] {
  const named = mentions.flatMap(({ from, to, factId }) => {
    const fact = places.get(factId);
    return fact === undefined ? [] : [{ from, to, fact }];
  });
  let end = 0;
  for (const { from, value } of scan(text)) {
    const name = from < end ? undefined : nameAt(text, from, value);
    if (name === undefined) continue;
    end = name.to;
    const [fact, ...others] = name.facts;
    const isAnchored = mentions.some((one) => one.from < name.to && from < one.to);
    if (fact !== undefined && others.length === 0 && !isAnchored) named.push({ from, to: name.to, fact });
  }
  return named;
}

function sumOf(spoken: readonly Spoken[]): Map<number, { words: number; paragraphs: number }> {
  const sums = new Map<number, { words: number; paragraphs: number }>();
  for (const { words, speaker: told } of spoken) {
    const speaker = told === "I" ? NARRATOR : typeof told === "number" ? told : NOBODY;
    const sum = sums.get(speaker) ?? { words: 0, paragraphs: 0 };
    sums.set(speaker, { words: sum.words + words, paragraphs: sum.paragraphs + 1 });
  }
  return sums;
}
