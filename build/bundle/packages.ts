import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package of npm that a bundle holds. */
export interface Package {
  name: string;
  version: string;
  /** The SPDX expression of its licence: `MIT`. */
  license: string;
  /** The folder, from the root: `node_modules/zod`. */
  folder: string;
  /** The hash that npm checks, in base64: `sha512-…`. */
  integrity: string;
  /** The folders of the packages that it loads. */
  needs: string[];
}

interface Locked {
  version: string;
  license: string;
  integrity: string;
  dependencies?: Record<string, string>;
}

/** Dependencies that nothing runs: types, and the headers that better-sqlite3 is compiled with. */
const NEVER_RUN = /^(?:@types\/.*|node-addon-api)$/;

/**
 * The packages that the program needs when it runs, by name: what package.json and its dependencies name as such. Optional ones
 * are left out: the one there is, is for a Node that no bundle has.
 */
export function productionPackages(root: string): Package[] {
  const packages = lockedOf(root);
  const needsOf = (folder: string): string[] =>
    Object.keys(packages[folder]?.dependencies ?? {})
      .filter((name) => !NEVER_RUN.test(name))
      .map((name) => folderOf(name, folder, packages));
  const folders = new Set(needsOf(""));
  for (const folder of folders) for (const needed of needsOf(folder)) folders.add(needed);
  return [...folders].sort().map((folder) => packageAt(folder, packages, needsOf(folder)));
}

/** The packages of which something is in the built page, as the page's list of licences names them. */
export function pagePackages(root: string): Package[] {
  const packages = lockedOf(root);
  const heads = readFileSync(join(root, "dist/page/LICENCES.txt"), "utf8").matchAll(
    /(?:^|-{80}\n\n)(\S+) \S+ \(.*\)\n/g,
  );
  return [...heads].map(([, name]) => packageAt(`node_modules/${name}`, packages, []));
}

function lockedOf(root: string): Record<string, Locked> {
  return JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
}

function packageAt(folder: string, packages: Record<string, Locked>, needs: string[]): Package {
  const locked = packages[folder];
  if (locked === undefined) throw new Error(`package-lock.json lacks ${folder}`);
  const { version, license, integrity } = locked;
  return { name: folder.replace(/^.*node_modules\//, ""), version, license, folder, integrity, needs };
}

/** The folder that Node finds a package in: the nearest above the one that asks for it. */
function folderOf(name: string, from: string, packages: Record<string, Locked>): string {
  for (let above = from; ; above = above.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, "")) {
    const folder = `${above === "" ? "" : `${above}/`}node_modules/${name}`;
    if (packages[folder] !== undefined) return folder;
    if (above === "") throw new Error(`package-lock.json lacks ${name}, which ${from} needs`);
  }
}
