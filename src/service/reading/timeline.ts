import type { AnswerOf } from "../../contract/index.ts";
import { TIMELINE_LIMITS } from "../../contract/limits.ts";
import type { BookId } from "../../ids.ts";
import { type ChapterTimes, learnTimes } from "../../reading/learn-times.ts";
import { type TimeTold, timelineOf } from "../../reading/timeline.ts";
import { append } from "../../text/extremes.ts";
import type { Manuscript } from "../manuscript.ts";
import { bookLearner, type LearntChapter } from "./learn/learn-book.ts";
import { type Narrowed, narrowed } from "./learn/narrowed.ts";
import { ownSpan } from "./shown-prose.ts";

type Timeline = AnswerOf<"readTimeline">;

const { times: LISTED, ofChapter, sentenceCharacters } = TIMELINE_LIMITS;
const BOUNDS = { times: ofChapter, sentence: sentenceCharacters };
const learnBook = bookLearner<ChapterTimes>({ learn: ({ chapter }) => learnTimes(chapter, BOUNDS) });

/**
 * The times that a book tells, in reading order, or those of one of its chapters. Throws `NotFound`, and `Unavailable`
 * once nobody waits.
 */
export async function readTimeline(
  manuscript: Manuscript,
  bookId: BookId,
  { chapterId, gone }: Narrowed = {},
): Promise<Timeline> {
  const chapters = await learnBook(manuscript, bookId, { context: undefined, gone });
  const isAsked = narrowed(chapters, chapterId);
  const answer: Timeline = { times: [], total: 0, unplaced: 0, leftOut: 0 };
  let number = 1;
  for (const [place, told] of timelineOf(chapters.map(({ learnt }) => learnt)).entries()) {
    const chapter = chapters[place]!; // one a chapter
    if (isAsked(chapter)) {
      answer.total += told.length + chapter.learnt.leftOut;
      answer.unplaced += told.filter(({ unplaced }) => unplaced !== null).length;
      const listed = told.slice(0, LISTED - answer.times.length);
      append(
        answer.times,
        listed.map((time, index) => shown(chapter, number + index, time)),
      );
    }
    number += told.length;
  }
  return { ...answer, leftOut: answer.total - answer.times.length };
}

function shown(
  { chapterId, title, added }: LearntChapter<ChapterTimes>,
  number: number,
  { mark, anchor, ...told }: TimeTold,
): Timeline["times"][number] {
  const { blockId, from, to, words, sentence, said, quoted } = mark;
  const extra = added.get(blockId);
  const own = ownSpan({ blockId, ...sentence }, extra);
  const { blockId: _, ...span } = ownSpan({ blockId, from, to, text: words }, extra);
  return {
    number,
    chapterId,
    chapterTitle: title,
    ...own,
    words: span,
    kind: kindOf(said),
    quoted,
    ...told,
    anchor: anchor === null ? null : anchor + 1,
  };
}

function kindOf({ kind }: TimeTold["mark"]["said"]): Timeline["times"][number]["kind"] {
  return kind === "dayOfMonth" ? "date" : kind;
}
