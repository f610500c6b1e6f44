import { realpathSync, statSync } from "node:fs";
import { BadRequest, NotFound } from "../../refusals.ts";
import { type Manuscript, openManuscript, type Surroundings } from "../../service/manuscript.ts";
import type { Call } from "../io/call.ts";
import { placeOf } from "./arguments.ts";
import { completed, listManuscripts, theManuscriptFile } from "./manuscript-file.ts";

/** A manuscript that this server alone serves. */
export interface Served {
  path: string;
  manuscript: Manuscript;
  close(): void;
}

/** How long after the last write the file is made whole by itself, in milliseconds. */
const IDLE_CHECKPOINT_MS = 1000;

/** The manuscripts that a server is to serve, each once; a folder means all in it. Throws `NotFound`. */
export function servedFiles(call: Call, names: readonly string[]): string[] {
  if (names.length === 0) return [realpathSync(theManuscriptFile(call))];
  const paths = names.flatMap((name) => {
    const path = completed(placeOf(call, name, "A file"));
    const stat = statSync(path, { throwIfNoEntry: false });
    const found = stat?.isDirectory() ? listManuscripts(path) : stat === undefined ? [] : [path];
    if (found.length === 0) throw new NotFound(`manuscript at ${path}; run "manuscript init" to make one`);
    return found;
  });
  return [...new Set(paths.map((path) => realpathSync(path)))];
}

/** What is written at length is written by a helper. */
const CACHE_MIB = 8;

/**
 * Locks a manuscript and opens it as a server does: no wait ever blocks the event loop. Throws `Unavailable` if
 * another server has it, and `BadRequest` for a copy of one that is served here: a key could not tell them apart.
 */
export async function openServed(
  path: string,
  others: readonly Served[],
  options: Pick<Surroundings, "create" | "network" | "warn">,
): Promise<Served> {
  const { lockFile } = await import("../../store/file/open.ts");
  const unlock = lockFile(path);
  try {
    const manuscript = openManuscript(path, {
      ...options,
      busyTimeoutMs: 0,
      idleCheckpointMs: IDLE_CHECKPOINT_MS,
      cacheMib: CACHE_MIB,
    });
    const twin = others.find(({ manuscript: { writer } }) => writer === manuscript.writer);
    const close = () => {
      manuscript.close();
      unlock();
    };
    if (twin === undefined) return { path, manuscript, close };
    manuscript.close();
    throw new BadRequest(
      `${path} and ${twin.path} are copies of one manuscript, with the same keys; serve one of them.`,
    );
  } catch (error) {
    unlock();
    throw error;
  }
}
