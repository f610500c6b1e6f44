import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { family } from "../../test/support/family.ts";
import type { Around } from "./served.ts";
import type { Turns } from "./turns.ts";

/** What loads the monitor into a process. */
export const MONITORED = [
  ...["--import", import.meta.resolve("tsx"), "--import", join(import.meta.dirname, "turns.ts")],
];

/** A server whose turns are told in this folder. */
export function monitoredIn(folder: string): Required<Pick<Around, "env" | "node">> {
  return { env: { MANUSCRIPT_TURNS: folder }, node: MONITORED };
}

/**
 * The longest turn of this server's loop, and the longest that it or any monitored program beside it, ended or not, has held the
 * file, since this was last asked; both in milliseconds of the thread's CPU time.
 */
export async function turnsOf(pid: number, folder: string): Promise<Omit<Turns, "pid">> {
  for (const one of family(pid)) process.kill(one, "SIGUSR2");
  await wait(300);
  const files = readdirSync(folder).filter((name) => name.endsWith(".turns"));
  const told = files.map((name): Turns => {
    const turns = JSON.parse(readFileSync(join(folder, name), "utf8"));
    rmSync(join(folder, name));
    return turns;
  });
  return {
    turnMs: Math.max(0, ...told.map(({ pid: whose, turnMs }) => (whose === pid ? turnMs : 0))),
    heldMs: Math.max(0, ...told.map(({ heldMs }) => heldMs)),
  };
}
