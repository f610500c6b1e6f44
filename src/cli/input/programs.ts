import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism, constants } from "node:os";
import { basename, delimiter, join } from "node:path";
import { isProgram } from "../../files/office.ts";
import { BadRequest, Unavailable } from "../../refusals.ts";
import type { ProgressStep } from "../../text/progress.ts";
import { canAsk } from "../io/ask.ts";
import type { Terminal } from "../io/terminal.ts";

/** The path of the first of these programs that is installed. */
export function findProgram({ env }: Pick<Terminal, "env">, names: readonly string[]): string | undefined {
  const folders = (env.PATH ?? "").split(delimiter).filter(Boolean);
  const ending = process.platform === "win32" ? ".exe" : "";
  return names.flatMap((name) => folders.map((folder) => join(folder, name + ending))).find(isProgram);
}

/** Waits until a program has ended, and returns its exit code or the signal. Rejects with what `refuse` makes of a failed start. */
function untilEnded(
  child: ChildProcess,
  refuse: (error: NodeJS.ErrnoException) => Error,
): Promise<number | NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(refuse(error)));
    child.on("close", (code, signal) => resolve(code ?? signal ?? 0)); // one of the two is there
  });
}

/** Editors that most machines have one of, the easiest to leave first. */
const USUAL = process.platform === "win32" ? ["notepad"] : ["sensible-editor", "editor", "nano", "vim", "vi"];

/** Option that makes an editor with its own window wait until the file is closed. */
const WAITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["code", "code-insiders", "codium", "cursor", "subl", "windsurf", "zed"].map((name) => [name, "--wait"]),
  ),
  ...{ bbedit: "--wait", mate: "--wait", gvim: "-f", mvim: "-f", gedit: "--wait", kate: "--block" },
};

/**
 * The command of the writer's editor: `$VISUAL`, else `$EDITOR`, else on a terminal one that is usual. It may hold options,
 * as a shell reads them. Throws `BadRequest`, saying what to set, if there is none.
 */
export function editorOf(terminal: Terminal): string {
  const { VISUAL, EDITOR } = terminal.env;
  const named = VISUAL?.trim() || EDITOR?.trim();
  const waits = WAITS[programName(named ?? "")];
  if (named) return waits === undefined ? named : `${named} ${waits}`;
  const found = canAsk(terminal) ? USUAL.find((name) => findProgram(terminal, [name])) : undefined;
  if (found !== undefined) return found;
  throw new BadRequest(
    'No editor is set: export VISUAL=nano, or whichever you write in, and run this again. "manuscript write CHAPTER < FILE" takes a text without one.',
  );
}

/** Name of a program without its folder, quotes and the ending that Windows gives it: "code" for `"C:\\bin\\code.cmd"`. */
function programName(command: string): string {
  return basename(command.replaceAll('"', "")).replace(/\.(?:exe|cmd)$/i, "");
}

/** Runs an editor on a file until it is closed. Throws `Unavailable` if it cannot be started, or ends with a failure. */
export async function runEditor({ env, cwd, stdout }: Terminal, editor: string, path: string): Promise<void> {
  const isWindows = process.platform === "win32";
  const [program, args] = isWindows
    ? [`${editor} "${path}"`, []]
    : ["/bin/sh", ["-c", `${editor} "$@"`, editor, path]];
  const failed = (what: string) => new Unavailable(`The editor ${editor} ${what}. Nothing was written.`);
  // Ctrl-C is for the editor, as long as there is one; this program has to be there when it ends.
  process.on("SIGINT", ignore);
  try {
    const child = spawn(program, args, {
      cwd,
      env: { ...env },
      shell: isWindows,
      stdio: ["inherit", stdout.isTTY ? "inherit" : 2, "inherit"], // stdout may be read by a program
    });
    const end = await untilEnded(child, ({ message }) => failed(`cannot be started: ${message}`));
    if (end !== 0) throw failed(`ended with ${end}`);
  } finally {
    process.off("SIGINT", ignore);
  }
}

function ignore(): void {}

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

async function runOnce(
  { command: [program = "", ...args], cwd, env }: Filter,
  input: FilterInput,
  signal: AbortSignal,
): Promise<string> {
  const child = spawn(program, args, { cwd, env: { ...env, ...input.env }, stdio: "pipe", signal });
  const out: Buffer[] = [];
  const talk: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => talk.push(chunk));
  child.stdin.on("error", () => {}); // a filter need not read it all
  child.stdin.end(input.text);
  const end = await untilEnded(child, (error) =>
    error.name === "AbortError" ? error : cannotStart(program, error),
  );
  const text = Buffer.concat(out).toString();
  const firstLine = Buffer.concat(talk).toString().trim().split(/\r?\n/)[0] ?? "";
  const fault = end !== 0 ? `ended with ${end}${firstLine && `: ${firstLine}`}` : "printed nothing";
  if (end === 0 && text.trim() !== "") return text;
  throw new Unavailable(`The filter ${program} ${fault}, given ${input.name}. Nothing was written.`);
}

function cannotStart(program: string, { code, message }: NodeJS.ErrnoException): BadRequest {
  const why = code === "ENOENT" ? "there is no such program" : (code ?? message);
  return new BadRequest(`The filter ${program} cannot be started: ${why}. Nothing was written.`);
}

/**
 * Runs a command line by the shell, with our stdout and stderr, until it has ended: its exit code, for a signal 128 more
 * than its number, as shells say it. `input` is its stdin, and what it finds besides the environment. Throws `Unavailable`
 * without a shell.
 */
export async function runCommand(
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
  command: string,
  input: Omit<FilterInput, "name">,
): Promise<number> {
  const child = spawn(command, {
    cwd,
    env: { ...env, ...input.env },
    shell: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
  child.stdin.on("error", () => {}); // it need not read it all
  child.stdin.end(input.text);
  const refuse = ({ message }: Error) =>
    new Unavailable(`The shell cannot be started (${message}), so nothing was run.`);
  const end = await untilEnded(child, refuse);
  return typeof end === "number" ? end : 128 + constants.signals[end];
}
