import { SCRIPTS } from "../../complete/scripts.ts";
import { type Call, reply } from "../../io/call.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

/** Prints the script that a shell reads to complete this command. */
export async function completion(call: Call, [shell]: [keyof typeof SCRIPTS]): Promise<void> {
  const answer: CommandAnswer<"completion"> = { shell, script: SCRIPTS[shell] };
  await reply(call, answer, ({ script }) => script.trimEnd());
}
