import type { Manuscript } from "../../service/manuscript.ts";
import { booksToWarm } from "../../service/warm-books.ts";
import type { Finished, NamedFile } from "./asked.ts";
import { type Job, Lane, type LaneRoom } from "./lane.ts";

/** What a helper does: searching, so that a question waits for questions alone, or everything else that is dear. */
export type Work = "search" | "other";

/** An index is kept as values, a long chapter is written as pages. */
const ROOM: Readonly<Record<Work, LaneRoom>> = {
  search: { heapMib: 2048, cacheMib: 8 },
  other: { heapMib: 1024, cacheMib: 32 },
};

/** The processes beside a server that do what would hold up everybody else. */
export interface Helpers {
  /** The answer to a request. Throws what the helper told, and `Unavailable` if it ended. */
  ask(work: Work, manuscript: Manuscript, job: Omit<Job, "file">): Promise<Finished>;
  /** Has the search indexes of these manuscripts built ahead of the first question. */
  warm(manuscripts: readonly Manuscript[]): void;
  /** Has a file closed that the server itself has closed. */
  closeFile(path: string): void;
  /** Ends them at once; what comes next starts others. */
  renew(): Promise<void>;
  /** Ends them all. */
  close(): Promise<void>;
}

/** Helpers that start when they are first needed. */
export function createHelpers(room = ROOM): Helpers {
  const lanes: Readonly<Record<Work, Lane>> = {
    search: new Lane(room.search),
    other: new Lane(room.other),
  };
  return {
    ask: (work, manuscript, job) => lanes[work].ask({ ...job, file: nameOf(manuscript) }),
    warm: (manuscripts) => {
      if (hasToWarm(manuscripts)) lanes.search.warm(manuscripts.map(nameOf));
    },
    closeFile: (path) => {
      for (const lane of Object.values(lanes)) lane.closeFile(path);
    },
    renew: async () => {
      await Promise.all(Object.values(lanes).map((lane) => lane.renew()));
    },
    close: async () => {
      await Promise.all(Object.values(lanes).map((lane) => lane.close()));
    },
  };
}

/** A process for nothing would take 80 MB. A file that cannot be read will tell so to whoever asks. */
function hasToWarm(manuscripts: readonly Manuscript[]): boolean {
  try {
    return booksToWarm(manuscripts).length > 0;
  } catch {
    return false;
  }
}

function nameOf({ store, writer, network }: Manuscript): NamedFile {
  return { path: store.path, writer, networkKey: network.key };
}
