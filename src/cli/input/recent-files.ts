import { readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { renameFile } from "../../disk.ts";
import type { Terminal } from "../io/terminal.ts";
import { ENDING, stateFolder, writableFolder } from "./manuscript-file.ts";

type Surroundings = Pick<Terminal, "env">;

const MOST = 12;

/** The manuscripts that were opened as an app, the last one first; those that are gone are left out. */
export function recentFiles(terminal: Surroundings): string[] {
  return listed(terminal).filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** Puts a manuscript first among the recent ones. Where nothing can be written, nothing is remembered. */
export function rememberFile(terminal: Surroundings, path: string): void {
  const files = [path, ...listed(terminal).filter((one) => one !== path)].slice(0, MOST);
  try {
    writableFolder(stateFolder(terminal));
    const draft = `${listPath(terminal)}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify({ files }, undefined, 2)}\n`);
    renameFile(draft, listPath(terminal));
  } catch {} // a convenience, and no reason not to open the manuscript
}

function listed(terminal: Surroundings): string[] {
  try {
    const { files } = JSON.parse(readFileSync(listPath(terminal), "utf8"));
    return Array.isArray(files) ? files.filter((path) => typeof path === "string") : [];
  } catch {
    return []; // none yet, or not to be read
  }
}

function listPath(terminal: Surroundings): string {
  return join(stateFolder(terminal), "recent.json");
}

/** The manuscript that a first start makes: "My books" in the user's documents. */
export function firstFile(terminal: Surroundings): string {
  return join(documentsFolder(terminal), `My books${ENDING}`);
}

/** The user's folder of documents, by its name in the user's language on Linux; the home where there is none. */
export function documentsFolder({ env }: Surroundings): string {
  const home = env.HOME || homedir();
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const named = process.platform === "linux" ? xdgDocuments(env, home) : undefined;
  return [named, join(home, "Documents")].find((path) => path !== undefined && isFolder(path)) ?? home;
}

/** The folder that the desktop calls so, if it is not the home itself. Source: xdg-user-dirs. */
function xdgDocuments(env: Surroundings["env"], home: string): string | undefined {
  try {
    const folder = env.XDG_CONFIG_HOME || join(home, ".config");
    const text = readFileSync(join(folder, "user-dirs.dirs"), "utf8");
    const named = /^XDG_DOCUMENTS_DIR="([^"]+)"/m.exec(text)?.[1]?.replace("$HOME", home);
    return named === home || named === `${home}/` ? undefined : named;
  } catch {
    return undefined;
  }
}
