import { lockFile } from "../../store/file/open.ts";
import { type Manuscript, openManuscript, type Surroundings } from "../manuscript.ts";

/** A manuscript that this server alone serves. */
export interface Locked {
  path: string;
  manuscript: Manuscript;
  close(): void;
}

/** How long after the last write the file is made whole by itself, in milliseconds. */
const IDLE_CHECKPOINT_MS = 1000;
/** What a server keeps of a file's pages; what is written at length is written by a helper. */
const CACHE_MIB = 8;

/**
 * Locks a manuscript and opens it as a server does: no wait ever blocks the event loop. Throws `Unavailable` if another server
 * has it.
 */
export function openLocked(path: string, surroundings: Surroundings): Locked {
  const unlock = lockFile(path);
  try {
    const manuscript = openManuscript(path, {
      cacheMib: CACHE_MIB,
      ...surroundings,
      busyTimeoutMs: 0,
      idleCheckpointMs: IDLE_CHECKPOINT_MS,
    });
    const close = () => {
      manuscript.close();
      unlock();
    };
    return { path, manuscript, close };
  } catch (error) {
    unlock();
    throw error;
  }
}
