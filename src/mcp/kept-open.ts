import { Unavailable } from "../refusals.ts";
import { type Manuscript, openManuscript, type Surroundings } from "../service/manuscript.ts";

/** How long after the last write the file is made whole by itself, in milliseconds. */
const IDLE_CHECKPOINT_MS = 1000;

/** A file that is worked on for long, whatever becomes of it meanwhile. */
export interface KeptOpen {
  /** The manuscript as it stands at its path now. Throws refusals, and looks again the next time. */
  current: () => Manuscript;
  close: () => void;
}

/** Keeps a manuscript open: one that was moved away or replaced is let go of, and what stands there now is opened. */
export function keepOpen(path: string, surroundings: Surroundings = {}): KeptOpen {
  let opened: Manuscript | undefined;
  let isOver = false;
  const close = () => {
    opened?.close();
    opened = undefined;
  };
  const current = () => {
    if (isOver) throw new Unavailable("The program is ending; nothing was written.");
    try {
      opened?.store.assertInPlace();
    } catch {
      close();
    }
    opened ??= openManuscript(path, { idleCheckpointMs: IDLE_CHECKPOINT_MS, ...surroundings });
    return opened;
  };
  return {
    current,
    close: () => {
      isOver = true;
      close();
    },
  };
}
