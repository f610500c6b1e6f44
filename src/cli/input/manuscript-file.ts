import { readdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Call } from "../io/call.ts";
import type { Terminal } from "../io/terminal.ts";

/** How a manuscript's file name ends. */
export const ENDING = ".manuscript";

type FileCall = Pick<Call, "file" | "terminal">;

/**
 * The file that a call is about: `--file`, else `$MANUSCRIPT_FILE`, else the one manuscript in this folder or the nearest
 * above, else the one in the user's data folder. Throws `NotFound` if it is not there, `BadRequest` if several are.
 */
export function theManuscriptFile(call: FileCall): string {
  const { terminal } = call;
  const named = namedFile(call);
  const path = named ?? nearestFile(terminal.cwd) ?? ownFile(terminal);
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  throw new NotFound(
    named === undefined
      ? `manuscript: none in ${terminal.cwd} or above, nor at ${path}; run "manuscript init" to make one, or name it with --file`
      : `manuscript at ${path}; run "manuscript init" to make it`,
  );
}

/** The file that `--file` or `$MANUSCRIPT_FILE` names, whether it is there or not. Throws `BadRequest` for an empty name. */
export function namedFile({ file, terminal: { env, cwd } }: FileCall): string | undefined {
  // An unset variable of a script, which must not write into another manuscript.
  if (file === "") throw new BadRequest('--file names no file: it is "".');
  const named = file ?? env.MANUSCRIPT_FILE;
  return named === undefined || named === "" ? undefined : resolve(cwd, named);
}

/** The manuscripts in a folder, by name; hidden ones apart. */
export function listManuscripts(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING) && !name.startsWith("."))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .sort();
}

function nearestFile(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = readable(folder);
    if (found.length > 1) {
      throw new BadRequest(
        `Several manuscripts in ${folder}; name one with --file, or in $MANUSCRIPT_FILE: ${found.join(", ")}.`,
      );
    }
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

/** Where a manuscript is looked for last. Source: XDG Base Directory. */
function ownFile({ env }: Terminal): string {
  const home = env.HOME || process.getBuiltinModule("node:os").homedir();
  const xdg = env.XDG_DATA_HOME;
  const folders: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, "Library", "Application Support"),
    win32: env.LOCALAPPDATA ?? join(home, "AppData", "Local"),
  };
  const fallback = folders[process.platform] ?? join(home, ".local", "share");
  return join(xdg !== undefined && isAbsolute(xdg) ? xdg : fallback, "manuscript", `manuscript${ENDING}`);
}
