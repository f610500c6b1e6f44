import { WouldLose } from "../../refusals.ts";
import type { Call } from "./call.ts";
import type { Terminal } from "./terminal.ts";

/** True if somebody sits there to be asked: questions go to stderr, answers come from stdin. */
export function canAsk({ stdin, stderr }: Terminal): boolean {
  return Boolean(stdin.isTTY) && Boolean(stderr.isTTY);
}

/** Asks a question that yes or no answers; a blank line is no, unless `isYes` says that it is yes. */
export async function confirm(
  { stdin, stderr }: Terminal,
  question: string,
  { isYes = false } = {},
): Promise<boolean> {
  const { createInterface } = await import("node:readline");
  // Without raw mode the terminal itself sees to Ctrl-C.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  stderr.write(`${question} ${isYes ? "[Y/n]" : "[y/N]"} `);
  const answer = await new Promise<string>((resolve) => {
    lines.once("line", resolve).once("close", () => resolve("no"));
  });
  lines.close();
  return /^\s*$/.test(answer) ? isYes : /^\s*y(es)?\s*$/i.test(answer);
}

/**
 * Resolves once the writer agrees: by `--yes`, or by a y on a terminal. `what` says in a sentence what would go, and how
 * it comes back. Throws `WouldLose` without a terminal, with `--json`, and for any other answer.
 */
export async function agree({ terminal, json }: Call, what: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (json || !canAsk(terminal)) throw new WouldLose(`${what} Give --yes to go on.`);
  if (!(await confirm(terminal, `${what} Go on?`))) throw new WouldLose("Nothing was changed.");
}
