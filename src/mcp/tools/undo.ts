import { BadRequest, NotFound } from "../../refusals.ts";
import { type HistoryAct, listHistory, readAct } from "../../service/history/acts.ts";
import { undoAct } from "../../service/history/undo.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

const PAGE = 100;

/**
 * Takes back an act of the agent's own: one that carries its name and came by this way, in whatever run. An undo of one
 * is its own, too.
 */
export function undoOwn({ manuscript, caller }: ToolAsking, { act: wanted }: ToolInput<"undo">): string {
  const by = caller.byName;
  const found = wanted === undefined ? newestOf(manuscript, by) : readAct(manuscript, wanted);
  if (!isOwn(manuscript, found, by))
    throw new BadRequest(
      `${found.id} is no act of "${by}"; the writer can undo it, you can only undo your own.`,
    );
  const { act } = undoAct(manuscript, found.id, caller);
  return `Took back ${found.id} by ${act}.`;
}

function isOwn(manuscript: Manuscript, act: HistoryAct, by: string): boolean {
  if (act.by !== by) return false;
  if (act.undoes !== null) return isOwn(manuscript, readAct(manuscript, act.undoes), by);
  return act.source === "mcp";
}

/** The newest act of this agent that is no undo and stands. Throws `NotFound`. */
function newestOf(manuscript: Manuscript, by: string): HistoryAct {
  for (let before: string | undefined; ; ) {
    const { acts } = listHistory(manuscript, { before, limit: PAGE });
    const own = acts.find(
      (act) => act.undoes === null && act.undoneBy === null && isOwn(manuscript, act, by),
    );
    if (own !== undefined) return own;
    if (acts.length < PAGE) throw new NotFound(`act of "${by}" that stands: there is nothing to undo`);
    before = acts.at(-1)?.id;
  }
}
