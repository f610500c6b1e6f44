import { WouldLose } from "../../refusals.ts";
import type { Call } from "./call.ts";
import { talk } from "./terminal.ts";

/**
 * Resolves once the writer agrees: by `--yes`, or by a y on a terminal. `what` says in a sentence what would go, and how
 * it comes back. Throws `WouldLose` without a terminal, with `--json`, and for any other answer.
 */
export async function agree({ terminal, json }: Call, what: string, yes: boolean): Promise<void> {
  if (yes) return;
  const { stdin, stderr } = terminal;
  if (json || !stdin.isTTY || !stderr.isTTY) throw new WouldLose(`${what} Give --yes to go on.`);
  await talk(terminal, `${what} Go on? [y/N]`);
  if (!/^\s*y/i.test(await readLine(stdin))) throw new WouldLose("Nothing was changed.");
}

async function readLine(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  let line = "";
  for await (const chunk of stdin) {
    line += String(chunk);
    if (line.includes("\n")) break;
  }
  return line;
}
