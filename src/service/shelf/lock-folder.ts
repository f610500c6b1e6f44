import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockFile, servedBy } from "../../store/file/open.ts";
import type { ServedAt } from "../account/sign-in.ts";

/** A name that no manuscript has: what stands beside it is the folder's. */
const FOLDER = ".folder";
const ADDRESS = ".folder-served";

/** A folder that one server alone serves. */
export interface LockedFolder {
  /** Writes down where, for commands of this user. */
  announce(url: string): void;
  unlock(): void;
}

/** Takes the server's lock on a folder of manuscripts. Throws `Unavailable` if another server has it. */
export function lockServedFolder(folder: string): LockedFolder {
  const unlock = lockFile(join(folder, FOLDER), folder);
  const address = join(folder, ADDRESS);
  return {
    announce: (url) => {
      try {
        writeFileSync(address, JSON.stringify({ url, pid: process.pid } satisfies ServedAt), { mode: 0o600 });
      } catch {
        // nothing can be written there: commands will not find this server
      }
    },
    unlock: () => {
      rmSync(address, { force: true });
      unlock();
    },
  };
}

/** Where a folder is served; undefined if it is not. A server that has just taken its lock may not have said where yet. */
export function folderServer(folder: string): (Pick<ServedAt, "pid"> & Partial<ServedAt>) | undefined {
  const pid = servedBy(join(folder, FOLDER));
  if (pid === undefined) return undefined;
  try {
    const said = JSON.parse(readFileSync(join(folder, ADDRESS), "utf8")) as ServedAt;
    return said.pid === pid ? said : { pid };
  } catch {
    return { pid };
  }
}
