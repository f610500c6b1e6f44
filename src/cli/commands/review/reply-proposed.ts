import type { ProposedProse } from "../../../service/review/propose-prose.ts";
import { type Call, replyWrite } from "../../io/call.ts";
import { proposedRemedies, showProposed } from "../../output/proposals.ts";

/** Tells what was proposed instead of written, and how to decide on it; `notes` are further lines for stderr. */
export async function replyProposed(
  call: Call,
  answer: ProposedProse,
  isDry: boolean,
  notes: readonly string[] = [],
): Promise<void> {
  const remedies = [...notes, ...proposedRemedies(answer, isDry)];
  await replyWrite(call, answer, (done) => showProposed(done, isDry), remedies);
}
