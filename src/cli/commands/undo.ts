import { lastAct, undoAct } from "../../service/acts.ts";
import { type Call, replyWrite, type WriteOptions, withManuscript } from "../call.ts";
import { counted } from "../layout.ts";

/** Takes back a write: the newest that has not been, or the one named. */
export async function undo(call: Call, [act]: [string?], { dryRun = false }: WriteOptions): Promise<void> {
  await withManuscript(call, async (manuscript) => {
    const answer = undoAct(manuscript, act ?? lastAct(manuscript), { source: "cli", dryRun });
    await replyWrite(call, answer, ({ undone, chapters }) => {
      const reach = chapters.length === 0 ? "" : ` in ${counted(chapters.length, "chapter")}`;
      return `Undone: ${undone}${reach}`;
    });
  });
}
