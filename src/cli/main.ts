import { ownTerminal } from "./own-terminal.ts";
import { run } from "./run.ts";

void main();

async function main(): Promise<void> {
  // Never process.exit(): it would cut off what a pipe has not taken yet.
  process.exitCode = await run(process.argv.slice(2), ownTerminal);
}
