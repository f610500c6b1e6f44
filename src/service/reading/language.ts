import { createHash } from "node:crypto";
import { LANGUAGE_KINDS } from "../../contract/enums.ts";
import type { AnswerOf } from "../../contract/index.ts";
import { LANGUAGE_LIMITS } from "../../contract/limits.ts";
import type { BookId } from "../../ids.ts";
import { toOwn } from "../../prose/document/text.ts";
import { languageOf } from "../../reading/language.ts";
import { type ChapterLanguage, type LanguageMark, learnLanguage } from "../../reading/learn-language.ts";
import { listDismissals } from "../../store/rows/answers.ts";
import { oneLine } from "../../text/columns.ts";
import { LruCache } from "../../text/lru-cache.ts";
import type { Manuscript } from "../manuscript.ts";
import { bookLearner, inSlices, type LearntChapter } from "./learn/learn-book.ts";
import { type Narrowed, narrowed } from "./learn/narrowed.ts";

type Answer = AnswerOf<"readLanguage">;
type Kind = Answer["kinds"][number]["kind"];
type Learnt = LearntChapter<ChapterLanguage>;

interface Asked extends Narrowed {
  kind?: Kind | undefined;
}

/** A chapter with what is marked in it. */
interface Marked {
  chapter: Learnt;
  marks: readonly (LanguageMark & { id: string })[];
}

const learnBook = bookLearner<ChapterLanguage>({ learn: ({ chapter }) => learnLanguage(chapter) });

/** What was joined last, by what it was joined from: the same chapters have the same marks. */
const joined = new LruCache<string, { of: readonly ChapterLanguage[]; marks: Marked["marks"][] }>(8);

/**
 * What a line editor would mark in a book or in one of its chapters, without what the writer has dismissed. Throws
 * `NotFound`, and `Unavailable` once nobody waits.
 */
export async function readLanguage(
  manuscript: Manuscript,
  bookId: BookId,
  { chapterId, kind, gone }: Asked = {},
): Promise<Answer> {
  const book = await learnBook(manuscript, bookId, { context: undefined, gone });
  const isAsked = narrowed(book, chapterId);
  const of = book.map(({ learnt }) => learnt);
  const key = `${manuscript.writer} ${bookId}`;
  const known = joined.get(key);
  const isSame = known?.of.length === of.length && known.of.every((learnt, place) => learnt === of[place]);
  const marks = isSame && known !== undefined ? known.marks : await inSlices(named(of), gone);
  joined.set(key, { of, marks });
  const dismissed = new Set(listDismissals(manuscript.store, bookId));
  const isKept = (mark: LanguageMark & { id: string }) =>
    !(dismissed.has(mark.id) || dismissed.has(idOf(mark.kind)) || dismissed.has(idOf(mark.kind, mark.word)));
  const asked = book.flatMap(
    (chapter, place): Marked[] =>
      isAsked(chapter) ? [{ chapter, marks: marks[place]!.filter(isKept) }] : [], // one a chapter
  );
  const wordCount = asked.reduce((sum, { chapter }) => sum + chapter.learnt.words, 0);
  const ofKind = asked.map((one) => ({
    ...one,
    marks: kind === undefined ? one.marks : one.marks.filter((mark) => mark.kind === kind),
  }));
  const total = ofKind.reduce((sum, one) => sum + one.marks.length, 0);
  const findings = listed(ofKind);
  return {
    wordCount,
    kinds: kindsOf(asked, wordCount),
    chapters: ofKind.slice(0, LANGUAGE_LIMITS.chapters).map(({ chapter, marks: own }) => ({
      chapterId: chapter.chapterId,
      chapterTitle: chapter.title,
      wordCount: chapter.learnt.words,
      count: own.length,
      perThousand: perThousand(own.length, chapter.learnt.words),
    })),
    findings,
    leftOut: total - findings.length,
  };
}

function* named(of: readonly ChapterLanguage[]): Generator<void, Marked["marks"][]> {
  const chapters = yield* languageOf(of);
  const told: Marked["marks"][] = [];
  for (const marks of chapters) {
    told.push(marks.map((mark) => ({ ...mark, id: placeId(mark) })));
    yield;
  }
  return told;
}

/** Names a mark by what it says and where, so that it stays the same wherever its paragraph moves. */
function placeId({ kind, word, sentence }: LanguageMark): string {
  const hash = createHash("sha256").update([kind, word, sentence].join("\n"));
  return `la_${hash.digest("hex").slice(0, 16)}`;
}

function idOf(kind: Kind, word?: string): string {
  return word === undefined ? `la_${kind}` : `la_${kind} ${word}`;
}

function kindsOf(asked: readonly Marked[], wordCount: number): Answer["kinds"] {
  return LANGUAGE_KINDS.flatMap((kind) => {
    const counts = new Map<string, number>();
    for (const { marks } of asked)
      for (const mark of marks)
        if (mark.kind === kind) counts.set(mark.word, (counts.get(mark.word) ?? 0) + 1);
    if (counts.size === 0) return [];
    const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
    const words = [...counts]
      .sort(([, one], [, other]) => other - one)
      .slice(0, LANGUAGE_LIMITS.words)
      .map(([word, times]) => ({ word, id: idOf(kind, word), count: times }));
    return [{ kind, id: idOf(kind), count, perThousand: perThousand(count, wordCount), words }];
  });
}

function listed(asked: readonly Marked[]): Answer["findings"] {
  const findings: Answer["findings"] = [];
  for (const { chapter, marks } of asked) {
    for (const { id, kind, word, text, sentence, at, ...span } of marks.slice(
      0,
      LANGUAGE_LIMITS.findings - findings.length,
    )) {
      const { blockId, from, to } = toOwn(span, chapter.added.get(span.blockId) ?? []);
      const line = oneLine(sentence, LANGUAGE_LIMITS.sentenceCharacters);
      const offsetIn = (end: number) => sentence.slice(0, end).replace(/\s+/g, " ").trimStart().length;
      findings.push({
        ...{ id, kind, word, chapterId: chapter.chapterId, blockId, from, to, text },
        sentence: line,
        highlights: offsetIn(at) < line.length ? [[offsetIn(at), offsetIn(at + text.length)]] : [],
      });
    }
  }
  return findings;
}

function perThousand(count: number, words: number): number {
  return Math.round((10_000 * count) / Math.max(1, words)) / 10;
}
