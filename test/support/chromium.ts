import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of a Chromium on this machine, the one that `CHROMIUM` names before all; undefined if there is none. */
export function findChromium(): string | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [
    process.env.CHROMIUM ?? "",
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  ].find((path) => path !== "" && existsSync(path));
}
