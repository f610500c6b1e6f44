import { realpathSync, statSync } from "node:fs";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Surroundings } from "../../service/manuscript.ts";
import type { Locked } from "../../service/shelf/open-locked.ts";
import type { Call } from "../io/call.ts";
import { placeOf } from "./arguments.ts";
import { completed, listManuscripts, theManuscriptFile } from "./manuscript-file.ts";

/** What a server is to serve, each once and with its links resolved. */
export interface ToServe {
  /** Opened at the start, and open until the end. */
  files: string[];
  /** Folders, all of whose manuscripts are opened when they are asked for. */
  folders: string[];
  /** The files that are opened so: those that are in the folders now, and others. */
  lazy: string[];
}

/**
 * The files and folders that a server is to serve; with `isLazy` no file is opened before it is asked for. Throws `NotFound` for
 * what is not there, and for a folder without a manuscript.
 */
export function servedPlaces(call: Call, names: readonly string[], isLazy = false): ToServe {
  const paths = names.length === 0 ? [theManuscriptFile(call)] : names.map((name) => placeNamed(call, name));
  const places = [...new Set(paths.map((path) => realpathSync(path)))];
  const folders = places.filter((path) => statSync(path).isDirectory());
  const named = places.filter((path) => !folders.includes(path));
  const within = folders.flatMap((folder) => {
    const found = listManuscripts(folder);
    if (found.length === 0) throw missing(folder);
    return found;
  });
  if (isLazy) return { files: [], folders, lazy: [...new Set([...within, ...named])] };
  return { files: named, folders, lazy: within.filter((path) => !named.includes(path)) };
}

function placeNamed(call: Call, name: string): string {
  const path = completed(placeOf(call, name, "A file"));
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw missing(path);
  return path;
}

function missing(path: string): NotFound {
  return new NotFound(`manuscript at ${path}; run "manuscript init" to make one`);
}

/**
 * Locks a manuscript and opens it as a server does. Throws `Unavailable` if another server has it, and `BadRequest` for a copy
 * of one that is served here: a key could not tell them apart.
 */
export async function openServed(
  path: string,
  others: readonly Locked[],
  options: Pick<Surroundings, "create" | "network" | "warn">,
): Promise<Locked> {
  const { openLocked } = await import("../../service/shelf/open-locked.ts");
  const served = openLocked(path, options);
  const twin = others.find(({ manuscript: { writer } }) => writer === served.manuscript.writer);
  if (twin === undefined) return served;
  served.close();
  throw new BadRequest(
    `${path} and ${twin.path} are copies of one manuscript, with the same keys; serve one of them.`,
  );
}
