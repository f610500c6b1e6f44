import { ownTerminal } from "./own-terminal.ts";
import { readPlain, run } from "./run.ts";

/** Whether the file has no parser, as `build/short.ts` says of each. */
declare const IS_PLAIN: boolean;

/**
 * Runs the process's own command line, whose command `build/short.ts` has put into one file, and false if it asks for more than is
 * in there: then nothing was done.
 */
export async function startShort(): Promise<boolean> {
  const argv = process.argv.slice(2);
  if (IS_PLAIN && (await readPlain(argv)) === undefined) return false;
  process.exitCode = await run(argv, ownTerminal);
  return true;
}
