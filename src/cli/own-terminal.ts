import { fstatSync, writeSync } from "node:fs";
import { Writable } from "node:stream";
import { once } from "../text/once.ts";
import type { Terminal } from "./io/terminal.ts";

// An editor that saves in place has opened, written and closed a file within this time.
const SETTLE_MS = 100;
const STDOUT = 1;

/** The process's own streams. Each is made when it is first used: making one costs a short command a twentieth of its time. */
export const ownTerminal: Terminal = {
  get stdout() {
    return quiet(ownStdout());
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

const ownStdout = once(() => (isPlain() ? plainStdout() : process.stdout));

/** Whether stdout is a file or a pipe. What is asked of a terminal, and of Windows, is for Node's own stream to know. */
function isPlain(): boolean {
  try {
    return process.platform !== "win32" && !fstatSync(STDOUT).isCharacterDevice();
  } catch {
    return false; // it was closed before we came
  }
}

/** What Node's own stream does on a file or a pipe, without the modules for terminals and sockets: 2 ms of a short command. */
function plainStdout(): Writable {
  return new Writable({
    write(bytes: Buffer, _, done) {
      let at = 0;
      try {
        while (at < bytes.length) at += writeSync(STDOUT, bytes, at);
      } catch (error) {
        // It is full, and another program that has it, too, wants nobody to wait for it: Node's own can.
        if ((error as NodeJS.ErrnoException).code === "EAGAIN")
          quiet(process.stdout).write(bytes.subarray(at), done);
        else done(error as Error);
        return;
      }
      done();
    },
  });
}

/** The stream, its errors told to those who write to it and to nobody else: that a reader has gone is no failure. */
function quiet<Stream extends Writable>(stream: Stream): Stream {
  if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
  return stream;
}

function ignore(): void {}
