import { type Compacted, compact } from "../../../service/backups/compact.ts";
import { shellWord, sized } from "../../../text/columns.ts";
import { theManuscriptFile } from "../../input/manuscript-file.ts";
import { DRY, reply, talkUnlessJson } from "../../io/call.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Gives back what the manuscript's file does not need, and says what it takes. */
export const COMMANDS: CommandsOf<typeof ROWS, "compact"> = {
  compact: async (call) => {
    const { isDry: dryRun } = call;
    const file = theManuscriptFile(call);
    const compacted = compact(file, { at: Date.now(), dryRun });
    const { aside } = compacted;
    const answer: CommandAnswer<"compact"> = { file, written: aside !== null, ...compacted };
    await reply(call, answer, (given) => inWords(given, dryRun));
    if (dryRun) await talkUnlessJson(call, DRY);
    if (aside !== null)
      await talkUnlessJson(
        call,
        `The file of until now is ${aside}, and takes its room until you remove it; back to it with: manuscript restore ${shellWord(aside)}`,
      );
  },
};

function inWords({ before, after }: Compacted, isDry: boolean): string {
  const takes = `This file: ${sized(before.bytes)}, of that ${sized(before.historyBytes)} history`;
  const given = before.bytes - after.bytes;
  if (given === 0) return `${takes}; there is nothing to give back.`;
  return isDry
    ? `${takes}; ${sized(given)} can be given back.`
    : `${takes}; ${sized(given)} are given back: it has ${sized(after.bytes)} now.`;
}
