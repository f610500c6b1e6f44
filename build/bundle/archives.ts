import { spawnSync } from "node:child_process";
import { type Zippable, zipSync } from "fflate";
import { Header } from "tar";
import { type BundleFile, foldersOf, inOrder } from "./bundle-file.ts";

/** When every file of an archive was changed, so that the same files make the same bytes. */
const MODIFIED = new Date(Date.UTC(2026, 0, 1));
const PROGRAM_MODE = 0o755;
const FILE_MODE = 0o644;
const BLOCK = 512;

/** A tar of the files and their folders, all owned by root. */
export function tar(files: readonly BundleFile[]): Buffer {
  const blocks: Uint8Array[] = [];
  for (const folder of foldersOf(files))
    blocks.push(header({ path: `${folder}/`, type: "Directory", mode: PROGRAM_MODE }));
  for (const file of inOrder(files)) {
    const { path } = file;
    if ("target" in file) {
      blocks.push(header({ path, type: "SymbolicLink", linkpath: file.target, mode: 0o777 }));
      continue;
    }
    const mode = file.isProgram ? PROGRAM_MODE : FILE_MODE;
    const padding = Buffer.alloc(-file.bytes.length & (BLOCK - 1));
    blocks.push(header({ path, type: "File", mode, size: file.bytes.length }), file.bytes, padding);
  }
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header(fields: {
  path: string;
  type: "Directory" | "File" | "SymbolicLink";
  mode: number;
  size?: number;
  linkpath?: string;
}): Buffer {
  const block = Buffer.alloc(BLOCK);
  const owner = { uid: 0, gid: 0, uname: "root", gname: "root" };
  const entry = new Header({ size: 0, mtime: MODIFIED, ...owner, ...fields });
  if (entry.encode(block)) throw new Error(`${fields.path} is too long for a tar`);
  return block;
}

/** The bytes as xz compresses them: a third less than gzip, which is needed to stay below 45 MB with Node. */
export function xz(bytes: Uint8Array): Buffer {
  // One thread: the bytes would depend on the number of cores.
  const { stdout, status, error } = spawnSync("xz", ["--compress", "--stdout", "-6", "--threads=1"], {
    input: bytes,
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error("xz failed; it must be installed", { cause: error });
  return stdout;
}

/** A zip of the files, for Windows: it has neither links nor modes. */
export function zip(files: readonly BundleFile[]): Uint8Array {
  const entries: Zippable = {};
  for (const file of inOrder(files)) {
    if ("target" in file) throw new Error(`${file.path} is a link, which Windows has none of`);
    entries[file.path] = file.bytes;
  }
  // A zip has no time zone: its time is local.
  return zipSync(entries, { level: 9, mtime: new Date(2026, 0, 1) });
}
