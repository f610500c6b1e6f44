import { doneOf, reachOf } from "../../contract/act-words.ts";
import { BadRequest } from "../../refusals.ts";
import { listRevisions } from "../../service/books/read-chapter.ts";
import { listHistory } from "../../service/history/acts.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { counted, localTime } from "../../text/columns.ts";
import { fenced, pageOf } from "../answers/answer.ts";
import { findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

const ACTS = 20;

/** What was written last, and by whom; or a chapter's revisions. */
export function answerHistory(
  { manuscript }: ToolAsking,
  { chapter, book, ...range }: ToolInput<"history">,
): string {
  return manuscript.store.snapshot(() =>
    chapter === undefined
      ? showActs(manuscript, range)
      : showRevisions(manuscript, findChapterNamed(manuscript, chapter, book).id, range),
  );
}

interface Range {
  before?: string | undefined;
  limit?: number | undefined;
}

function showActs(manuscript: Manuscript, { before, limit = ACTS }: Range): string {
  const { acts, names } = listHistory(manuscript, { before, limit });
  if (acts.length === 0) return "Nothing was written before.";
  const { lines } = pageOf(acts, { limit }, (act) => {
    const { id, at, by, source, undoneBy, touched } = act;
    const state = undoneBy === null ? "" : ", undone";
    return `${id} ${localTime(at)} ${by ?? source}: ${doneOf(act)}${state}; ${reachOf(touched, names)}`;
  });
  const more = acts.length < limit ? "" : ` Older: before ${acts.at(-1)?.id}.`;
  return `${counted(acts.length, "act")}, newest first.${more}\n${fenced(lines)}`;
}

function showRevisions(manuscript: Manuscript, chapterId: string, { before, limit = ACTS }: Range): string {
  if (before !== undefined && !/^\d+$/.test(before))
    throw new BadRequest(
      `before must be a revision of the chapter, such as 3, got "${before.slice(0, 50)}".`,
    );
  const range = { before: before === undefined ? undefined : Number(before), limit: limit + 1 };
  const older = listRevisions(manuscript, chapterId, range).revisions.reverse();
  const { lines, next } = pageOf(
    older,
    { limit },
    ({ revision, act, at, source, wordCount, added, removed }) =>
      `${revision} ${localTime(at)} ${source} ${act}: ${counted(wordCount, "word")}, +${added} −${removed}`,
  );
  const more = next === undefined ? "" : ` Older: before ${older[next - 2]?.revision}.`;
  return `Revisions of ${chapterId}, newest first.${more}\n${fenced(lines)}`;
}
