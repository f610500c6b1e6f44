import { doneOf, type Names, reachOf, union } from "../../contract/act-words.ts";
import type { HistoryAct } from "../../service/history/acts.ts";
import { columns, grouped, localTime } from "../../text/columns.ts";

/** Acts of one kind, one after the other, that one hand did to the same chapters; newest first. */
export interface ActRun {
  acts: readonly [HistoryAct, ...HistoryAct[]];
}

/** The acts, newest first, in runs. */
export function runsOf(acts: readonly HistoryAct[]): ActRun[] {
  const runs: [HistoryAct, ...HistoryAct[]][] = [];
  for (const act of acts) {
    const run = runs.at(-1);
    if (run !== undefined && isLike(run[0], act)) run.push(act);
    else runs.push([act]);
  }
  return runs.map((run) => ({ acts: run }));
}

function isLike(one: HistoryAct, other: HistoryAct): boolean {
  const keyOf = ({ kind, source, by, undoneBy, touched: { chapters } }: HistoryAct) =>
    JSON.stringify([kind, source, by, undoneBy === null, chapters]);
  return keyOf(one) === keyOf(other);
}

/** Runs in lines, each by its newest act: "12 × wrote", and the act that the run began with. */
export function showRuns(runs: readonly ActRun[], names: Names): string {
  return columns(
    runs.map(({ acts }) => {
      const [newest] = acts;
      const oldest = acts.at(-1) ?? newest;
      const kind = doneOf(newest);
      return [
        newest.id,
        localTime(newest.at),
        newest.by ?? newest.source,
        acts.length === 1 ? kind : `${grouped(acts.length)} × ${kind}`,
        reachOf(union(acts), names),
        newest.undoneBy === null ? "" : "undone",
        acts.length === 1 ? "" : `since ${oldest.id}`,
      ];
    }),
  );
}
