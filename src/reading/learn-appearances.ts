import { groupBy } from "../text/group-by.ts";
import { type CastScan, castNamesIn } from "./cast-scan.ts";
import type { ReadingChapter, ReadingMention } from "./reading.ts";

/** Who appears in a chapter; facts by their place in the cast. */
export interface ChapterAppearances {
  /** How often each fact is named in each scene. */
  scenes: ReadonlyMap<number, number>[];
  /** True if the chapter has a scene break. */
  hasBreaks: boolean;
}

/**
 * Counts who is named in each scene of a chapter. A name that several facts share counts for none unless it is anchored. It
 * yields after every paragraph.
 */
export function* learnAppearances(
  { blocks }: ReadingChapter,
  cast: CastScan,
  mentions: readonly ReadingMention[],
): Generator<void, ChapterAppearances> {
  const scenes = [new Map<number, number>()];
  const anchored = groupBy(mentions, ({ blockId }) => blockId);
  let hasBreaks = false;
  for (const { blockId, text, type } of blocks) {
    if (type === "scene_break") {
      hasBreaks = true;
      if ((scenes.at(-1)?.size ?? 0) > 0) scenes.push(new Map());
      continue;
    }
    if (type === "code_block" || type === "raw_block") continue;
    const scene = scenes.at(-1);
    for (const { facts } of castNamesIn(text, cast, anchored.get(blockId) ?? [])) {
      const [one, other] = facts;
      const fact = cast.places.get(one?.id ?? "");
      if (fact !== undefined && other === undefined) scene?.set(fact, (scene.get(fact) ?? 0) + 1);
    }
    yield;
  }
  return { scenes, hasBreaks };
}
