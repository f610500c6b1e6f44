import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { family } from "../../test/support/family.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { type Around, type Served, startServed } from "./served.ts";

const MIB = 1024 * 1024;

/** A server over one file in `folder`, with a key to it. */
export interface Keyed extends Served {
  key: string;
  file: string;
  ask(method: string, path: string, body?: string | Uint8Array, type?: string): Promise<Told>;
  /** The command line beside it, on the same file. */
  run(...words: string[]): string;
}

/** An answer: its status and its JSON. */
export interface Told {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: measurements read answers by the names that the contract gives
  body: any;
}

/** Runs a command on the manuscript in a folder; HOME is that folder. */
export function runIn(folder: string, ...words: string[]): string {
  const env = { ...process.env, HOME: folder };
  return execFileSync(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
}

/** Starts the server on `book.manuscript` in the folder, which must be there. */
export async function startKeyed(folder: string, around?: Around): Promise<Keyed> {
  const { key } = JSON.parse(runIn(folder, "key", "create", "--json"));
  const served = await startServed(folder, [], around);
  return {
    ...served,
    key,
    file: join(folder, "book.manuscript"),
    ask: (method, path, body, type) => ask({ url: served.url, key }, { method, path, body, type }),
    run: (...words) => runIn(folder, ...words),
  };
}

async function ask(
  { url, key }: Pick<Keyed, "url" | "key">,
  {
    method,
    path,
    body,
    type = "application/json",
  }: {
    method: string;
    path: string;
    body?: string | Uint8Array | undefined;
    type?: string | undefined;
  },
): Promise<Told> {
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(body && { "Content-Type": type }),
  };
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    body: (body ?? null) as string | null,
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

/** Resident memory of a process and those that it has started, in MiB. */
export function rssOf(pid: number): number {
  return (
    family(pid).reduce((sum, one) => sum + Number(/VmRSS:\s+(\d+)/.exec(status(one))?.[1] ?? 0), 0) / 1024
  );
}

function status(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

const TICK_MS = 10;

/** CPU time of a process and those that it has started and has not outlived, in milliseconds. */
export function cpuOf(pid: number): number {
  let ticks = 0;
  for (const one of family(pid)) {
    try {
      const fields = readFileSync(`/proc/${one}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      // utime, stime, and what its ended children took, by their places after the name. Source:
      // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html.
      ticks += [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    } catch {
      // gone meanwhile
    }
  }
  return ticks * TICK_MS;
}

export { MIB };
