import { doneOf, type Names, reachOf, union } from "../../contract/act-words.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { HistoryAct } from "../../service/history/acts.ts";
import { columns, grouped, localTime } from "../../text/columns.ts";

/** Acts of one hand that are one line of the history: a sitting, or acts of one kind on the same chapters; newest first. */
export interface ActRun {
  acts: readonly [HistoryAct, ...HistoryAct[]];
}

/** Acts, or sittings of them, newest first, in runs: like ones that follow each other without a long pause. */
export function runsOf(acts: readonly HistoryAct[]): ActRun[] {
  const runs: [HistoryAct, ...HistoryAct[]][] = [];
  for (const act of acts) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && isLike(last, act) && isSoonAfter(last, act)) run.push(act);
    else runs.push([act]);
  }
  return runs.map((run) => ({ acts: run }));
}

function isLike(one: HistoryAct, other: HistoryAct): boolean {
  const keyOf = ({ kind, source, by, undoneBy, touched: { chapters } }: HistoryAct) =>
    JSON.stringify([kind, source, by, undoneBy === null, chapters]);
  return keyOf(one) === keyOf(other);
}

function isSoonAfter({ at, sitting }: HistoryAct, before: HistoryAct): boolean {
  return Date.parse(sitting?.from ?? at) - Date.parse(before.at) <= LIMITS.sittingPauseMinutes * 60_000;
}

/** Ids of all acts of a run, newest first. */
export function actsOfRun({ acts }: ActRun): string[] {
  return acts.flatMap(({ id, sitting }) => sitting?.acts.toReversed() ?? [id]);
}

/** Runs in lines, each by its newest act: "12 × wrote", and the act that the run began with. */
export function showRuns(runs: readonly ActRun[], names: Names): string {
  return columns(
    runs.map((run) => {
      const [newest] = run.acts;
      const ids = actsOfRun(run);
      const isSitting = (newest.sitting?.count ?? 1) > 1 && newest.undoes === null;
      const kind = isSitting ? "wrote" : doneOf(newest);
      return [
        newest.id,
        localTime(newest.at),
        newest.by ?? newest.source,
        ids.length === 1 ? kind : `${grouped(ids.length)} × ${kind}`,
        reachOf(union(run.acts), names),
        newest.undoneBy === null ? "" : "undone",
        ids.length === 1 ? "" : `since ${ids.at(-1)}`,
      ];
    }),
  );
}
