import { doneOf } from "../../../contract/act-words.ts";
import type { AnswerOf } from "../../../contract/index.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { BadRequest } from "../../../refusals.ts";
import { firstActOf, type HistoryAct, listActs, namesOf } from "../../../service/history/acts.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { columns, counted, grouped, localTime } from "../../../text/columns.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
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
      return await reply(call, await revisionsIn(manuscript, id, options), showRevisions);
    }
    const { before, after, limit } = options;
    if (call.json) return await reply(call, listActs(manuscript, { before, after, limit }), String);
    const { runs, names, edge } = readRuns(manuscript, options);
    await reply(call, runs, () => (runs.length === 0 ? nothingOf(options) : showRuns(runs, names)));
    if (edge === undefined) return;
    const more =
      after === undefined
        ? `Older: manuscript history --before ${edge}`
        : `Newer: manuscript history --after ${edge}`;
    await talk(call.terminal, more);
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

async function revisionsIn(
  manuscript: Manuscript,
  chapterId: string,
  { limit, before, after }: HistoryOptions,
): Promise<AnswerOf<"listRevisions">> {
  const { listRevisions } = await import("../../../service/books/read-chapter.ts");
  const answer = listRevisions(manuscript, chapterId);
  const [from, to] = [after, before].map((edge) => revisionOf(answer, edge));
  const within = answer.revisions.filter(
    ({ revision }) => revision > (from ?? 0) && revision < (to ?? Number.POSITIVE_INFINITY),
  );
  const first = after === undefined ? within.slice(-(limit ?? within.length)) : within.slice(0, limit);
  return { ...answer, revisions: limit === 0 ? [] : first };
}

/** A revision by its number, or by the act that made it. */
function revisionOf({ revisions }: AnswerOf<"listRevisions">, edge: string | undefined): number | undefined {
  if (edge === undefined) return undefined;
  const found = revisions.find(({ revision, act }) => String(revision) === edge || act === edge);
  if (found !== undefined) return found.revision;
  throw new BadRequest(
    `"${edge}" is no revision of this chapter, nor an act that made one; this command lists them.`,
  );
}

function showRevisions({ revisions }: AnswerOf<"listRevisions">): string {
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
