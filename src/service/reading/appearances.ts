import type { AnswerOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { BookId } from "../../ids.ts";
import { type CastScan, castScanOf } from "../../reading/cast-scan.ts";
import { type ChapterAppearances, learnAppearances } from "../../reading/learn-appearances.ts";
import { type FactRow, listFacts } from "../../store/rows/facts.ts";
import { LruCache } from "../../text/lru-cache.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { castKey } from "./cast.ts";
import { bookLearner, type LearntChapter } from "./learn/learn-book.ts";

type Appearances = AnswerOf<"readAppearances">;
type Chapters = readonly LearntChapter<ChapterAppearances>[];

const learn = bookLearner<ChapterAppearances, CastScan>({
  learn: ({ chapter, mentions }, cast) => learnAppearances(chapter, cast, mentions),
  readsMentions: true,
});

const CASTS_KEPT = 4;
const casts = new LruCache<string, CastScan>(CASTS_KEPT);

/** Who appears where, and with whom. Throws `NotFound`. */
export async function readAppearances(
  manuscript: Manuscript,
  bookId: BookId,
  gone?: AbortSignal,
): Promise<Appearances> {
  theBook(manuscript, bookId);
  const facts = listFacts(manuscript.store, bookId);
  const key = castKey(facts);
  const cast = casts.get(key) ?? castScanOf(facts);
  casts.set(key, cast);
  const chapters = await learn(manuscript, bookId, { context: cast, key, gone });
  return {
    bookId,
    scenesBy: chapters.some(({ learnt }) => learnt.hasBreaks) ? "breaks" : "chapters",
    chapters: chapters.map(({ chapterId, title, learnt: { scenes } }) => ({
      id: chapterId,
      title,
      scenes: scenes.length,
    })),
    facts: facts.map((fact, place) => toAppearances(fact, place, chapters)),
    ...pairsOf(facts, chapters),
  };
}

function toAppearances(
  { id, name, kind }: FactRow,
  place: number,
  chapters: Chapters,
): Appearances["facts"][number] {
  const counts = chapters.flatMap(({ learnt }, chapter): [number, number][] => {
    const count = learnt.scenes.reduce((sum, scene) => sum + (scene.get(place) ?? 0), 0);
    return count === 0 ? [] : [[chapter, count]];
  });
  const gaps = counts.flatMap(([chapter], index): [number, number][] => {
    const next = counts[index + 1]?.[0] ?? chapter + 1;
    return next > chapter + 1 ? [[chapter + 1, next - 1]] : [];
  });
  const scenes = chapters.flatMap(({ learnt }) => learnt.scenes.filter((scene) => scene.has(place)));
  return {
    ...{ id, name, kind },
    total: counts.reduce((sum, [, count]) => sum + count, 0),
    scenes: scenes.length,
    chapters: counts,
    first: counts[0]?.[0] ?? null,
    last: counts.at(-1)?.[0] ?? null,
    gaps,
  };
}

function pairsOf(facts: readonly FactRow[], chapters: Chapters): Pick<Appearances, "pairs" | "pairsLeftOut"> {
  const shared = new Map<number, number>();
  for (const { learnt } of chapters) {
    for (const scene of learnt.scenes) {
      const places = [...scene.keys()].sort((a, b) => a - b).slice(0, LIMITS.mapFacts);
      for (const [index, one] of places.entries()) {
        for (const other of places.slice(index + 1)) {
          const pair = one * facts.length + other;
          shared.set(pair, (shared.get(pair) ?? 0) + 1);
        }
      }
    }
  }
  const idAt = (place: number) => facts[place]!.id; // places are of this cast
  const sorted = [...shared].sort(([a, most], [b, more]) => more - most || a - b);
  return {
    pairs: sorted.slice(0, LIMITS.mapPairs).map(([pair, scenes]) => ({
      factIds: [idAt(Math.floor(pair / facts.length)), idAt(pair % facts.length)],
      scenes,
    })),
    pairsLeftOut: Math.max(0, sorted.length - LIMITS.mapPairs),
  };
}
