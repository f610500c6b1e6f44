import type { Terminal } from "./terminal.ts";

/** Called as a long run goes on, with the number of steps done and of all steps. */
export type ProgressStep = (done: number, total: number) => void;

/** What is over within this time shows nothing. */
const QUIET_MS = 1000;
/** Between two looks of the line. */
const EVERY_MS = 100;
const CLEAR = "\r\u001b[K";

/**
 * Runs something long, with a line such as "Importing: 34%" on stderr if that is a terminal, once a second has gone by;
 * it is rewritten in place, and gone before anything else is said.
 */
export async function withProgress<Result>(
  { stderr, env, clock = () => performance.now() }: Terminal,
  doing: string,
  run: (step: ProgressStep) => Promise<Result>,
): Promise<Result> {
  if (!stderr.isTTY || env.TERM === "dumb") return await run(() => {});
  let next = clock() + QUIET_MS;
  let isShown = false;
  const step: ProgressStep = (done, total) => {
    const now = clock();
    if (now < next) return;
    next = now + EVERY_MS;
    isShown = true;
    stderr.write(`${CLEAR}${doing}: ${Math.floor((100 * done) / total)}%`);
  };
  try {
    return await run(step);
  } finally {
    if (isShown) stderr.write(CLEAR);
  }
}
