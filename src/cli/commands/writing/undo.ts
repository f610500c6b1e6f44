import { lastAct, readAct, undoAct } from "../../../service/history/acts.ts";
import { type Call, replyWrite, type WriteOptions } from "../../io/call.ts";
import { kindInWords, reachOf } from "../../output/act-words.ts";
import { localTime } from "../../output/columns.ts";

/** Takes back a write: the newest that has not been, or the one named. */
export async function undo(call: Call, [act]: [string?], { dryRun = false }: WriteOptions): Promise<void> {
  const manuscript = await call.open();
  const id = act ?? lastAct(manuscript);
  const answer = undoAct(manuscript, id, { source: "cli", dryRun });
  const { touched, at, ...done } = readAct(manuscript, id);
  await replyWrite(
    call,
    answer,
    ({ undone }) =>
      `${dryRun ? "Would undo" : "Undone:"} ${undone}, ${kindInWords(done)} of ${localTime(at)}: ${reachOf(touched)}`,
  );
}
