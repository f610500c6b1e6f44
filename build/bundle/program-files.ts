import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BundleFile, filesBelow, textFile } from "./bundle-file.ts";
import { productionPackages } from "./packages.ts";
import { bindingOf, type Platform } from "./platforms.ts";

/** What only who reads or compiles a package needs, by its ending. */
const UNUSED_ENDING = /\.(?:[cm]?tsx?|map|md|markdown|flow|gyp)$/;
/** The same, by its place in the package. Deeper folders of these names may hold code. */
const UNUSED_FOLDER = /^(?:\.|(?:tests?|docs?|examples?|benchmarks?|coverage|man)\/)/;
/** What is read, not run, of our own package. */
const READ = /^docs$|\.md$/;
const LICENCE = /^[^/]*licen[cs]e[^/]*$/i;

/**
 * The program as it is installed: the built files, its production dependencies without what does not run, SQLite's binding for
 * one platform and no other.
 */
export function programFiles(root: string, platform: Platform): BundleFile[] {
  const { name, version, license, type, engines, bin, files } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const ownFiles = (files as string[])
    .filter((path) => !READ.test(path))
    .flatMap((path) => filesBelow(root, path));
  return [
    textFile("package.json", `${JSON.stringify({ name, version, license, type, engines, bin }, null, 2)}\n`),
    ...ownFiles.filter(({ path }) => !/^dist\/.*\.d\.ts$/.test(path)),
    ...productionPackages(root).flatMap(({ folder }) => packageFiles(root, folder, platform)),
  ];
}

function packageFiles(root: string, folder: string, platform: Platform): BundleFile[] {
  const isSQLite = folder === "node_modules/better-sqlite3";
  return filesBelow(root, folder).filter(({ path }) => {
    const inside = path.slice(folder.length + 1);
    if (inside.startsWith("node_modules/")) return false; // a package of its own
    if (isSQLite && inside.startsWith("prebuilds/")) return inside === `prebuilds/${bindingOf(platform)}`;
    if (isSQLite && /^(?:deps|src|build)\//.test(inside)) return false;
    return LICENCE.test(inside) || !(UNUSED_ENDING.test(inside) || UNUSED_FOLDER.test(inside));
  });
}
