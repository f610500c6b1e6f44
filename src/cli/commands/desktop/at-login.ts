import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Unavailable } from "../../../refusals.ts";
import type { Terminal } from "../../io/terminal.ts";
import { type LoginEntry, loginEntry } from "./login-entry.ts";

type Surroundings = Pick<Terminal, "env">;

/** Whether a server starts at login, and whether it runs. */
export interface AtLogin {
  /** The file that says what is started. */
  entry: string;
  isInstalled: boolean;
  isRunning: boolean;
}

/** Returns whether a server starts at login. */
export function readAtLogin(terminal: Surroundings): AtLogin {
  const { path, status } = loginEntry(terminal, []);
  const isInstalled = existsSync(path);
  return { entry: path, isInstalled, isRunning: isInstalled && ran(terminal, status) === undefined };
}

/** Starts a server of these files now and at every login. Throws `Unavailable` where the system has no way to. */
export function startAtLogin(terminal: Surroundings, files: readonly string[]): AtLogin {
  const [, program = ""] = process.argv;
  const argv = [process.execPath, program, "serve", "--quiet", ...files];
  const entry = loginEntry(terminal, argv);
  mkdirSync(dirname(entry.path), { recursive: true });
  writeFileSync(entry.path, entry.content);
  const fault = firstFault(terminal, entry.start);
  if (fault === undefined) return readAtLogin(terminal);
  forget(terminal, entry);
  throw new Unavailable(
    `Nothing starts at login: ${fault}. Have your desktop start "${argv.slice(1).join(" ")}" with ${process.execPath} by its own means.`,
  );
}

/** Stops that server, and has none start any more. */
export function stopAtLogin(terminal: Surroundings): AtLogin {
  const entry = loginEntry(terminal, []);
  if (existsSync(entry.path)) forget(terminal, entry);
  return readAtLogin(terminal);
}

function forget(terminal: Surroundings, { path, stop }: LoginEntry): void {
  for (const command of stop) ran(terminal, command); // it may not run
  rmSync(path, { force: true });
}

function firstFault(terminal: Surroundings, commands: LoginEntry["start"]): string | undefined {
  for (const command of commands) {
    const fault = ran(terminal, command);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Runs a command of the system; returns why it failed, undefined if it did not. */
function ran({ env }: Surroundings, [program, ...words]: LoginEntry["status"]): string | undefined {
  const { error, status, stderr } = spawnSync(program, words, { env: { ...env }, encoding: "utf8" });
  if (error !== undefined) return `${program} cannot be started (${error.message})`;
  return status === 0 ? undefined : `${program} says: ${stderr.trim() || `it ended with ${status}`}`;
}
