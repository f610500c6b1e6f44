import { SCRIPTS } from "../../complete/scripts.ts";
import { reply } from "../../io/call.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { ROWS } from "../../rows/help.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Prints the script that a shell reads to complete this command. */
export const COMMANDS: CommandsOf<typeof ROWS, "completion"> = {
  completion: async (call, { shell }) => {
    const answer: CommandAnswer<"completion"> = { shell, script: SCRIPTS[shell] };
    await reply(call, answer, ({ script }) => script.trimEnd());
  },
};
