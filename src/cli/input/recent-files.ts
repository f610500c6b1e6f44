import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { renameFile } from "../../disk.ts";
import type { Terminal } from "../io/terminal.ts";
import { ENDING, homeFolder, stateFolder, writableFolder } from "./manuscript-file.ts";

type Surroundings = Pick<Terminal, "env">;

const MOST = 12;
const REMEMBERED = z.object({
  files: z.array(z.string()),
  copiesIn: z.record(z.string(), z.string()).default({}),
});

/** The manuscripts that were opened as an app, the last one first; those that are gone are left out. */
export function recentFiles(terminal: Surroundings): string[] {
  return read(terminal).files.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/**
 * Puts a manuscript first among the recent ones, and remembers the folder of its copies if it has one of its own. Where nothing
 * can be written, nothing is remembered.
 */
export function rememberFile(terminal: Surroundings, path: string, copiesIn?: string): void {
  const known = read(terminal);
  const files = [path, ...known.files.filter((one) => one !== path)].slice(0, MOST);
  const folders = { ...known.copiesIn, ...(copiesIn === undefined ? {} : { [path]: copiesIn }) };
  const kept = Object.fromEntries(files.flatMap((file) => (folders[file] ? [[file, folders[file]]] : [])));
  try {
    writableFolder(stateFolder(terminal));
    const draft = `${listPath(terminal)}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify({ files, copiesIn: kept }, undefined, 2)}\n`);
    renameFile(draft, listPath(terminal));
  } catch {} // a convenience, and no reason not to open the manuscript
}

/** The folder of its own that a manuscript has its copies in, as one that was moved out of a cloud folder. */
export function copiesFolderOf(terminal: Surroundings, path: string): string | undefined {
  const folder = read(terminal).copiesIn[path];
  return folder !== undefined && existsSync(dirname(folder)) ? folder : undefined;
}

interface Remembered {
  files: string[];
  copiesIn: Record<string, string>;
}

function read(terminal: Surroundings): Remembered {
  try {
    return REMEMBERED.parse(JSON.parse(readFileSync(listPath(terminal), "utf8")));
  } catch {
    return { files: [], copiesIn: {} }; // none yet, or not to be read
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
  const home = homeFolder({ env });
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
