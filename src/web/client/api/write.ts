import { tell } from "../parts/toasts.tsx";
import { ask } from "./ask.ts";
import type { Answer, Operation, Sent } from "./operations.ts";
import { asProblem } from "./problem.ts";
import { refreshReads } from "./reads.ts";
import { undoAll } from "./undo.ts";

const CHANGED =
  "Somebody else has changed this in the meantime, so your change was not saved. You see it as it is now; make your change again.";

/** The answer of a write; undefined after a refusal, which was told. With `done` what it did is told, with its Undo. */
export async function write<Id extends Operation>(
  id: Id,
  sent: Sent<Id>,
  done?: string | ((answer: Answer<Id>) => string),
): Promise<Answer<Id> | undefined> {
  try {
    const answer = await ask(id, sent);
    void refreshReads();
    const { act } = answer as { act?: string | null };
    if (done !== undefined)
      tell(typeof done === "string" ? done : done(answer), act ? { undo: () => void undoAll([act]) } : {});
    return answer;
  } catch (thrown) {
    const { status, message } = asProblem(thrown);
    const isChanged = sent.ifMatch !== undefined && status === 412;
    if (isChanged) void refreshReads();
    tell(isChanged ? CHANGED : message, { isProblem: true });
    return undefined;
  }
}
