import { join } from "node:path";
import { isFileWithin, readTextFile } from "../disk/text-file.ts";
import { asKeys, asText } from "../yaml/open.ts";

/** Settings of Obsidian and of Templater that name the folder of templates. */
const SETTINGS = [
  [".obsidian/templates.json", "folder"],
  [".obsidian/plugins/templater-obsidian/data.json", "templates_folder"],
] as const;

/** Reason to leave out a template. */
export const TEMPLATE = "a template of Obsidian";

/** Returns a test for notes in a vault's folders of templates: those that its settings name, and `Templates`. */
export function templatesIn(vault: string): (file: string) => boolean {
  const folders = SETTINGS.flatMap(([file, key]) => asText(settingsAt(vault, file)[key]) ?? []);
  const below = folders
    .map((folder) => `${folder.replace(/^\/+|\/+$/g, "")}/`)
    .filter((path) => path !== "/");
  return (file) => /(?:^|\/)templates?\//i.test(file) || below.some((path) => file.startsWith(path));
}

function settingsAt(vault: string, file: string): Record<string, unknown> {
  try {
    return isFileWithin(vault, file) ? asKeys(JSON.parse(readTextFile(join(vault, file), file))) : {};
  } catch {
    return {}; // not readable, so it names nothing
  }
}
