import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "../../src/service/account/keys.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { PROGRAM } from "../support/program.ts";

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

/** A server in a process of its own. */
export interface Served {
  url: string;
  base: string;
  process: ChildProcess;
  /** What it has said on stderr. */
  said: () => string;
  /** Open descriptors, where the system tells. */
  descriptors: () => number | undefined;
  /** Sends a signal and waits: the exit code or the signal it died of, and the milliseconds until then. */
  stop: (signal: NodeJS.Signals) => Promise<{ exit: number | string | null; ms: number }>;
}

/** Starts `serve` in this folder, which is its home as well. */
export async function startServed(
  folder: string,
  argv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(process.execPath, [PROGRAM, "serve", "--port", "0", ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const talk: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => talk.push(chunk));
  const said = () => Buffer.concat(talk).toString();
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const first = await Promise.race([
    once(child.stdout, "data"),
    ended.then(([exit]) => Promise.reject(new Error(`serve ended with ${exit}: ${said()}`))),
  ]);
  const url = String(first[0]).trim();
  return {
    url,
    base: `${url}/api/v1`,
    process: child,
    said,
    descriptors: () => {
      try {
        return readdirSync(`/proc/${child.pid}/fd`).length;
      } catch {
        return undefined;
      }
    },
    stop: async (signal) => {
      const start = performance.now();
      child.kill(signal);
      const [exit, by] = await ended;
      return { exit: by ?? exit, ms: performance.now() - start };
    },
  };
}

/** The same file under the same name in a folder of its own below. */
export function copied(folder: string, path: string, name: string): string {
  const own = mkdtempSync(join(folder, `${name}-`));
  copyFileSync(path, join(own, "book.manuscript"));
  return own;
}
