import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { extract } from "tar";
import { nodeBinaryOf, PLATFORMS, type Platform } from "./platforms.ts";

/** Node as a bundle holds it: its own build, unchanged. */
export interface Node {
  packageName: string;
  version: string;
  binary: Uint8Array;
  licence: string;
}

/** A platform's Node, from npm or, once it has been fetched, from `cache`. npm checks what it fetches. */
export async function fetchNode(platform: Platform, cache: string): Promise<Node> {
  const { name, version, licence } = PLATFORMS[platform];
  const folder = await fetchPackage(`${name}@${version}`, cache);
  const licenceFolder = await fetchPackage(`${licence}@${version}`, cache);
  return {
    packageName: name,
    version,
    binary: readFileSync(join(folder, "bin", nodeBinaryOf(platform))),
    licence: readFileSync(join(licenceFolder, "LICENSE"), "utf8"),
  };
}

/** The folder that holds the package's binary and licence. */
async function fetchPackage(wanted: string, cache: string): Promise<string> {
  const folder = join(cache, wanted);
  const archive = join(cache, `${wanted.replace("@", "-")}.tgz`);
  if (!existsSync(archive)) {
    mkdirSync(cache, { recursive: true });
    npm(["pack", wanted, "--silent", "--pack-destination", cache]);
  }
  mkdirSync(folder, { recursive: true });
  const isWanted = (path: string) => /^package\/(?:bin\/node(?:\.exe)?|LICENSE)$/.test(path);
  await extract({ file: archive, cwd: folder, strip: 1, filter: isWanted });
  return folder;
}

/** Runs npm as the script was run by it: on Windows its command is no program. */
function npm(args: readonly string[]): void {
  const { npm_execpath } = process.env;
  const [command, first] = npm_execpath === undefined ? ["npm", []] : [process.execPath, [npm_execpath]];
  const { status, error } = spawnSync(command, [...first, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed`, { cause: error });
}
