import { groupBy } from "../text/group-by.ts";
import { type CastScan, castNamesIn } from "./cast-scan.ts";
import type { ReadingChapter, ReadingMention } from "./reading.ts";
import { SpeechReader, type Spoken } from "./reports/dialogue.ts";

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
    const named = castNamesIn(text, cast, anchored.get(blockId) ?? []).flatMap(
      ({ from, to, facts: [one, other] }) => {
        const fact = cast.places.get(one?.id ?? "");
        return fact === undefined || other !== undefined ? [] : [{ from, to, fact }];
      },
    );
    const scene = scenes.at(-1);
    for (const { fact } of named) scene?.set(fact, (scene.get(fact) ?? 0) + 1);
    speech.read(
      text,
      index,
      named.filter(({ fact }) => cast.isPerson[fact]),
    );
    yield;
  }
  const spoken = speech.end();
  return { scenes, turns: spoken, spoken: sumOf(spoken), hasBreaks };
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
