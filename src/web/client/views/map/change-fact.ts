import { ask } from "../../api/ask.ts";
import type { Sent } from "../../api/operations.ts";
import { asProblem } from "../../api/problem.ts";
import { refreshReads } from "../../api/reads.ts";
import { undo } from "../../api/write.ts";
import { tell } from "../../parts/toasts.tsx";

/** A change of a fact, and the tag of the fact as the writer saw it. */
export interface FactChange {
  factId: string;
  ifMatch: string | undefined;
  body: Sent<"updateFact">["body"];
}

/** Changes a fact unless somebody else did since it was read; then it says so, and shows what the fact is now. */
export async function changeFact({ factId, ifMatch, body }: FactChange, done: string): Promise<boolean> {
  try {
    const { act } = await ask("updateFact", { params: { factId }, ifMatch, body });
    tell(done, act === null ? {} : { undo: () => void undo(act) });
    await refreshReads();
    return true;
  } catch (thrown) {
    const { status, message } = asProblem(thrown);
    tell(
      status === 412
        ? "Somebody else has changed this meanwhile, so yours was not written. It is shown as it is now: make your change again."
        : message,
      { isProblem: true },
    );
    await refreshReads();
    return false;
  }
}
