import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";

/** A file read past SQLite, byte by byte. */
export interface RawFile {
  /** The bytes from `from` on, at most `length` of them: fewer at the file's end. */
  read(from: number, length: number): Buffer;
  stat(): Stats;
  close(): void;
}

/** What is open, by device and inode. */
const shared = new Map<string, { fd: number; users: number; path: string }>();

/** Whether somebody in this process reads the file so by now. */
export function isOpenRaw(path: string): boolean {
  const { dev, ino } = statSync(path);
  return shared.has(`${dev}:${ino}`);
}

/** The path by which this process has the file open, which may have another one by now; undefined if it has not. */
export function openedAs(path: string): string | undefined {
  const { dev, ino } = statSync(path);
  return shared.get(`${dev}:${ino}`)?.path;
}

/**
 * The file, opened for reading. A process that closes any descriptor of a file drops every lock that it has on it, SQLite's
 * among them: so each file is opened once however many read it, and closed after the last. Source:
 * https://sqlite.org/howtocorrupt.html.
 */
export function openRaw(path: string): RawFile {
  const stat = statSync(path);
  const key = `${stat.dev}:${stat.ino}`;
  const file = shared.get(key) ?? { fd: openSync(path, "r"), users: 0, path };
  file.users++;
  shared.set(key, file);
  return {
    read: (from, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file.fd, bytes, 0, length, from));
    },
    stat: () => fstatSync(file.fd),
    close: () => {
      if (--file.users > 0) return;
      shared.delete(key);
      closeSync(file.fd);
    },
  };
}
