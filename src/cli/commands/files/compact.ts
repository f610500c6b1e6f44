import { BadRequest } from "../../../refusals.ts";
import { assertOld, type Compacted, compact } from "../../../service/backups/compact.ts";
import { counted, grouped, sized } from "../../../text/columns.ts";
import { theManuscriptFile } from "../../input/manuscript-file.ts";
import { DRY, reply, talkUnlessJson } from "../../io/call.ts";
import { bytesOf, withProgress } from "../../io/terminal.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/files.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Gives back what the manuscript's file does not need, and says what it takes. */
export const COMMANDS: CommandsOf<typeof ROWS, "compact"> = {
  compact: async (call, { olderThan, keep, force = false }) => {
    const { isDry: dryRun } = call;
    const at = Date.now();
    if (olderThan === undefined && keep !== undefined)
      throw new BadRequest("--keep says what becomes of old saves; say how old: --older-than 1y");
    if (olderThan !== undefined && !force)
      assertOld(olderThan, at, "Give --older-than 30d or more, or --force.");
    const file = theManuscriptFile(call);
    const fold = olderThan === undefined ? undefined : { olderThan, unit: keep ?? "sittings" };
    const compacted = await withProgress(
      call.terminal,
      dryRun ? "Trying" : "Compacting",
      async (step) => compact(file, { at, dryRun, fold, step }),
      bytesOf(file),
    );
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

function inWords({ before, after, pictureBytes }: Compacted, isDry: boolean): string {
  const folded =
    before.saves === after.saves
      ? ""
      : `; ${counted(before.saves, "save")} ${isDry ? "would become" : "have become"} ${grouped(after.saves)}`;
  const pictures =
    pictureBytes === 0
      ? ""
      : `; ${sized(pictureBytes)} of pictures that neither a book nor the history names ${isDry ? "would go" : "are gone"}`;
  const takes = `This file: ${sized(before.bytes)}, of that ${sized(before.historyBytes)} history${folded}${pictures}`;
  const given = before.bytes - after.bytes;
  if (given <= 0) return `${takes}; there is nothing to give back.`;
  return isDry
    ? `${takes}; ${sized(given)} can be given back.`
    : `${takes}; ${sized(given)} are given back: it has ${sized(after.bytes)} now.`;
}
