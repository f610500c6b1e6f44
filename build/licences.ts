import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The ISC licence, for packages that name it and hold no text of it. */
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby
granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.`;

/** The licences of the packages in these folders, each below a line with name, version and licence: `zod 4.6.7 (MIT)`. */
export function licencesOf(folders: readonly string[]): string {
  return folders.map(licenceOf).join(`\n${"-".repeat(80)}\n\n`);
}

/** Throws if a package has no licence that can be told. */
function licenceOf(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const names = readdirSync(folder).sort();
  const file = names.find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  if (file === undefined && license !== "ISC") throw new Error(`${name} has no licence beside it`);
  const text =
    file === undefined ? `Copyright ${author}\n\n${ISC}` : readFileSync(join(folder, file), "utf8");
  const notice = names.find((entry) => /^notice/i.test(entry));
  const more = notice === undefined ? "" : `\n\n${readFileSync(join(folder, notice), "utf8").trim()}`;
  return `${name} ${version} (${license})\n\n${text.trim()}${more}\n`;
}
