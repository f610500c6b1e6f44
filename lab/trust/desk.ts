import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "../../src/service/account/keys.ts";
import { createBook } from "../../src/service/books/books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { manuscriptBytes } from "../../test/support/sandbox.ts";

/** A folder of its own, gone when `use` has ended. */
export async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-trust-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

/** A manuscript with one book, and the key to it. */
export interface Desk {
  path: string;
  bookId: string;
  key: string;
}

/** Makes such a manuscript. */
export function makeDesk(path: string): Desk {
  writeFileSync(path, manuscriptBytes(), { mode: 0o600 });
  const manuscript = openManuscript(path);
  const { id } = createBook(manuscript, { title: "Book" }, { source: "cli" });
  const { key } = createKey(manuscript);
  manuscript.close();
  return { path, bookId: id, key };
}

/** Where a program runs, and with what. */
interface Place {
  cwd: string;
  env?: Readonly<Record<string, string>>;
}

function start(words: readonly string[], { cwd, env = {} }: Place): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** What a command ended with. */
export interface Ran {
  exit: number | null;
  out: string;
  said: string;
}

/** Runs a command to its end, or kills it after so many milliseconds. */
export async function command(words: readonly string[], place: Place, killMs?: number): Promise<Ran> {
  const child = start(words, place);
  const [out, said]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => said.push(chunk));
  const timer = killMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killMs);
  const [exit] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  return { exit, out: Buffer.concat(out).toString(), said: Buffer.concat(said).toString() };
}

/** Asks a server, with a desk's key; status 0 if no answer came. */
export async function ask(
  url: string,
  { key }: Pick<Desk, "key">,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: answers are read by the names that the contract gives
): Promise<{ status: number; body: any }> {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  try {
    const answer = await fetch(`${url}/api/v1${path}`, { ...sent, headers });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return { status: 0, body: {} };
  }
}

/** Saves a fact of this name; its status. */
export async function saveFact(url: string, desk: Desk, name: string): Promise<number> {
  return (await ask(url, desk, `/books/${desk.bookId}/facts`, { name })).status;
}

/** The names of the facts in a file, by its own program. */
export function factsIn({ path, bookId }: Desk): Set<string> {
  const manuscript = openManuscript(path);
  try {
    return new Set(manuscript.store.list<string>("SELECT name FROM facts WHERE book_id = ?", bookId));
  } finally {
    manuscript.close();
  }
}
