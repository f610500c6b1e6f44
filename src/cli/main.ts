import { readFileSync } from "node:fs";
import type { Terminal } from "./io/terminal.ts";

// An editor that saves in place has opened, written and closed a file within this time.
const SETTLE_MS = 100;

// Each stream is made when it is first used: making one costs a short command a twentieth of its time.
const terminal: Terminal = {
  get stdout() {
    return quiet(process.stdout);
  },
  get stderr() {
    return quiet(process.stderr);
  },
  get stdin() {
    return process.stdin;
  },
  env: process.env,
  cwd: process.cwd(),
  settleMs: SETTLE_MS,
};

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v" || argv[0] === "-V")) {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  terminal.stdout.write(`${JSON.parse(manifest).version}\n`);
} else void main();

async function main(): Promise<void> {
  const { run } = await import("./run.ts");
  // Never process.exit(): it would cut off what a pipe has not taken yet.
  process.exitCode = await run(argv, terminal);
}

/** The stream, its errors told to those who write to it and to nobody else: that a reader has gone is no failure. */
function quiet<Stream extends NodeJS.WriteStream>(stream: Stream): Stream {
  if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
  return stream;
}

function ignore(): void {}
