import { WouldLose } from "../../refusals.ts";
import type { Call } from "./call.ts";
import type { Terminal } from "./terminal.ts";

/** True if somebody sits there to be asked: questions go to stderr, answers come from stdin. */
export function canAsk({ stdin, stderr }: Terminal): boolean {
  return Boolean(stdin.isTTY) && Boolean(stderr.isTTY);
}

/** Questions to somebody at a terminal, one after another; what is typed ahead answers the next. */
export interface Questions {
  /** The line that answers; undefined once there is nobody to answer. */
  ask(question: string): Promise<string | undefined>;
  /** Leaves the terminal to another program until that has ended. */
  lend<Result>(run: () => Promise<Result>): Promise<Result>;
  close(): void;
}

/** Begins to ask. */
export async function beginAsking({ stdin, stderr }: Terminal): Promise<Questions> {
  const { createInterface } = await import("node:readline");
  // Without raw mode the terminal itself sees to Ctrl-C.
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  const typed: string[] = [];
  let waiting: ((line: string | undefined) => void) | undefined;
  let isOver = false;
  lines.on("line", (line) => {
    if (waiting === undefined) typed.push(line);
    else waiting(line);
    waiting = undefined;
  });
  lines.on("close", () => {
    isOver = true;
    waiting?.(undefined);
  });
  return {
    ask: (question) => {
      stderr.write(`${question} `);
      if (typed.length > 0) return Promise.resolve(typed.shift());
      return isOver ? Promise.resolve(undefined) : new Promise((resolve) => (waiting = resolve));
    },
    lend: async (run) => {
      // Node 24 refuses both once the input has ended.
      if (!isOver) lines.pause();
      try {
        return await run();
      } finally {
        if (!isOver) lines.resume();
      }
    },
    close: () => lines.close(),
  };
}

/** Asks a question that yes or no answers; a blank line is no, unless `isYes` says that it is yes. */
export async function confirm(
  terminal: Terminal,
  question: string,
  { isYes = false } = {},
): Promise<boolean> {
  const asking = await beginAsking(terminal);
  const answer = (await asking.ask(`${question} ${isYes ? "[Y/n]" : "[y/N]"}`)) ?? "no";
  asking.close();
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
