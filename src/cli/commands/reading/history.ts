import type { AnswerOf } from "../../../contract/index.ts";
import { listActs } from "../../../service/history/acts.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { kindInWords, reachOf } from "../../output/act-words.ts";
import { columns, counted, grouped, localTime } from "../../output/columns.ts";

interface HistoryOptions {
  book?: string;
  limit?: number;
}

/** Lists a chapter's revisions, or the file's acts, newest last. */
export async function history(call: Call, [chapter]: [string?], options: HistoryOptions): Promise<void> {
  const manuscript = await call.open();
  if (chapter === undefined) await reply(call, listActs(manuscript, { limit: options.limit }), showActs);
  else {
    const { id } = resolveChapter(manuscript, chapter, options.book);
    await reply(call, await newest(manuscript, id, options), showRevisions);
  }
}

async function newest(
  manuscript: Manuscript,
  chapterId: string,
  { limit }: HistoryOptions,
): Promise<AnswerOf<"listRevisions">> {
  const { listRevisions } = await import("../../../service/books/read-chapter.ts");
  const answer = listRevisions(manuscript, chapterId);
  return { ...answer, revisions: limit === undefined ? answer.revisions : answer.revisions.slice(-limit) };
}

function showActs({ acts }: AnswerOf<"listActs">): string {
  if (acts.length === 0) return "Nothing has been written yet.";
  return columns(
    acts.map(({ id, at, kind, source, undoneBy, touched }) => [
      id,
      localTime(at),
      source,
      kindInWords({ kind, source }),
      reachOf(touched),
      undoneBy === null ? "" : "undone",
    ]),
  );
}

function showRevisions({ revisions }: AnswerOf<"listRevisions">): string {
  return columns(
    revisions.map(({ revision, act, at, source, wordCount, added, removed }) => [
      String(revision),
      act,
      localTime(at),
      source,
      counted(wordCount, "word"),
      `+${grouped(added)} −${grouped(removed)}`,
    ]),
    [0, 4],
  );
}
