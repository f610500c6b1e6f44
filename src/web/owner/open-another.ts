import { existsSync } from "node:fs";
import type { InputOf } from "../../contract/index.ts";
import { manuscriptIn } from "../../files/file-names.ts";
import { Conflict, NotFound } from "../../refusals.ts";
import { openManuscript, wayBack } from "../../service/manuscript.ts";
import type { Windows } from "../../service/shelf/windows.ts";

/**
 * Opens a manuscript of those that were opened before, or makes one and opens it, in a window of its own. Throws `NotFound`,
 * and `Conflict` for a new one whose file is there.
 */
export function openAnother(windows: Windows, body: InputOf<"openInWindow">["body"]): { file: string } {
  if ("file" in body) {
    if (!windows.files().includes(body.file)) throw new NotFound(`manuscript at ${body.file}`);
    windows.open(body.file);
    return { file: body.file };
  }
  const file = manuscriptIn(windows.folder, body.name);
  if (existsSync(file)) throw new Conflict(`${file} is there already; open it, or choose another name.`);
  const way = wayBack(file);
  if (way !== undefined)
    throw new Conflict(`${file} is missing, ${way}; for a new manuscript choose another name.`);
  openManuscript(file, { create: true }).close();
  windows.open(file);
  return { file };
}
