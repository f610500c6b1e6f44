import { dirname } from "node:path";

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
