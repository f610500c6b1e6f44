import { closeSync, fsyncSync, openSync, renameSync, statSync } from "node:fs";

/** Waits until the bytes of a file are on the disk. It is opened for writing: Windows syncs nothing that is open for reading alone. */
export function fsyncFile(path: string): void {
  fsyncOpened(path, "r+");
}

/** Error codes of systems that sync folders by themselves or not at all; that of Windows is EPERM. */
const NO_SYNC = /^(EINVAL|EPERM|EACCES|EISDIR|ENOTSUP)$/;

/** Makes the names in a folder last through a power cut, where the system can. */
export function fsyncFolder(path: string): void {
  try {
    fsyncOpened(path, "r");
  } catch (error) {
    if (!NO_SYNC.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function fsyncOpened(path: string, flag: "r" | "r+"): void {
  const opened = openSync(path, flag);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/**
 * Tells a file or folder from every other, by whatever path; undefined if there is none. Exact: Windows numbers files beyond 2^53,
 * where two that were made together have one number in floating point.
 */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.dev}:${stat.ino}`;
}

/** Pauses between tries, in milliseconds: a virus scanner has a new file open for less than their sum. */
const PAUSES_MS = [10, 20, 50, 100, 200, 400];
/** Codes of Windows for a file that another program has open. */
const IN_USE = /^(EBUSY|EPERM|EACCES)$/;

/** The system that a rename is made on. */
interface RenamingSystem {
  platform: NodeJS.Platform;
  rename: (from: string, to: string) => void;
  pause: (ms: number) => void;
}

const OWN: RenamingSystem = {
  platform: process.platform,
  rename: renameSync,
  pause,
};

/** Holds this thread for so long, in milliseconds: for what other programs will have done by then. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Renames a file. Windows refuses while another program has it open, or the file that stands there, as scanners and indexers have
 * for a moment: there it is tried again, for 0.8 s at most. Throws the system's error.
 */
export function renameFile(
  from: string,
  to: string,
  { platform, rename, pause }: RenamingSystem = OWN,
): void {
  for (const ms of platform === "win32" ? PAUSES_MS : []) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!IN_USE.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
      pause(ms);
    }
  }
  rename(from, to);
}
