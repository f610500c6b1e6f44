import type { CompletionAnswer } from "../../answers/schemas.ts";
import { SCRIPTS } from "../../complete/scripts.ts";
import { type Call, reply } from "../../io/call.ts";

/** Prints the script that a shell reads to complete this command. */
export async function completion(call: Call, [shell]: [keyof typeof SCRIPTS]): Promise<void> {
  const answer: CompletionAnswer = { shell, script: SCRIPTS[shell] };
  await reply(call, answer, ({ script }) => script.trimEnd());
}
