import type { Terminal } from "./terminal.ts";

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
