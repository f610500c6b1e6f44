import { watch } from "node:fs";

/**
 * A commit is seen only once its pages are synced, which the system does not tell of: after each change of the log it is
 * looked for at these moments, each a quarter later than the one before.
 */
const FIRST_MS = 1;
const STEP_MS = 5;
const LATER = 1.25;
const LAST_MS = 1000;
/** Where the system tells of no change, this alone finds it. */
const POLL_MS = 1000;
/** Where it tells of changes, this finds what it may not tell of, as on a disk of another machine, and a file that was replaced. */
const SELDOM_MS = 3000;

/**
 * Calls `look` soon after any program has written to the log of the file at this path, and every three seconds besides, every
 * second where the system tells of nothing. Returns what ends it; until then the process lives.
 */
export function watchLog(path: string, look: () => void): () => void {
  let elapsedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    look();
    const momentMs = Math.max(elapsedMs + STEP_MS, elapsedMs * LATER);
    timer = momentMs > LAST_MS ? undefined : setTimeout(next, momentMs - elapsedMs);
    elapsedMs = momentMs;
  };
  const changed = () => {
    if (timer !== undefined && elapsedMs === FIRST_MS) return;
    clearTimeout(timer);
    elapsedMs = FIRST_MS;
    timer = setTimeout(next, FIRST_MS);
  };
  let poll = setInterval(look, SELDOM_MS);
  const alone = () => {
    clearInterval(poll);
    poll = setInterval(look, POLL_MS);
  };
  const unwatch = watchFile(`${path}-wal`, changed, alone);
  return () => {
    unwatch();
    clearInterval(poll);
    clearTimeout(timer);
  };
}

/** What the system tells of a file; `alone` is called if it cannot, or can no more. */
function watchFile(path: string, changed: () => void, alone: () => void): () => void {
  try {
    const watcher = watch(path, { persistent: false }, changed);
    watcher.on("error", () => {
      watcher.close();
      alone();
    });
    return () => watcher.close();
  } catch {
    alone(); // too many watched files, or no such file
    return () => {};
  }
}
