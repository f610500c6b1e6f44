import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "../../src/service/account/keys.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { firstSaid } from "../../test/support/first-said.ts";
import { PROGRAM } from "../../test/support/program.ts";

/** A folder of its own for one measurement. */
export function scratch(): { folder: string; drop: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-trust-"));
  return {
    folder,
    drop: () => rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }),
  };
}

/** A manuscript written in process, with a key; `write` fills it and returns what is to be known of it. */
export function madeBy<Known>(
  path: string,
  write: (manuscript: Manuscript) => Known,
): { known: Known; key: string } {
  const manuscript = openManuscript(path, { create: true });
  try {
    return { known: write(manuscript), key: createKey(manuscript, { name: "trust" }).key };
  } finally {
    manuscript.close();
  }
}

/** What a process ended with: its exit code or the signal it died of, and the milliseconds until then. */
export interface Ended {
  exit: number | string | null;
  ms: number;
}

/** The built `serve` in a process of its own. */
export interface Served {
  url: string;
  base: string;
  port: number;
  pid: number;
  process: ChildProcess;
  /** What it has said on stderr. */
  said: () => string;
  isAlive: () => boolean;
  /** Open descriptors, where the system tells. */
  descriptors: () => number | undefined;
  /** Sends a signal and waits; kills what has not ended after half a minute. */
  stop: (signal: NodeJS.Signals) => Promise<Ended>;
}

/** What a server is started with: its environment, options of Node itself, and a program that starts it. */
export interface Around {
  env?: Readonly<Record<string, string>>;
  node?: readonly string[];
  under?: readonly string[];
}

/** Starts `serve` in this folder, which is its home as well. Throws what it said if it ends before it listens. */
export async function startServed(
  folder: string,
  argv: readonly string[] = [],
  { env = {}, node = [], under = [] }: Around = {},
): Promise<Served> {
  const [program = "", ...rest] = [
    ...under,
    process.execPath,
    ...node,
    PROGRAM,
    "serve",
    "--port",
    "0",
    ...argv,
  ];
  const child = spawn(program, rest, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const talk: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => talk.push(chunk));
  const said = () => Buffer.concat(talk).toString();
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const url = (await firstSaid(child)).trim();
  return {
    url,
    base: `${url}/api/v1`,
    port: Number(new URL(url).port),
    pid: child.pid!, // it has spoken
    process: child,
    said,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    descriptors: () => descriptorsOf(child.pid),
    stop: async (signal) => {
      const start = performance.now();
      child.kill(signal);
      const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      const [exit, by] = await ended;
      clearTimeout(late);
      return { exit: by ?? exit, ms: performance.now() - start };
    },
  };
}

const PATIENCE_MS = 30_000;

function descriptorsOf(pid: number | undefined): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}

/** The same file under the same name in a folder of its own below. */
export function copied(folder: string, path: string, name: string): string {
  const own = mkdtempSync(join(folder, `${name}-`));
  copyFileSync(path, join(own, "book.manuscript"));
  return own;
}
