import { openRaw } from "../disk/raw-file.ts";
import { type Connection, connect } from "../driver.ts";
import { listFrames, readLog } from "../log.ts";
import { mendSchema, migrate } from "../migrate.ts";
import { fileMark } from "./place.ts";

// Of a file in WAL mode SQLite reads nothing unless it can write beside it.
const WRITE_VERSION = 18;
const READ_VERSION = 19;
const ROLLBACK_JOURNAL = 1;
const TRIES = 10;

/**
 * The file as it is now, with what waits in its log, read into memory: for a place where SQLite can write nothing. It is brought up
 * to date there, and strangers' triggers are taken out; the file itself is not touched. As large in memory as it is.
 */
export function openImage(path: string): Connection {
  const connection = connect(readImage(path));
  try {
    connection.pragma("trusted_schema = OFF");
    mendSchema(connection);
    migrate(connection, undefined);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** The file's bytes of one moment, its log taken in. */
function readImage(path: string): Buffer {
  const file = openRaw(path);
  try {
    for (let time = 1; ; time++) {
      const before = file.stat();
      const bytes = withLog(file.read(0, before.size), path);
      if (fileMark(before) !== fileMark(file.stat()) && time < TRIES) continue;
      bytes[WRITE_VERSION] = ROLLBACK_JOURNAL;
      bytes[READ_VERSION] = ROLLBACK_JOURNAL;
      return bytes;
    }
  } finally {
    file.close();
  }
}

function withLog(bytes: Buffer, path: string): Buffer {
  const log = readLog(path);
  const frames = log === undefined ? [] : listFrames(log, { isChecked: true });
  const last = frames.at(-1);
  if (last === undefined) return bytes;
  const pageSize = last.content.length;
  const whole = Buffer.alloc(last.pagesAfter * pageSize);
  bytes.copy(whole);
  for (const { page, content } of frames) {
    if (page <= last.pagesAfter) content.copy(whole, (page - 1) * pageSize);
  }
  return whole;
}
