import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { BadRequest, NotFound, Refusal, Unavailable } from "../../refusals.ts";
import {
  assertNotMissing,
  listMissing,
  type Manuscript,
  type Network,
  openManuscript,
  wayBack,
} from "../../service/manuscript.ts";
import { listManuscripts } from "../../service/shelf/list-manuscripts.ts";
import type { Call } from "../io/call.ts";
import { type Terminal, talk } from "../io/terminal.ts";

/** How a manuscript's file name ends. */
export const ENDING = ".manuscript";

/** The file that says which of a folder's manuscripts is meant there: one line, its path from the folder. */
const CHOICE = ".manuscript-file";

type FileCall = Pick<Call, "file" | "terminal">;

/**
 * The file that a call is about: `--file`, else `$MANUSCRIPT_FILE`, else the one manuscript in this folder or the nearest
 * above, or the one of several that was chosen there, else the one in the user's data folder. Throws `NotFound` if it is
 * not there, `BadRequest` if several are and none was chosen.
 */
export function theManuscriptFile(call: FileCall): string {
  const { terminal } = call;
  const named = namedFile(call);
  const path = named ?? nearestFile(terminal.cwd) ?? ownFile(terminal);
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  if (named !== undefined) throw missing(path);
  assertNotMissing(path);
  throw new NotFound(
    `manuscript: none in ${terminal.cwd} or above, nor at ${path}; run "manuscript init" to make one, or name it with --file`,
  );
}

/** The refusal for a manuscript that is not there, with the command that brings it back or makes it. */
export function missing(path: string, remedy = 'run "manuscript init" to make it'): NotFound {
  assertNotMissing(path);
  return new NotFound(`manuscript at ${path}; ${remedy}`);
}

/** Opens the manuscript that a call is about. */
export function openNamed(
  call: Pick<Call, "file" | "terminal">,
  how: Parameters<Call["open"]>[0] = {},
): Manuscript {
  const warn = (message: string) => void talk(call.terminal, message);
  return openManuscript(theManuscriptFile(call), { ...how, network: networkOf(call.terminal), warn });
}

/** The way to a language model: its key comes from the environment, for what is in a file or a command line is seen. */
export function networkOf({ env, fetch }: Pick<Terminal, "env" | "fetch">): Partial<Network> {
  const key = env.MANUSCRIPT_LLM_KEY?.trim();
  return { ...(key ? { key } : {}), ...(fetch === undefined ? {} : { fetch }) };
}

/** The same; undefined if no file is meant, or none that can be told. */
export function findManuscriptFile(call: FileCall): string | undefined {
  try {
    return theManuscriptFile(call);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The path with a manuscript's ending, unless it has one. */
export function withEnding(path: string): string {
  return path.endsWith(ENDING) ? path : `${path}${ENDING}`;
}

/** The file of this name, else the one whose name has the ending too, or a copy of that; the path as it is if neither is there. */
export function completed(path: string): string {
  const isThere = (name: string) =>
    statSync(name, { throwIfNoEntry: false }) !== undefined ||
    (name.endsWith(ENDING) && wayBack(name) !== undefined);
  return !isThere(path) && isThere(withEnding(path)) ? withEnding(path) : path;
}

/** Makes commands in this folder, and below it, mean this file. */
export function chooseFile(folder: string, path: string): void {
  writeFileSync(join(folder, CHOICE), `${relative(folder, path)}\n`);
}

/** Whether a file was chosen in a folder, there or not. */
export function hasChoice(folder: string): boolean {
  return statSync(join(folder, CHOICE), { throwIfNoEntry: false }) !== undefined;
}

/** The file that was chosen in a folder. Throws `NotFound` if it is there no more: another one is not what was meant. */
function chosenFile(folder: string): string | undefined {
  let line: string;
  try {
    line = readFileSync(join(folder, CHOICE), "utf8").trim();
  } catch {
    return undefined;
  }
  const path = resolve(folder, line);
  if (line !== "" && statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  assertNotMissing(path);
  throw new NotFound(
    `manuscript at ${path}, which ${join(folder, CHOICE)} names; run "manuscript use FILE" to choose another`,
  );
}

/**
 * The file that `--file` or `$MANUSCRIPT_FILE` names, with or without its ending, whether it is there or not. Throws
 * `BadRequest` for an empty name.
 */
export function namedFile({ file, terminal: { env, cwd } }: FileCall): string | undefined {
  // An unset variable of a script, which must not write into another manuscript.
  if (file === "") throw new BadRequest('--file names no file: it is "".');
  const named = file ?? env.MANUSCRIPT_FILE;
  return named === undefined || named === "" ? undefined : completed(resolve(cwd, named));
}

function nearestFile(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const chosen = chosenFile(folder);
    if (chosen !== undefined) return chosen;
    const found = readable(folder);
    if (found.length > 1) {
      const names = found.map((path) => basename(path)).join(", ");
      throw new BadRequest(
        `Several manuscripts in ${folder}: ${names}. Choose one with "manuscript use FILE", or name one with --file or in $MANUSCRIPT_FILE.`,
      );
    }
    if (found.length === 0) for (const path of listMissing(folder)) assertNotMissing(path);
    if (found.length === 1 || folder === dirname(folder)) return found[0];
  }
}

function readable(folder: string): string[] {
  try {
    return listManuscripts(folder);
  } catch {
    return []; // a folder above that this user may not list holds none of theirs
  }
}

/** The folder in which texts are kept that are being edited. Throws `Unavailable` if it cannot be written. */
export function draftsFolder(terminal: Pick<Terminal, "env">): string {
  return writableFolder(join(stateFolder(terminal), "drafts"));
}

/** The folder of the locks on folders that are being written. */
export function locksFolder(terminal: Pick<Terminal, "env">): string {
  return join(stateFolder(terminal), "locks");
}

/** The folder of what tells where each `watch` stopped. Throws `Unavailable` if it cannot be written. */
export function watchesFolder(terminal: Pick<Terminal, "env">): string {
  return writableFolder(join(stateFolder(terminal), "watches"));
}

const OWNER_ONLY = 0o700;

/** Makes a folder for this user alone, unless it is there, and returns it. Throws `Unavailable` if it cannot be written. */
export function writableFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch (error) {
    const why = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    throw new Unavailable(
      `${folder} cannot be written${why}; name another place for what is kept between runs in $XDG_STATE_HOME.`,
    );
  }
}

/** The folder that this program keeps its own state in, for this user. */
export function stateFolder(terminal: Pick<Terminal, "env">): string {
  return join(userFolder(terminal, { variable: "XDG_STATE_HOME", folder: "state" }), "manuscript");
}

/** Where a manuscript is looked for last. */
function ownFile(terminal: Pick<Terminal, "env">): string {
  const data = userFolder(terminal, { variable: "XDG_DATA_HOME", folder: "share" });
  return join(data, "manuscript", `manuscript${ENDING}`);
}

/** The user's own folder. */
export function homeFolder({ env }: Pick<Terminal, "env">): string {
  return env.HOME || process.getBuiltinModule("node:os").homedir();
}

/** A folder that programs keep their own files in, for this user. Source: XDG Base Directory. */
function userFolder(
  { env }: Pick<Terminal, "env">,
  { variable, folder }: { variable: string; folder: string },
): string {
  const home = homeFolder({ env });
  const named = env[variable];
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, "Library", "Application Support"),
    win32: env.LOCALAPPDATA ?? join(home, "AppData", "Local"),
  };
  const fallback = folders[process.platform] ?? join(home, ".local", folder);
  return named !== undefined && isAbsolute(named) ? named : fallback;
}

/**
 * The manuscript whose copies a call is about. It need not be there any more: then it is the one that is named, or the one
 * whose folder of copies is here. Throws as `theManuscriptFile` does.
 */
export function copiedFile(call: Pick<Call, "file" | "terminal">): string {
  try {
    return theManuscriptFile(call);
  } catch (error) {
    const named = namedFile(call);
    if (named !== undefined) return named;
    const [only, ...others] = listMissing(call.terminal.cwd);
    if (!(error instanceof NotFound) || only === undefined || others.length > 0) throw error;
    return only;
  }
}

/** The process that serves a manuscript, by itself or with its folder, 0 if it is not known which; undefined if none does. */
export async function serverOf(path: string): Promise<number | undefined> {
  const { servedBy } = await import("../../store/file/open.ts");
  return servedBy(path) ?? (await folderServerOf(path))?.pid;
}

/** The server of the folder that a manuscript lies in; undefined if there is none. */
export async function folderServerOf(path: string): Promise<{ pid: number; url?: string } | undefined> {
  const { folderServer } = await import("../../service/shelf/lock-folder.ts");
  return folderServer(dirname(path));
}
