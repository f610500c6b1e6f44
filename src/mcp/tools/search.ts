import type { AnswerOf } from "../../contract/index.ts";
import { theChapter } from "../../service/guards.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { paragraphNumbers } from "../../service/prose/numbered-paragraphs.ts";
import { searchBook, searchBooks } from "../../service/search/search.ts";
import { counted, oneLine } from "../../text/columns.ts";
import { fenced, moreOf, type Part, pageOf } from "../answers/answer.ts";
import { findBookNamed, findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

/** How many chapters and facts an answer holds unless more are asked for. */
const FOUND = 10;
const SUMMARY_CHARACTERS = 160;

type Found = Pick<AnswerOf<"searchBook">, "total" | "chapters" | "facts" | "relaxed" | "ignored" | "unread">;
type FoundChapter = Found["chapters"][number];

/** Keyword search over prose and cast; with a chapter, all that stands there. */
export function answerSearch({ manuscript }: ToolAsking, asked: ToolInput<"search">): string {
  return manuscript.store.snapshot(() => {
    const found = findIn(manuscript, asked);
    const chapters = found.flatMap((one) => one.chapters);
    const facts = asked.chapter === undefined ? found.flatMap((one) => one.facts) : [];
    const besides = besidesOf(found);
    const matches = chapters.reduce((sum, { matchCount }) => sum + matchCount, 0);
    if (matches + facts.length === 0) {
      const isElsewhere = found.some(({ total }) => total > 0);
      return `Nothing found${isElsewhere ? " in this chapter; without chapter there is" : ""}.${besides}`;
    }
    const places = chapters.length === 0 ? "" : ` in ${counted(chapters.length, "chapter")}`;
    const cast = facts.length === 0 ? "" : ` and ${counted(facts.length, "fact")}`;
    const how = found.some(({ relaxed }) => relaxed) ? ", with any of the words" : "";
    const head = `${counted(matches, "match")}${places}${cast}${how}, the best first.${besides}`;
    const shown =
      asked.chapter === undefined
        ? overview(manuscript, { chapters, facts }, asked)
        : inChapter(manuscript, chapters, asked);
    return head + shown;
  });
}

function findIn(manuscript: Manuscript, { query, chapter, book }: ToolInput<"search">): Found[] {
  const asked = { q: query, isWhole: true };
  if (chapter !== undefined) {
    const { id: chapterId, bookId } = findChapterNamed(manuscript, chapter, book);
    return [searchBook(manuscript, bookId, { ...asked, chapterId })];
  }
  if (book !== undefined) return [searchBook(manuscript, findBookNamed(manuscript, book).id, asked)];
  const { books, query: q } = searchBooks(manuscript, asked);
  return books.map((one) => ({ ...one, query: q }));
}

/** Facts and chapters, each chapter with the best of it. */
function overview(
  manuscript: Manuscript,
  { chapters, facts }: Pick<Found, "chapters" | "facts">,
  { from = 1, limit }: Part,
): string {
  const entries = [
    ...facts.map(
      ({ id, name, kind, summary }) =>
        () =>
          oneLine(`${name} (${id}) ${kind}: ${summary}`, SUMMARY_CHARACTERS),
    ),
    ...chapters.map(
      (chapter) => () => [leadOf(manuscript, chapter), ...passagesOf(manuscript, chapter)].join("\n"),
    ),
  ];
  const most = limit === undefined ? entries.slice(0, from - 1 + FOUND) : entries;
  const total = entries.length;
  const page = pageOf(most, { from, limit }, (show) => show());
  const next = page.last < total ? page.last + 1 : undefined;
  return `${moreOf({ ...page, total, next })}\n${fenced(page.lines)}`;
}

/** All that stands in the one chapter that was asked for. */
function inChapter(manuscript: Manuscript, chapters: readonly FoundChapter[], part: Part): string {
  const leads = chapters.map((chapter) => leadOf(manuscript, chapter));
  const page = pageOf(
    chapters.flatMap((chapter) => passagesOf(manuscript, chapter)),
    part,
    String,
  );
  return `${moreOf(page)}\n${fenced([...leads, ...page.lines])}`;
}

/** A chapter's title, and how much of it is not shown: "The Ferry (ch_…) revision 1, 3 of 57 matches: give chapter for all". */
function leadOf(manuscript: Manuscript, { chapterId, title, matchCount, excerpts }: FoundChapter): string {
  const { revision } = theChapter(manuscript, chapterId);
  const left =
    excerpts.length === matchCount
      ? ""
      : `, ${excerpts.length} of ${counted(matchCount, "match")}: give chapter for all`;
  return `${title} (${chapterId}) revision ${revision}${left}`;
}

function passagesOf(manuscript: Manuscript, { chapterId, excerpts }: FoundChapter): string[] {
  const numbers = paragraphNumbers(manuscript, chapterId);
  return excerpts.map(({ blockId, text }) => {
    const place = blockId === null ? "title or synopsis:" : `¶${numbers.get(blockId) ?? "?"}`;
    return `  ${place} ${text}`;
  });
}

/** What was not looked for, or not looked at. */
function besidesOf(found: readonly Found[]): string {
  const ignored = new Set(found.flatMap((one) => one.ignored));
  const unread = found.flatMap((one) => one.unread ?? []);
  return [
    ignored.size === 0 ? "" : ` Only the first 16 words count: ${counted(ignored.size, "word")} left out.`,
    unread.length === 0 ? "" : ` Not searched, for it is damaged: ${unread.join(", ")}.`,
  ].join("");
}
