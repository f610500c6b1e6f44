import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

// Loaded into a command with --import: its process is killed before the file operation whose number is $KILL_AT.

/** Operations that change what a folder holds, or what is safe on the disk. */
const OPERATIONS = [
  "linkSync",
  "renameSync",
  "rmSync",
  "writeFileSync",
  "copyFileSync",
  "fsyncSync",
] as const;
const killAt = Number(process.env.KILL_AT);
let count = 0;

for (const name of OPERATIONS) {
  const run = fs[name] as (...values: unknown[]) => unknown;
  const counted = (...values: unknown[]) => {
    if (++count === killAt) process.kill(process.pid, "SIGKILL");
    return run(...values);
  };
  Object.assign(fs, { [name]: counted });
}
syncBuiltinESMExports();
