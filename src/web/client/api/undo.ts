import type { Obstacles } from "../parts/acts/undo-first.tsx";
import { tell } from "../parts/toasts.tsx";
import { ask } from "./ask.ts";
import { asProblem } from "./problem.ts";
import { refreshReads } from "./reads.ts";

/** Takes acts back, all or none, and tells what came of it. Where later acts stand in the way, it asks about those. */
export async function undoAll(acts: readonly string[]): Promise<void> {
  try {
    const { acts: undos } = await ask("undoActs", { body: { acts: [...acts] } });
    void refreshReads();
    tell("Taken back.", { undo: () => void undoAll(undos) });
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.status !== 409) return tell(problem.message, { isProblem: true });
    const { later = [], standing = [] } = problem.more as Partial<Obstacles>;
    const { askToUndo } = await import("../parts/acts/undo-first.tsx");
    askToUndo({ acts, later, standing }, (all) => void undoAll(all));
  }
}
