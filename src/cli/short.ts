import { ownTerminal } from "./own-terminal.ts";
import { readPlain, run } from "./run.ts";

/** Those whose file has what reads any command line of theirs. */
const WHOLE = new Set(["complete", "export", "import"]);

/**
 * Runs the process's own command line if it is one of those that `build/short.ts` puts into one file, and false if it asks for more
 * than is in there: then nothing was done.
 */
export async function startShort(): Promise<boolean> {
  const argv = process.argv.slice(2);
  if (!WHOLE.has(argv[0] ?? "") && (await readPlain(argv)) === undefined) return false;
  process.exitCode = await run(argv, ownTerminal);
  return true;
}
