import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { MANUSCRIPT_ENDING } from "../../store/copies.ts";

/** The manuscripts in a folder, by name; hidden ones apart. */
export function listManuscripts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name.endsWith(MANUSCRIPT_ENDING) && !name.startsWith("."))
    .filter((one) => one.isFile() || isFile(join(folder, one.name))) // a link may lead to one
    .map(({ name }) => join(folder, name))
    .sort();
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
