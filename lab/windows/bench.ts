import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

/** The program, from the repository's own folder. */
export const PROGRAM = join(import.meta.dirname, "../../bin/manuscript.js");
/** Folder of the sample novel's text: 14 chapters. */
export const NOVEL = join(import.meta.dirname, "../../fixtures/novel");
const MOST_MS = 90_000;

/** Result of a command. */
export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** What a command is given besides its words. */
interface Given {
  input?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  /** Exit code that it is to end with; 0 without it. */
  exit?: number;
}

/** A process that goes on: what it has said on either stream, until it is ended. */
export interface Running {
  child: ChildProcess;
  /** The first match in what it says. Throws if it ends before, or says nothing of the kind for long. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it as the task manager does: it is told nothing. */
  kill(): Promise<void>;
}

/** A folder as a writer on Windows may have it, and the program run in it. */
export class Bench {
  /** Holds a folder with a blank, an umlaut, `&`, `%` and a character beyond 16 bits in its name. */
  readonly base = mkdtempSync(join(tmpdir(), "manuscript-windows-"));
  readonly cwd = join(this.base, "Büro & Söhne 100% 📚");
  /** First words of all commands that were run. */
  readonly ran = new Set<string>();
  readonly #running = new Set<Running>();

  constructor() {
    mkdirSync(this.cwd);
  }

  /** Runs a command to its end. Throws if it ends otherwise than it should. */
  async run(words: readonly string[], { exit = 0, ...given }: Given = {}): Promise<Ended> {
    const child = this.#spawn(words, given);
    const ended: Ended = { status: null, stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        ended[name] += text;
      });
    child.stdin?.on("error", () => {}); // it need not read it all
    child.stdin?.end(given.input ?? "");
    const timer = setTimeout(() => child.kill(), MOST_MS);
    [ended.status] = await once(child, "close");
    clearTimeout(timer);
    const said = `${ended.stdout}${ended.stderr}`.slice(-1000);
    assert.equal(ended.status, exit, `manuscript ${words.join(" ")} ended with ${ended.status}: ${said}`);
    return ended;
  }

  /** What a command answers with `--json`. */
  async answer<Answer>(...words: readonly string[]): Promise<Answer> {
    return JSON.parse((await this.run([...words, "--json"])).stdout) as Answer;
  }

  /** Starts a command that goes on. */
  start(words: readonly string[], given: Given = {}): Running {
    const child = this.#spawn(words, given);
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    const says = async (pattern: RegExp) => {
      for (const end = Date.now() + MOST_MS; Date.now() < end && child.exitCode === null; await wait(30)) {
        const found = pattern.exec(said);
        if (found !== null) return found;
      }
      throw new Error(`manuscript ${words.join(" ")} did not say ${pattern}, but: ${said.slice(-1000)}`);
    };
    const running: Running = { child, says, kill: () => this.#kill(running) };
    this.#running.add(running);
    return running;
  }

  /** Ends what goes on. */
  async stop(): Promise<void> {
    for (const running of this.#running) await running.kill();
  }

  /** Ends what goes on, and removes the folder. */
  async end(): Promise<void> {
    await this.stop();
    try {
      rmSync(this.base, { recursive: true, force: true, maxRetries: 10 });
    } catch {} // what was to open a browser may still stand in it
  }

  async #kill(running: Running): Promise<void> {
    this.#running.delete(running);
    const { child } = running;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  #spawn(words: readonly string[], { env = {} }: Given): ChildProcess {
    for (const name of [words[0] ?? "", words.slice(0, 2).join(" ")]) this.ran.add(name);
    return spawn(process.execPath, [PROGRAM, ...words], { cwd: this.cwd, env: { ...process.env, ...env } });
  }
}

/** What a page or a program sends to a server. */
interface Sent {
  method?: string;
  headers?: Record<string, string>;
  /** Prose, or what is sent as JSON. */
  body?: unknown;
}

/** The answer to a request: its status, and its body, read if it is JSON. Wine knows not all that `fetch` needs. */
export async function ask<Body>(
  url: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<{ status: number; body: Body }> {
  const isProse = typeof body === "string";
  const type = { "Content-Type": isProse ? "text/markdown" : "application/json" };
  const sent = request(url, { method, headers: { ...type, ...headers }, agent: false });
  sent.end(isProse || body === undefined ? body : JSON.stringify(body));
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const said = await text(answer);
  const isJson = answer.headers["content-type"]?.includes("json");
  return { status: answer.statusCode ?? 0, body: isJson ? JSON.parse(said) : said };
}
