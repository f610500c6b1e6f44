import { doneOf } from "../../../contract/act-words.ts";
import type { AnswerOf } from "../../../contract/index.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { ChapterId } from "../../../ids.ts";
import { BadRequest } from "../../../refusals.ts";
import { firstActOf, type HistoryAct, listActs, namesOf } from "../../../service/history/acts.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { columns, counted, grouped, localTime } from "../../../text/columns.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import { type ActRun, runsOf, showRuns } from "../../output/act-runs.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";

type HistoryOptions = OptionsOf<(typeof ROWS)["history"]>;

/** Lists a chapter's revisions, or the file's acts, newest first. */
export const COMMANDS: CommandsOf<typeof ROWS, "history"> = {
  history: async (call, { chapter, ...options }) => {
    const manuscript = await call.open();
    if (chapter !== undefined) {
      const { id } = resolveChapter(manuscript, chapter, options.book);
      return await replyRevisions(call, manuscript, id, options);
    }
    const { before, after, limit } = options;
    if (call.json) return await reply(call, listActs(manuscript, { before, after, limit }), String);
    const { runs, names, edge } = readRuns(manuscript, options);
    await reply(call, runs, () => (runs.length === 0 ? nothingOf(options) : showRuns(runs, names)));
    if (edge !== undefined) await tellMore(call, "", after !== undefined, edge);
  },
};

function nothingOf({ before, after }: HistoryOptions): string {
  return before === undefined && after === undefined ? "Nothing has been written yet." : "No acts there.";
}

/** Lines that are shown if nobody says how many. */
const LINES = 50;
/** As many runs of acts as asked for: the newest, or the newest before an act, or the first after one; newest first. */
function readRuns(manuscript: Manuscript, { limit = LINES, each = false, before, after }: HistoryOptions) {
  const group = each ? undefined : "sitting";
  let acts: HistoryAct[] = [];
  for (let range = { before, after }; ; ) {
    const isForward = range.after !== undefined;
    const wanted = Math.min(limit - runsIn(acts, each).length, LIMITS.actsMaximum);
    const page = listActs(manuscript, { ...range, group, limit: wanted });
    const newest = page.acts.toReversed();
    acts = isForward ? [...newest, ...acts] : [...acts, ...newest];
    const runs = runsIn(acts, each);
    const firsts = page.acts.map(({ id, sitting }) => sitting?.first ?? id);
    const edge = isForward ? newest[0]?.id : firstActOf(manuscript, firsts);
    const hasMore = page.total > page.acts.reduce((sum, { sitting }) => sum + (sitting?.count ?? 1), 0);
    if (!hasMore || edge === undefined || runs.length >= limit)
      return { runs, names: namesOf(acts), edge: hasMore ? edge : undefined };
    range = isForward ? { before, after: edge } : { before: edge, after };
  }
}

function runsIn(acts: readonly HistoryAct[], each: boolean): ActRun[] {
  return each ? acts.map((act) => ({ acts: [act] })) : runsOf(acts);
}

/** Prints a chapter's revisions: the newest, or the newest before one, or the first after one; newest first. */
async function replyRevisions(
  call: Call,
  manuscript: Manuscript,
  chapterId: ChapterId,
  { before, after, limit }: HistoryOptions,
): Promise<void> {
  const { listRevisions, revisionNamed } = await import("../../../service/books/read-chapter.ts");
  const [from, to] = [after, before].map((edge) => {
    const revision = edge === undefined ? undefined : revisionNamed(manuscript, chapterId, edge);
    if (edge === undefined || revision !== undefined) return revision;
    throw new BadRequest(
      `"${edge}" is no revision of this chapter, nor an act that made one; this command lists them.`,
    );
  });
  const range = { after: from, before: to };
  if (call.json) return await reply(call, listRevisions(manuscript, chapterId, { ...range, limit }), String);
  const lines = limit ?? LINES;
  // One more tells whether there are more.
  const { revisions } = listRevisions(manuscript, chapterId, { ...range, limit: lines + 1 });
  const isForward = after !== undefined;
  const shown = isForward ? revisions.slice(0, lines) : revisions.slice(-lines);
  await reply(call, shown, showRevisions);
  const edge = isForward ? shown.at(-1) : shown[0];
  if (edge === undefined || shown.length === revisions.length) return;
  await tellMore(call, ` ${chapterId}`, isForward, edge.revision);
}

async function tellMore(
  { terminal }: Call,
  chapter: string,
  isForward: boolean,
  edge: string | number,
): Promise<void> {
  const [what, option] = isForward ? ["Newer", "--after"] : ["Older", "--before"];
  await talk(terminal, `${what}: manuscript history${chapter} ${option} ${edge}`);
}

function showRevisions(revisions: AnswerOf<"listRevisions">["revisions"]): string {
  return columns(
    revisions
      .toReversed()
      .map(({ revision, act, at, kind, source, wordCount, added, removed }) => [
        String(revision),
        act,
        localTime(at),
        source,
        doneOf({ kind, source }),
        counted(wordCount, "word"),
        `+${grouped(added)} −${grouped(removed)}`,
      ]),
    [0, 5],
  );
}
