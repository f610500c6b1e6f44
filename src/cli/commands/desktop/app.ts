import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { NotFound, Unavailable } from "../../../refusals.ts";
import { cloudOf, freePlace, moveOut } from "../../../service/backups/move-out.ts";
import { assertNotMissing, openManuscript } from "../../../service/manuscript.ts";
import type { Windows } from "../../../service/shelf/windows.ts";
import { placeOf } from "../../input/arguments.ts";
import { completed, homeFolder, serverOf } from "../../input/manuscript-file.ts";
import {
  copiesFolderOf,
  documentsFolder,
  firstFile,
  recentFiles,
  rememberFile,
} from "../../input/recent-files.ts";
import type { Call } from "../../io/call.ts";
import type { Terminal } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/desktop.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import { showMessage } from "../files/browser.ts";
import { showServed } from "../files/open.ts";
import { serveUntilStopped } from "../files/serve.ts";

/** Opens a manuscript as a desktop program does. Whatever goes wrong is shown in a window too: there may be no terminal. */
export const COMMANDS: CommandsOf<typeof ROWS, "app"> = {
  app: async (call, { file }) => {
    try {
      await openApp(call, openedFile(call, file));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      showMessage(call.terminal, `Manuscript could not open this. ${why}`);
      throw error;
    }
  },
};

/** Opens the file that is named, else the one opened last, else the first one, which is made; returns its place. Throws `NotFound`. */
function openedFile(call: Call, named: string | undefined): string {
  const { terminal } = call;
  const last = named === undefined ? recentFiles(terminal)[0] : completed(placeOf(call, named, "FILE"));
  const path = last ?? firstFile(terminal);
  if (last === undefined) mkdirSync(dirname(path), { recursive: true });
  else if (!existsSync(last)) {
    assertNotMissing(last);
    throw new NotFound(`${last}; it was moved or removed`);
  }
  openManuscript(path, { create: last === undefined }).close(); // what does not open is not the one to begin with next time
  const real = realpathSync(path);
  rememberFile(terminal, real);
  return real;
}

/** Shows the page of the server that has the file, else serves it until its last window is closed. */
async function openApp(call: Call, path: string): Promise<void> {
  const { terminal } = call;
  const windows = windowsOf(terminal, path);
  const app = { quiet: true, open: true, app: true, windows, backups: copiesFolderOf(terminal, path) };
  let refusal: unknown;
  // Another program may have the port; and of two starts at once, one finds the server of the other at its next look.
  for (const port of [portOf(path), 0, 0]) {
    if ((await serverOf(path)) !== undefined) return await showServed(call, path, { app: true });
    try {
      await serveUntilStopped(call, [path], { ...app, port });
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      refusal = error;
      continue;
    }
    const to = await Promise.race([windows.moving, undefined]); // undefined unless it is known by now
    return to === undefined ? undefined : await openApp(call, move(terminal, path, to));
  }
  throw refusal;
}

/** Moves a manuscript; returns where it is then, which is where it was if it could not be moved. */
function move(terminal: Terminal, from: string, to: string): string {
  try {
    rememberFile(terminal, to, moveOut(from, to, Date.now()));
    return to;
  } catch (error) {
    showMessage(terminal, `${from} was not moved. ${error instanceof Error ? error.message : String(error)}`);
    return from;
  }
}

/** Opens further manuscripts by this command itself, as a double click does. */
function windowsOf(terminal: Terminal, path: string): Windows {
  let begin = (_: string) => {};
  const moving = new Promise<string>((resolve) => {
    begin = resolve;
  });
  return {
    folder: documentsFolder(terminal),
    files: () => recentFiles(terminal),
    open: (file) => {
      const [, program = ""] = process.argv;
      const argv = [...process.execArgv, program, "app", file];
      spawn(process.execPath, argv, { detached: true, stdio: "ignore", windowsHide: true }).unref();
    },
    movesTo: () => placeOutside(terminal, path),
    moveOut: () => {
      const to = placeOutside(terminal, path);
      if (to === null)
        throw new NotFound(`place to move ${path} to: it lies in no cloud folder, or all others do`);
      begin(to);
      return to;
    },
    moving,
  };
}

/** A place on this computer alone for a manuscript in a cloud folder; null where it is in none, or every folder is. */
function placeOutside(terminal: Terminal, path: string): string | null {
  if (cloudOf(path) === null) return null;
  const folders = [documentsFolder(terminal), homeFolder(terminal)];
  const folder = folders.find((one) => cloudOf(join(one, basename(path))) === null);
  return folder === undefined ? null : freePlace(path, folder);
}

const FIRST_PORT = 7400;
const PORTS = 1000;

/** The file's own port: what its page keeps in the browser is kept by address. */
function portOf(path: string): number {
  return FIRST_PORT + (createHash("sha256").update(path).digest().readUInt32BE() % PORTS);
}
