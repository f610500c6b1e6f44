import { readdirSync, readlinkSync } from "node:fs";

/** The files in a folder that this process has open, by their names; undefined where the system does not tell. */
export function openFilesIn(folder: string): string[] | undefined {
  if (process.platform !== "linux") return undefined;
  return readdirSync("/proc/self/fd")
    .flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return []; // that which listed them
      }
    })
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));
}
