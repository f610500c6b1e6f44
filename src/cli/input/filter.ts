import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { BadRequest, Unavailable } from "../../refusals.ts";
import type { ProgressStep } from "../io/terminal.ts";

/** A program that reads text on stdin and writes text on stdout. */
export interface Filter {
  command: readonly string[];
  cwd: string;
  /** The environment, as it is. */
  env: Readonly<Record<string, string | undefined>>;
}

/** A text for a filter; `name` is what messages call it, `env` what the filter is told of it. */
export interface FilterInput {
  name: string;
  text: string;
  env: Readonly<Record<string, string>>;
}

/**
 * What a filter makes of each text, in order; as many run at once as there are cores. Throws at the first that fails or
 * prints nothing, with none running any more: `BadRequest` for a program that cannot be started, else `Unavailable`.
 */
export async function runFilter(
  filter: Filter,
  inputs: readonly FilterInput[],
  step: ProgressStep = () => {},
): Promise<string[]> {
  const outputs: string[] = new Array(inputs.length);
  const stop = new AbortController();
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let at = next++; at < inputs.length && !stop.signal.aborted; at = next++) {
      outputs[at] = await runOnce(filter, inputs[at]!, stop.signal); // at < inputs.length
      step(++done, inputs.length);
    }
  };
  const workers = Array.from({ length: Math.min(availableParallelism(), inputs.length) }, work);
  try {
    await Promise.all(workers);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(workers);
    throw error;
  }
  return outputs;
}

function runOnce(
  { command: [program = "", ...args], cwd, env }: Filter,
  input: FilterInput,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...env, ...input.env },
      stdio: ["pipe", "pipe", "pipe"],
      signal,
    });
    const out: Buffer[] = [];
    const talk: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => talk.push(chunk));
    child.stdin.on("error", () => {}); // a filter need not read it all
    child.on("error", (error: NodeJS.ErrnoException) => {
      reject(error.name === "AbortError" ? error : cannotStart(program, error));
    });
    child.on("close", (code, killed) => {
      const text = Buffer.concat(out).toString();
      const firstLine = Buffer.concat(talk).toString().trim().split("\n")[0] ?? "";
      if (code !== 0)
        reject(
          failed(program, input, `ended with ${code ?? killed}${firstLine === "" ? "" : `: ${firstLine}`}`),
        );
      else if (text.trim() === "") reject(failed(program, input, "printed nothing"));
      else resolve(text);
    });
    child.stdin.end(input.text);
  });
}

function cannotStart(program: string, { code, message }: NodeJS.ErrnoException): BadRequest {
  const why = code === "ENOENT" ? "there is no such program" : (code ?? message);
  return new BadRequest(`The filter ${program} cannot be started: ${why}. Nothing was written.`);
}

function failed(program: string, { name }: FilterInput, what: string): Unavailable {
  return new Unavailable(`The filter ${program} ${what}, given ${name}. Nothing was written.`);
}
