import { PASSAGE_ATTRIBUTES } from "../../contract/enums.ts";
import type { AnswerOf } from "../../contract/index.ts";
import type { FactId } from "../../ids.ts";
import { type CastScan, castScanOf } from "../../reading/cast-scan.ts";
import { type DescribedFacts, type DescribingSentence, learnPassages } from "../../reading/learn-passages.ts";
import { canBothBe, oneOnlyIn } from "../../reading/statements.ts";
import { findFact, listFacts } from "../../store/rows/facts.ts";
import { groupBy } from "../../text/group-by.ts";
import { LruCache } from "../../text/lru-cache.ts";
import { found } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { castKey } from "./cast.ts";
import { bookLearner, type LearntChapter } from "./learn/learn-book.ts";
import { ownSpan } from "./shown-prose.ts";

type Passages = AnswerOf<"readPassages">;
type Group = Passages["groups"][number];
type Passage = Group["passages"][number];

const learn = bookLearner<DescribedFacts, CastScan>({
  learn: ({ chapter, mentions }, cast) => learnPassages(chapter, cast, mentions),
  readsMentions: true,
});

const CASTS_KEPT = 4;
const casts = new LruCache<string, CastScan>(CASTS_KEPT);

/**
 * What the book says of the fact, trait by trait, in reading order: each statement where it is told first. The whole book
 * is learnt at once for all facts, and again where prose, mentions or the cast change. Throws `NotFound`.
 */
export async function readPassages(
  manuscript: Manuscript,
  factId: FactId,
  gone?: AbortSignal,
): Promise<Passages> {
  const { bookId, name } = found(findFact(manuscript.store, factId), "fact");
  const facts = listFacts(manuscript.store, bookId);
  const key = castKey(facts);
  const cast = casts.get(key) ?? castScanOf(facts);
  casts.set(key, cast);
  const chapters = await learn(manuscript, bookId, { context: cast, key, gone });
  const place = facts.findIndex(({ id }) => id === factId);
  const told = chapters.flatMap((chapter) =>
    (chapter.learnt.get(place) ?? []).map((sentence) => ({ sentence, chapter })),
  );
  const byAttribute = groupBy(told, ({ sentence }) => sentence.attribute);
  const groups = PASSAGE_ATTRIBUTES.flatMap((attribute) => {
    const own = byAttribute.get(attribute);
    if (own === undefined) return [];
    const distinct = groupBy(own, ({ sentence }) => sentence.values.join());
    const passages = [...distinct.values()].map(
      ([first, ...again]): Passage => ({
        ...toPassage(first.sentence, first.chapter),
        times: 1 + again.length,
      }),
    );
    return [{ attribute, differs: differ(own.map(({ sentence }) => sentence)), passages }];
  });
  const total = groups.reduce((sum, { passages }) => sum + passages.length, 0);
  return {
    factId,
    name,
    total,
    groups: groups.sort((one, other) => Number(other.differs) - Number(one.differs)),
  };
}

/** True if two statements of a trait that nobody has twice cannot both be so. */
function differ(sentences: readonly DescribingSentence[]): boolean {
  const byTrait = groupBy(sentences.flatMap(oneOnlyIn), ({ trait }) => trait);
  return [...byTrait].some(([trait, all]) =>
    all.some((one) => all.some((other) => !canBothBe(trait, one.values, other.values))),
  );
}

function toPassage(
  { blockId, from, to, text, highlights }: DescribingSentence,
  { chapterId, title, added }: LearntChapter<DescribedFacts>,
): Omit<Passage, "times"> {
  const shifts = added.get(blockId) ?? [];
  const sentence = ownSpan({ blockId, from, to, text }, shifts);
  const own = highlights.map(([start, end]): [number, number] => {
    const at = ownSpan({ blockId, from: from + start, to: from + end, text: text.slice(start, end) }, shifts);
    return [at.from - sentence.from, at.to - sentence.from];
  });
  return { chapterId, chapterTitle: title, ...sentence, highlights: own };
}
