import { PASSAGE_ATTRIBUTES } from "../../contract/enums.ts";
import type { AnswerOf } from "../../contract/index.ts";
import type { FactId } from "../../ids.ts";
import { type CastWords, castWordsOf } from "../../reading/cast-words.ts";
import { type DescribedFacts, type DescribingSentence, learnPassages } from "../../reading/learn-passages.ts";
import { findFact, listFacts } from "../../store/rows/facts.ts";
import { LruCache } from "../../text/lru-cache.ts";
import { found } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { castKey } from "./cast.ts";
import { bookLearner, type LearntChapter } from "./learn/learn-book.ts";
import { ownSpan } from "./shown-prose.ts";

type Passages = AnswerOf<"readPassages">;
type Passage = Passages["groups"][number]["passages"][number];

const learn = bookLearner<DescribedFacts, CastWords>({
  learn: ({ chapter, mentions }, cast) => learnPassages(chapter, cast, mentions),
  readsMentions: true,
});

const CASTS_KEPT = 4;
const casts = new LruCache<string, CastWords>(CASTS_KEPT);

/**
 * Every sentence of the book that describes the fact, by what it tells of, in reading order. The whole book is learnt at
 * once for all facts, and again where prose, mentions or the cast change. Throws `NotFound`.
 */
export async function readPassages(
  manuscript: Manuscript,
  factId: FactId,
  gone?: AbortSignal,
): Promise<Passages> {
  const { bookId, name } = found(findFact(manuscript.store, factId), "fact");
  const facts = listFacts(manuscript.store, bookId);
  const key = castKey(facts);
  const cast = casts.get(key) ?? castWordsOf(facts);
  casts.set(key, cast);
  const chapters = await learn(manuscript, bookId, { context: cast, key, gone });
  const place = facts.findIndex(({ id }) => id === factId);
  const all = chapters.flatMap((chapter) =>
    (chapter.learnt.get(place) ?? []).map((sentence) => ({
      attribute: sentence.attribute,
      passage: toPassage(sentence, chapter),
    })),
  );
  const groups = PASSAGE_ATTRIBUTES.flatMap((attribute) => {
    const passages = all.filter((one) => one.attribute === attribute).map(({ passage }) => passage);
    return passages.length === 0 ? [] : [{ attribute, passages }];
  });
  return { factId, name, total: all.length, groups };
}

function toPassage(
  { blockId, from, to, text, highlights }: DescribingSentence,
  { chapterId, title, added }: LearntChapter<DescribedFacts>,
): Passage {
  const shifts = added.get(blockId) ?? [];
  const sentence = ownSpan({ blockId, from, to, text }, shifts);
  const own = highlights.map(([start, end]): [number, number] => {
    const at = ownSpan({ blockId, from: from + start, to: from + end, text: text.slice(start, end) }, shifts);
    return [at.from - sentence.from, at.to - sentence.from];
  });
  return { chapterId, chapterTitle: title, ...sentence, highlights: own };
}
