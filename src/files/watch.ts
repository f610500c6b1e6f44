import { basename } from "node:path";
import type { FSWatcher } from "chokidar";
import { statLink } from "./disk/text-file.ts";

// Milliseconds within which events count as one change: an editor's save is several.
const QUIET_MS = 60;
const POLL_MS = 500;

/** Input of a watch besides the folder's files. */
export interface Watched {
  folder: string;
  /** Number that changes with the manuscript. Read twice a second. */
  version: () => number;
}

/**
 * Calls `changed` once now and after every change of the folder's files or the manuscript, never twice at a time,
 * until `stopped` or until it throws. Changes made by `changed` itself do not count, nor do hidden files and editors'
 * temporary ones. Source: docs/decisions/017-watching-files.md.
 */
export async function watchFolder(
  { folder, version }: Watched,
  changed: () => Promise<void>,
  stopped: Promise<void>,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let seen = -1;
  let running = Promise.resolve();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const run = () => {
    running = running
      .then(async () => {
        seen = version(); // before: a write of another program meanwhile is a change
        await changed();
      })
      .catch(fail);
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(run, QUIET_MS);
  };
  const open = async () => (await openWatcher(folder)).on("all", soon).on("error", fail);
  let watcher = await open();
  const again = async () => {
    await watcher.close();
    watcher = await open();
    soon();
  };
  let isGone = false;
  const poll = setInterval(() => {
    const wasGone = isGone;
    isGone = statLink(folder) === undefined;
    if (wasGone && !isGone)
      again().catch(fail); // what comes back, as a disk does, is not the folder that was watched
    else if (seen >= 0 && version() !== seen) soon();
  }, POLL_MS);
  run();
  try {
    await Promise.race([stopped, failed]);
  } finally {
    clearInterval(poll);
    clearTimeout(timer);
    await watcher.close();
    await running;
  }
}

/** True for hidden files, editors' temporary ones, and conflict files that an import leaves. */
function isPassing(path: string): boolean {
  const name = basename(path);
  return /^[.#~]|~$|\.(?:tmp|swp|swx|bak|part)$|\.conflict(?:\.\d+)?\.md$|^4913$/i.test(name);
}

async function openWatcher(folder: string): Promise<FSWatcher> {
  const { watch } = await import("chokidar");
  const watcher = watch(folder, {
    ignoreInitial: true,
    followSymlinks: false, // one may lead out of the folder, or in a circle
    ignored: (path) => path !== folder && isPassing(path),
  });
  return new Promise((resolve, reject) => {
    watcher.once("ready", () => resolve(watcher));
    watcher.once("error", reject);
  });
}
