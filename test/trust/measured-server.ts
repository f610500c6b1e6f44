import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PROGRAM } from "../support/program.ts";

const MIB = 1024 * 1024;

/** The built `serve` as a process of its own over one file in `folder`, and what it and its helpers use. */
export interface Served {
  url: string;
  key: string;
  file: string;
  pid: number;
  /** What it has written on stderr. */
  log(): string;
  isAlive(): boolean;
  ask(method: string, path: string, body?: string | Uint8Array, type?: string): Promise<Told>;
  /** The command line beside it, on the same file. */
  run(...words: string[]): string;
  stop(): Promise<void>;
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
export async function startServed(folder: string): Promise<Served> {
  const { key } = JSON.parse(runIn(folder, "key", "create", "--json"));
  const child = spawn(process.execPath, [PROGRAM, "serve", "--port", "0"], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  const pid = child.pid!; // it has spoken
  return {
    url,
    key,
    pid,
    file: join(folder, "book.manuscript"),
    log: () => log,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ask: (method, path, body, type) => ask({ url, key }, { method, path, body, type }),
    run: (...words) => runIn(folder, ...words),
    stop: () => stop(child),
  };
}

async function ask(
  { url, key }: Pick<Served, "url" | "key">,
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
    Prefer: "return=minimal",
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

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await end;
  clearTimeout(late);
}

/** A process and those that it has started, which are gone with it. */
function family(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" "))
      .filter(Boolean)
      .map(Number);
    return [pid, ...children.flatMap(family)];
  } catch {
    return [];
  }
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
