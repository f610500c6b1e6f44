import { createHash } from "node:crypto";
import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { identityOf } from "../disk.ts";
import { Unavailable } from "../refusals.ts";
import { type Connection, connect, isBusy } from "./file/driver.ts";

/** A folder that is to be one run's alone. */
export interface LockedFolder {
  /** Links resolved; it may not be there yet. */
  folder: string;
  /** A folder for the locks, this user's, where the system has none: nothing is left in the writer's own. */
  locks: string;
  /** Who takes it, for whoever waits in vain. */
  who: string;
  /** How long another run is waited for, in milliseconds. */
  patienceMs: number;
}

const POLL_MS = 50;

/**
 * Takes a folder's lock, by its path and by the folder itself, which may have two; returns what releases it. The kernel does
 * so too when the process ends, however it ends: each is SQLite's own exclusive lock on an empty file. Throws
 * `Unavailable`, naming the run that has the folder.
 */
export async function lockFolder({ folder, locks, who, patienceMs }: LockedFolder): Promise<() => void> {
  const names = [folder, ...identitiesOf(folder)];
  const place = placeOf(locks);
  const held: Connection[] = [];
  const release = () => {
    for (const connection of held.splice(0)) connection.close();
  };
  const until = performance.now() + patienceMs;
  try {
    for (const name of names) {
      const path = join(place, createHash("sha256").update(name).digest("hex").slice(0, 24));
      for (;;) {
        const connection = take(`${path}.lock`);
        if (connection !== undefined) {
          held.push(connection);
          writeFileSync(`${path}.by`, `${who}, process ${process.pid}`, { mode: 0o600 });
          break;
        }
        if (performance.now() >= until) throw new Unavailable(inUse(folder, `${path}.by`));
        await wait(POLL_MS);
      }
    }
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * The folder of the locks: the system's for what passes with a session, or, where that is somebody else's, one of this user's
 * own.
 */
function placeOf(others: string): string {
  const uid = process.getuid?.() ?? -1;
  const place = join(process.env.XDG_RUNTIME_DIR || tmpdir(), `manuscript-${uid}`);
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const stat = lstatSync(place);
    const isOwn = uid < 0 || (stat.uid === uid && (stat.mode & 0o022) === 0);
    if (stat.isDirectory() && isOwn) return place;
  } catch {
    // there is none, or nothing may be written there
  }
  mkdirSync(others, { recursive: true, mode: 0o700 });
  return others;
}

/** What tells a folder whatever its path; nothing for one that is not there, or cannot be. */
function identitiesOf(folder: string): string[] {
  try {
    return [identityOf(folder)].flatMap((identity) => identity ?? []);
  } catch {
    return [];
  }
}

/** An exclusive lock on a file; undefined if another has it. */
function take(path: string): Connection | undefined {
  closeSync(openSync(path, "a", 0o600));
  const connection = connect(path, { timeout: 0 });
  try {
    connection.exec("BEGIN EXCLUSIVE");
    return connection;
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function inUse(folder: string, by: string): string {
  let who = "another run";
  try {
    who = readFileSync(by, "utf8");
  } catch {
    // it has only just taken the lock
  }
  return `${folder} is in use by ${who}. Nothing was done; run this again when that has ended, or stop it.`;
}
