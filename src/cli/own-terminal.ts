import type { Terminal } from "./io/terminal.ts";

// An editor that saves in place has opened, written and closed a file within this time.
const SETTLE_MS = 100;

/** The process's own streams. Each is made when it is first used: making one costs a short command a twentieth of its time. */
export const ownTerminal: Terminal = {
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

/** The stream, its errors told to those who write to it and to nobody else: that a reader has gone is no failure. */
function quiet<Stream extends NodeJS.WriteStream>(stream: Stream): Stream {
  if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
  return stream;
}

function ignore(): void {}
