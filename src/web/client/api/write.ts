import { tell } from "../parts/toasts.tsx";
import { ask } from "./ask.ts";
import type { Answer, Operation, Sent } from "./operations.ts";
import { asProblem } from "./problem.ts";
import { refreshReads } from "./reads.ts";
import { undoAll } from "./undo.ts";

/** The answer of a write; undefined after a refusal, which was told. With `done` what it did is told, with its Undo. */
export async function write<Id extends Operation>(
  id: Id,
  sent: Sent<Id>,
  done?: string | ((answer: Answer<Id>) => string),
): Promise<Answer<Id> | undefined> {
  try {
    const answer = await ask(id, sent);
    void refreshReads();
    if (done !== undefined)
      tell(typeof done === "string" ? done : done(answer), undoOf((answer as { act?: string | null }).act));
    return answer;
  } catch (thrown) {
    const { message } = asProblem(thrown);
    tell(message, { isProblem: true });
    return undefined;
  }
}

/** Takes an act back, and tells what came of it. */
export async function undo(act: string): Promise<void> {
  await undoAll([act]);
}

function undoOf(act: string | null | undefined): { undo?: () => void } {
  return act === null || act === undefined ? {} : { undo: () => void undo(act) };
}
