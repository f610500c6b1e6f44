import { tell } from "../parts/toasts.tsx";
import { ask } from "./ask.ts";
import { asProblem } from "./problem.ts";
import { refreshReads } from "./reads.ts";

/** Why an undo was refused: acts that came later and build on it, and rows that changed since. */
export interface Obstacles {
  /** The acts that were to be undone. */
  acts: readonly string[];
  /** Newest first. */
  later: readonly string[];
  standing: readonly { table: string; id: string; reason: string }[];
}

/**
 * Undoes acts, all or none, and says what came of it. If later acts stand in the way, it asks about those. `onUndone` puts back
 * what the page itself keeps of them, which nothing does again.
 */
export async function undoAll(acts: readonly string[], onUndone?: () => void): Promise<void> {
  try {
    const { acts: undos } = await ask("undoActs", { body: { acts: [...acts] } });
    void refreshReads();
    onUndone?.();
    tell("Undone.", onUndone ? {} : { undo: () => void undoAll(undos) });
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (problem.status !== 409) return tell(problem.message, { isProblem: true });
    const { later = [], standing = [] } = problem.more as Partial<Obstacles>;
    const { askToUndo } = await import("../parts/acts/undo-first.tsx");
    askToUndo({ acts, later, standing }, (all) => void undoAll(all, onUndone));
  }
}
