import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { EXIT, PROBLEMS } from "../../../contract/problems.ts";
import { BadRequest, NotFound } from "../../../refusals.ts";
import type { Call } from "../../io/call.ts";
import { print, readInput, type Terminal, talk, untilStopped } from "../../io/terminal.ts";
import { tellFallback, tellPartial } from "../../output/report.ts";
import type { ROWS } from "../../rows/access.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** Calls an endpoint through the very app that `serve` runs, without a server or a key, and prints its body, a stream until stopped. */
export const COMMANDS: CommandsOf<typeof ROWS, "api"> = {
  api: async (call, { method, path, input, header: lines = [] }) => {
    const { terminal } = call;
    const body = input === undefined ? undefined : await readBody(terminal, input);
    const headers = { ...typeOf(body), ...Object.fromEntries(lines.map(headerOf)) };
    const request = { method: method.toUpperCase(), path, headers, ...(body === undefined ? {} : { body }) };
    const manuscript = await call.open();
    const { callOnce } = await import("../../../http/server.ts");
    const answer = await callOnce(manuscript, request, (events) => printEvents(terminal, events));
    const isJson = answer.headers["content-type"]?.startsWith("application/json") ?? false;
    await print(terminal, answer.body);
    if (isJson) await print(terminal, "\n");
    if (answer.status >= 400) await tell(call, answer.body);
    const [, how, reason] = /;\s*(fallback|partial)=(\S+)/.exec(answer.headers["x-ai-engine"] ?? "") ?? [];
    if (reason !== undefined)
      await talk(terminal, how === "partial" ? tellPartial(reason) : tellFallback(reason));
  },
};

/** Prints what comes until it ends, nobody reads it, or the user stops it. */
function printEvents(terminal: Terminal, events: Readable): Promise<void> {
  void untilStopped(terminal).then(() => events.destroy());
  return new Promise((resolve) => {
    events.on("data", (chunk: Buffer) =>
      print(terminal, chunk).then((isTaken) => isTaken || events.destroy()),
    );
    events.once("close", resolve);
  });
}

/** Says on stderr what an error body says, and sets the exit code that its error has. */
async function tell(call: Call, body: Buffer): Promise<void> {
  const { error, message } = JSON.parse(body.toString()) as { error: string; message: string };
  call.fail(error in PROBLEMS ? PROBLEMS[error as keyof typeof PROBLEMS].exit : EXIT.failed);
  if (!call.json) await talk(call.terminal, `manuscript: ${message}`);
}

async function readBody(terminal: Terminal, input: string): Promise<Buffer> {
  if (input === "-") return await readInput(terminal);
  const path = resolve(terminal.cwd, input);
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new NotFound(`file: ${path}`);
    throw error;
  }
}

/** A body that begins as an object is JSON, any other Markdown; a header says otherwise. */
function typeOf(body: Buffer | undefined): Record<string, string> {
  if (body === undefined) return {};
  const isJson = /^\s*\{/.test(body.toString("latin1", 0, 1000));
  return { "content-type": isJson ? "application/json" : "text/markdown" };
}

function headerOf(line: string): [string, string] {
  const split = line.indexOf(":");
  const name = line.slice(0, split).trim().toLowerCase();
  if (split < 1 || !/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
    throw new BadRequest(`A header is "Name: value", got "${line}".`);
  }
  return [name, line.slice(split + 1).trim()];
}
