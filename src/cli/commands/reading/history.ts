import { doneOf } from "../../../contract/act-words.ts";
import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { type HistoryAct, type HistoryRange, listActs, listHistory } from "../../../service/history/acts.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { columns, counted, grouped, localTime } from "../../../text/columns.ts";
import { append } from "../../../text/extremes.ts";
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
    const { runs, names, hasMore } = readRuns(manuscript, options);
    await reply(call, runs, () => (runs.length === 0 ? nothingOf(options) : showRuns(runs, names)));
    const edge = options.after === undefined ? runs.at(-1)?.acts.at(-1) : runs[0]?.acts[0];
    if (!hasMore || edge === undefined) return;
    const more =
      after === undefined
        ? `Older: manuscript history --before ${edge.id}`
        : `Newer: manuscript history --after ${edge.id}`;
    await talk(call.terminal, more);
  },
};

function nothingOf({ before, after }: HistoryOptions): string {
  return before === undefined && after === undefined ? "Nothing has been written yet." : "No acts there.";
}

/** Lines that are shown if nobody says how many. */
const LINES = 50;
/** Acts that are read at once. */
const PAGE = 100;

/** As many runs of acts as asked for: the newest, or the newest before an act, or the first after one; newest first. */
function readRuns(manuscript: Manuscript, { limit = LINES, each = false, ...edges }: HistoryOptions) {
  const isForward = edges.after !== undefined;
  const names = new Map<string, string>();
  const acts: HistoryAct[] = [];
  for (let range: Omit<HistoryRange, "limit"> = edges; ; ) {
    const page = listHistory(manuscript, { ...range, limit: PAGE });
    for (const [id, name] of page.names) names.set(id, name);
    append(acts, isForward ? page.acts.toReversed() : page.acts);
    const runs: ActRun[] = each ? acts.map((act) => ({ acts: [act] })) : runsOf(acts);
    const hasMore = runs.length > limit;
    if (hasMore || page.acts.length < PAGE) {
      const shown = runs.slice(0, limit);
      return { runs: isForward ? shown.map(turned).reverse() : shown, names, hasMore };
    }
    range = isForward ? { ...range, after: page.acts[0]?.id } : { ...range, before: page.acts.at(-1)?.id };
  }
}

/** A run that was read oldest first. */
function turned({ acts }: ActRun): ActRun {
  return { acts: acts.toReversed() as [HistoryAct, ...HistoryAct[]] }; // as many as there were
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
    `"${edge}" is no revision of this chapter, nor an act that made one; they are 1 to ${revisions.length}.`,
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
