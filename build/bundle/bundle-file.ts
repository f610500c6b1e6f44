import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file of a bundle, or a symbolic link. Its path has slashes and no dot: `lib/bin/manuscript.js`. */
export type BundleFile = { path: string; bytes: Uint8Array; isProgram?: boolean } | BundleLink;

/** A symbolic link; `target` is relative to the folder that the link is in. */
export interface BundleLink {
  path: string;
  target: string;
}

/** A file of text. */
export function textFile(path: string, text: string, isProgram = false): BundleFile {
  return { path, bytes: Buffer.from(text), isProgram };
}

/** The files, in a folder of a bundle. */
export function under(folder: string, files: readonly BundleFile[]): BundleFile[] {
  return files.map((file) => ({ ...file, path: `${folder}/${file.path}` }));
}

/** The files in the order of their paths, which is the same everywhere. */
export function inOrder(files: readonly BundleFile[]): BundleFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Each folder that the files need, parents first. */
export function foldersOf(files: readonly BundleFile[]): string[] {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1))
      folders.add(path.slice(0, end));
  return [...folders].sort();
}

/** The files on the disk at or below `path`, which is relative to `root`. */
export function filesBelow(root: string, path: string): BundleFile[] {
  if (statSync(join(root, path)).isFile()) return [{ path, bytes: readFileSync(join(root, path)) }];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}
