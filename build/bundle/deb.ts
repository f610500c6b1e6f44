import { createHash } from "node:crypto";
import { tar, xz } from "./archives.ts";
import { type BundleFile, inOrder, textFile, under } from "./bundle-file.ts";
import type { Product } from "./product.ts";

/** Node's own builds are linked to these; nothing else is. */
const LIBRARIES = "libc6 (>= 2.28), libstdc++6 (>= 5.1), libgcc-s1 | libgcc1";

/** A package for Debian and its descendants, of a bundle's files. Source: https://manpages.debian.org/deb.5. */
export function deb(product: Product, architecture: "amd64" | "arm64", files: readonly BundleFile[]): Buffer {
  const placed = placedFiles(files);
  const sums = placed.flatMap((file) =>
    "bytes" in file ? [`${createHash("md5").update(file.bytes).digest("hex")}  ${file.path}\n`] : [],
  );
  const about = [
    textFile("control", controlOf(product, architecture, placed)),
    textFile("md5sums", sums.join("")),
  ];
  return ar([
    ["debian-binary", Buffer.from("2.0\n")],
    ["control.tar.xz", xz(tar(under(".", about)))],
    ["data.tar.xz", xz(tar(under(".", placed)))],
  ]);
}

/** The bundle's files where Debian wants them. The scripts that install for one user are left out: dpkg installs for all. */
function placedFiles(files: readonly BundleFile[]): BundleFile[] {
  const placed = files
    .filter(({ path }) => !/^(?:(?:un)?install\.sh|README\.txt)$/.test(path))
    .map((file) => ({ ...file, path: placeOf(file.path) }));
  return inOrder([...placed, { path: "usr/bin/manuscript", target: "../lib/manuscript/manuscript" }]);
}

function placeOf(path: string): string {
  if (path === "LICENSE.txt") return "usr/share/doc/manuscript/copyright";
  if (/^[^/]+\.txt$/.test(path)) return `usr/share/doc/manuscript/${path}`;
  return path.startsWith("share/") ? `usr/${path}` : `usr/lib/manuscript/${path}`;
}

function controlOf(
  { version, description }: Product,
  architecture: string,
  files: readonly BundleFile[],
): string {
  const sizeBytes = files.reduce((sum, file) => sum + ("bytes" in file ? file.bytes.length : 0), 0);
  return `Package: manuscript
Version: ${version}
Architecture: ${architecture}
Maintainer: The Manuscript authors <noreply@manuscript.invalid>
Installed-Size: ${Math.ceil(sizeBytes / 1024)}
Depends: ${LIBRARIES}
Recommends: shared-mime-info, desktop-file-utils, xdg-utils
Section: editors
Priority: optional
Description: ${description.split(",")[0]}
 Chapters, notes, characters, drafts and every change ever made are in one
 file on your own computer. You write in the browser or in your own editor.
`;
}

/** An archive as `ar` makes it: for each member a line of 60 bytes, and its bytes up to an even number. */
function ar(members: readonly (readonly [name: string, bytes: Uint8Array])[]): Buffer {
  const parts = members.flatMap(([name, bytes]) => {
    const line = `${name.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}`;
    const head = `${line}${String(bytes.length).padEnd(10)}\`\n`;
    return [Buffer.from(head), bytes, Buffer.from(bytes.length % 2 === 1 ? "\n" : "")];
  });
  return Buffer.concat([Buffer.from("!<arch>\n"), ...parts]);
}
