import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { TrustPromise } from "./promise.ts";
import { scratch } from "./served.ts";

const root = resolve(import.meta.dirname, "../..");
const TRACE = [
  "-f",
  "-qq",
  "--seccomp-bpf",
  "-e",
  "trace=connect,sendto,sendmsg,sendmmsg,bind",
  "-e",
  "signal=none",
];

export const promise: TrustPromise = {
  number: 16,
  isNightly: true,
  promise: "Nothing leaves the machine",
  bar: "strace over the whole of `npm test`: 0 connections and datagrams to other machines",
  measure: async () => {
    if (spawnSync("strace", [...TRACE, "true"]).status !== 0)
      return { figures: "not tried", faults: [], skipped: ["strace is not there, or may not trace"] };
    const { folder, drop } = scratch();
    try {
      const seen = await traced(folder, "control", [process.execPath, "-e", CONTROL]);
      const faults =
        seen.away.length > 0 ? [] : ["a process that does connect to another machine was not seen"];
      const suite = [process.execPath, "--import", import.meta.resolve("tsx"), join(root, "test/run.ts")];
      const { calls, near, away, exit } = await traced(folder, "suite", suite);
      // A tracer slows everything down: what fails for that is for `npm test` to say, unless nothing was done at all.
      if (near < 100)
        faults.push(`only ${near} connections within this machine: the suite did not run (exit ${exit})`);
      faults.push(...away);
      return {
        figures: `${calls} calls of the whole suite, ${near} to this machine, ${away.length} to others`,
        faults,
      };
    } finally {
      drop();
    }
  },
};

// 192.0.2.0/24 is kept for examples: nobody answers.
const CONTROL =
  'require("net").connect(9, "192.0.2.1").on("error", () => {}); setTimeout(() => process.exit(), 200)';

interface Traced {
  calls: number;
  /** How many led to this machine, or to a file. */
  near: number;
  /** Those that did not, a line each. */
  away: string[];
  exit: number | null;
}

async function traced(folder: string, name: string, command: readonly string[]): Promise<Traced> {
  const file = join(folder, `${name}.txt`);
  const child = spawn("strace", [...TRACE, "-o", file, ...command], { cwd: root, stdio: "ignore" });
  const [exit] = (await once(child, "exit")) as [number | null];
  const told: Traced = { calls: 0, near: 0, away: [], exit };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const address = addressIn(line);
    if (address === undefined) continue;
    told.calls++;
    // To listen is not to call; that nobody listens where others could call, unless told to, is serve's own test.
    if (isHere(address) || /\bbind\(/.test(line)) told.near++;
    else told.away.push(line.slice(0, 160));
  }
  return told;
}

/** The internet address that a traced call names; undefined for files, pipes, and what is sent to a peer known before. */
function addressIn(line: string): string | undefined {
  return /\b(?:connect|bind|send\w+)\(.*(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/
    .exec(line)
    ?.slice(1)
    .find(Boolean);
}

function isHere(address: string): boolean {
  return /^127\./.test(address) || address === "::1" || /^::ffff:127\./.test(address);
}
