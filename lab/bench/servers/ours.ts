import { type ChildProcess, spawn } from "node:child_process";
import { firstSaid } from "../../../test/support/first-said.ts";
import { PROGRAM } from "../../../test/support/program.ts";

/** Starts `serve` on one file as users do, but for its talk and its copies, and waits until it listens. */
export async function startOurs(
  file: string,
  flags: readonly string[] = [],
): Promise<{ child: ChildProcess; port: number }> {
  const argv = [PROGRAM, "serve", file, "--port", "0", "--quiet", "--no-backups", ...flags];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "ignore"] });
  const said = await firstSaid(child);
  return { child, port: Number(new URL(said.trim()).port) };
}
