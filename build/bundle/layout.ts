import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { licencesOf } from "../licences.ts";
import { type BundleFile, textFile, under } from "./bundle-file.ts";
import type { Node } from "./fetch-node.ts";
import { icns, ico, type Picture } from "./icon-files.ts";
import { productionPackages } from "./packages.ts";
import { nodeBinaryOf, type Platform, type System, systemOf } from "./platforms.ts";
import { readProduct } from "./product.ts";
import { programFiles } from "./program-files.ts";

/** The files of a bundle, as they lie in its folder. */
export function layOut(root: string, platform: Platform, node: Node): BundleFile[] {
  const { version } = readProduct(root);
  const binary = { path: nodeBinaryOf(platform), bytes: node.binary, isProgram: true };
  const program = under("lib", [binary, ...programFiles(root, platform)]);
  return LAYOUTS[systemOf(platform)]({ program, licences: licenceFiles(root, node), version });
}

interface Parts {
  /** Node and what it runs, in `lib`. */
  program: BundleFile[];
  licences: BundleFile[];
  version: string;
}

const LAYOUTS: Readonly<Record<System, (parts: Parts) => BundleFile[]>> = {
  win: ({ program, licences, version }) => {
    const pictures = PICTURES.filter(({ side }) => side <= 256);
    return [
      ...[...templates("windows", version), ...licences].map(withLineEndings),
      { path: "manuscript.ico", bytes: ico(pictures) },
      ...program,
    ];
  },
  darwin: ({ program, licences, version }) => {
    const resources = [
      launcher(),
      ...licences,
      { path: "manuscript.icns", bytes: icns(PICTURES) },
      ...program,
    ];
    return [
      ...templates("macos", version),
      ...under("Manuscript.app/Contents/Resources", resources),
      { path: "manuscript", target: "Manuscript.app/Contents/Resources/manuscript" },
    ];
  },
  linux: ({ program, licences, version }) => [
    launcher(),
    ...templates("linux", version),
    ...PICTURES.map(({ side, png }) => ({
      path: `share/icons/hicolor/${side}x${side}/apps/manuscript.png`,
      bytes: png,
    })),
    ...licences,
    ...program,
  ],
};

const PICTURES: readonly Picture[] = [16, 32, 48, 128, 256, 512].map((side) => ({
  side,
  png: readFileSync(join(import.meta.dirname, `icons/${side}.png`)),
}));

/** The command for a terminal, where that is a script of the shell. */
function launcher(): BundleFile {
  return {
    path: "manuscript",
    bytes: readFileSync(join(import.meta.dirname, "manuscript.sh")),
    isProgram: true,
  };
}

/** The files that a system needs around the program. Those that begin with `#!` can be run. */
function templates(folder: string, version: string): BundleFile[] {
  const from = join(import.meta.dirname, folder);
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const text = readFileSync(path, "utf8").replaceAll("@VERSION@", version);
      return textFile(path.slice(from.length + 1).replaceAll("\\", "/"), text, text.startsWith("#!"));
    });
}

/** The file with the line ends of Windows. */
function withLineEndings(file: BundleFile): BundleFile {
  if ("target" in file) return file;
  return textFile(file.path, Buffer.from(file.bytes).toString().replace(/\r?\n/g, "\r\n"));
}

const LINE = `\n${"=".repeat(80)}\n\n`;
const ABOUT = `Manuscript is under the MIT licence: LICENSE.txt.

It comes with Node.js, unchanged, whose licence and those of its parts are in LICENSE-node.txt, and with SQLite, which is in the
public domain (https://sqlite.org/copyright.html) and compiled into the binding of better-sqlite3. The packages that it loads, and
those of which something is in its page, are under the licences below.
`;

function licenceFiles(root: string, node: Node): BundleFile[] {
  const loaded = licencesOf(productionPackages(root).map(({ folder }) => join(root, folder)));
  const page = readFileSync(join(root, "dist/page/LICENCES.txt"), "utf8");
  return [
    textFile("LICENSE.txt", readFileSync(join(root, "LICENSE"), "utf8")),
    textFile("LICENSE-node.txt", node.licence),
    textFile(
      "THIRD-PARTY.txt",
      [ABOUT, `Packages that are loaded\n\n${loaded}`, `Packages in the page\n\n${page}`].join(LINE),
    ),
  ];
}
