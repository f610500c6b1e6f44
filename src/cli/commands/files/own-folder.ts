import type { FolderWork } from "../../../files/own-folder.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { locksFolder } from "../../input/manuscript-file.ts";
import type { Call } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";

/** How long a command waits for another that works in the same folder, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Works in a folder while no other command does, and says what was brought back of one that was stopped. Throws `Unavailable`
 * if another goes on working there.
 */
export async function inOwnFolder<Result>(
  call: Call,
  manuscript: Manuscript,
  { path, ...work }: Pick<FolderWork, "who" | "isDry"> & { path: string },
  run: () => Promise<Result>,
): Promise<Result> {
  const { inFolder } = await import("../../../files/own-folder.ts");
  const asked = { ...work, locks: locksFolder(call.terminal), patienceMs: PATIENCE_MS };
  return await inFolder(manuscript, path, asked, async (recovered) => {
    for (const { file, as } of recovered) {
      const where = as === undefined ? "is in its place again" : `is kept as ${as}`;
      await talk(call.terminal, `${file}: a run was stopped while it replaced this; what it said ${where}.`);
    }
    return await run();
  });
}
