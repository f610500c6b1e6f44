import { spawn } from "node:child_process";
import { constants } from "node:os";
import { Unavailable } from "../../refusals.ts";
import type { Terminal } from "../io/terminal.ts";

/** What a command is given. */
export interface CommandInput {
  /** On stdin. */
  text: string;
  /** Besides the environment. */
  env: Readonly<Record<string, string>>;
}

/**
 * Runs a command line by the shell, with our stdout and stderr, until it has ended: its exit code, for a signal 128 more
 * than its number, as shells say it. Throws `Unavailable` without a shell.
 */
export function runCommand(
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
  command: string,
  input: CommandInput,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd,
      env: { ...env, ...input.env },
      shell: true,
      stdio: ["pipe", "inherit", "inherit"],
    });
    child.stdin.on("error", () => {}); // it need not read it all
    child.on("error", ({ message }) =>
      reject(new Unavailable(`The shell cannot be started (${message}), so nothing was run.`)),
    );
    child.on("close", (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
    child.stdin.end(input.text);
  });
}
