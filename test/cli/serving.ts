import { PassThrough, Readable } from "node:stream";
import type { TestContext } from "node:test";
import { run } from "../../src/cli/run.ts";

/** A server started by its command: what it said on stdout once it listened, and its end. */
export async function serving(t: Pick<TestContext, "after">, cwd: string, ...argv: readonly string[]) {
  return await started(t, cwd, ["serve", "--port", "0", ...argv]);
}

/** The same for any command that serves. */
export async function started(
  t: Pick<TestContext, "after">,
  cwd: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const stop = new AbortController();
  const stdout = new PassThrough();
  const talk: Buffer[] = [];
  const stderr = new PassThrough().on("data", (chunk: Buffer) => talk.push(chunk));
  const ended = run(argv, {
    stdout,
    stderr,
    stdin: Readable.from([]),
    env,
    cwd,
    stop: stop.signal,
  });
  t.after(() => stop.abort());
  const first = new Promise<string>((resolve) =>
    stdout.once("data", (chunk: Buffer) => resolve(String(chunk))),
  );
  const said = await Promise.race([
    first,
    ended.then((exit) => Promise.reject(new Error(`exit ${exit}: ${talk.join("")}`))),
  ]);
  return {
    said,
    /** What is said on stderr, once it holds this. */
    async talk(pattern: RegExp) {
      while (!pattern.test(talk.join(""))) await new Promise((resolve) => stderr.once("data", resolve));
      return talk.join("");
    },
    async close() {
      stop.abort();
      return await ended;
    },
  };
}
