import type { AnswerOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { BookId } from "../../ids.ts";
import * as stored from "../../store/rows/facts.ts";
import { listNamed } from "../../store/rows/mentions.ts";
import { append } from "../../text/extremes.ts";
import { bookTag, type TaggedBody } from "../entity-tags.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import type { Ready } from "../present.ts";

type StoryMap = AnswerOf<"readStoryMap">;

/**
 * Which fact is mentioned where and with which others, as a finished body with its tag. Of rows alone, no prose is read:
 * 30,000 mentions take some 20 ms. Throws `NotFound`.
 */
export function readStoryMap(manuscript: Manuscript, bookId: BookId): TaggedBody & Ready<"readStoryMap"> {
  const { store } = manuscript;
  return store.snapshot(() => {
    theBook(manuscript, bookId);
    const facts = stored.listFacts(store, bookId);
    const chapters = listNamed(store, bookId);
    const places = new Map(facts.map(({ id }, place) => [id, place]));
    const counts = facts.map((): [number, number][] => []);
    const paragraphs: number[][] = [];
    chapters.forEach(({ named }, chapter) => {
      const { byFact, byBlock } = readNamed(named ?? "", places);
      for (const [place, count] of byFact) counts[place]?.push([chapter, count]);
      append(paragraphs, byBlock);
    });
    const shown = facts.map(({ id, name, kind }, place) => {
      const own = counts[place]!; // one a fact
      const mentionCount = own.reduce((sum, [, count]) => sum + count, 0);
      return { id, name, kind, mentionCount, chapters: own };
    });
    const map: StoryMap = {
      chapters: chapters.map(({ id, title }) => ({ id, title })),
      facts: shown,
      ...countPairs(shown, paragraphs),
    };
    return { tag: bookTag(store, bookId), body: Buffer.from(JSON.stringify(map)) };
  });
}

/** How often each fact is mentioned in a chapter, and the facts of each paragraph that names any; facts by their place. */
function readNamed(
  named: string,
  places: ReadonlyMap<string, number>,
): { byFact: Map<number, number>; byBlock: number[][] } {
  const byFact = new Map<number, number>();
  const byBlock = new Map<string, number[]>();
  for (const line of named === "" ? [] : named.split("\n")) {
    const blank = line.indexOf(" ");
    const block = line.slice(0, blank);
    const place = places.get(line.slice(blank + 1));
    if (place === undefined) continue;
    byFact.set(place, (byFact.get(place) ?? 0) + 1);
    const there = byBlock.get(block);
    if (there === undefined) byBlock.set(block, [place]);
    else if (!there.includes(place)) there.push(place);
  }
  return { byFact, byBlock: [...byBlock.values()] };
}

/** Facts that share paragraphs, the most often first, among those that are mentioned most; what is left out is counted. */
function countPairs(
  facts: readonly { id: string; mentionCount: number }[],
  paragraphs: readonly (readonly number[])[],
): Pick<StoryMap, "pairs" | "leftOut"> {
  const mentioned = [...facts.keys()].filter((place) => facts[place]!.mentionCount > 0); // its own keys
  const size = Math.min(mentioned.length, LIMITS.mapFacts);
  const counted = mentioned
    .sort((a, b) => facts[b]!.mentionCount - facts[a]!.mentionCount || a - b) // as above
    .slice(0, size);
  const ranks = new Int32Array(facts.length).fill(-1);
  for (const [rank, place] of counted.entries()) ranks[place] = rank;
  const shared = new Uint32Array(size * size);
  for (const paragraph of paragraphs) {
    for (let one = 1; one < paragraph.length; one++) {
      const rank = ranks[paragraph[one]!]!; // places of facts
      for (let other = 0; rank >= 0 && other < one; other++) {
        const second = ranks[paragraph[other]!]!; // as above
        if (second >= 0) shared[Math.min(rank, second) * size + Math.max(rank, second)]!++; // both are below size
      }
    }
  }
  const pairs: number[] = [];
  for (let at = 0; at < shared.length; at++) if (shared[at] !== 0) pairs.push(at);
  pairs.sort((a, b) => shared[b]! - shared[a]! || a - b); // places in shared
  const idAt = (rank: number) => facts[counted[rank]!]!.id; // ranks are places in counted
  return {
    pairs: pairs.slice(0, LIMITS.mapPairs).map((at) => ({
      factIds: [idAt(Math.floor(at / size)), idAt(at % size)],
      paragraphs: shared[at]!, // as above
    })),
    leftOut: { pairs: Math.max(0, pairs.length - LIMITS.mapPairs), facts: mentioned.length - size },
  };
}
