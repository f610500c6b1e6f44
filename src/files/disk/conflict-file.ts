import { join } from "node:path";
import type { ImportConflict } from "../../service/interchange/import-book.ts";
import { writeAlone } from "./atomic-write.ts";
import { nameBeside } from "./name-beside.ts";
import { hash } from "./text-file.ts";
import { assertOwnPlace, readIfThere } from "./write-folder.ts";

/**
 * Writes both texts of a conflict next to the chapter's file, as `NAME.conflict.md`. A conflict file that somebody
 * has edited is left alone, and the next one is numbered. Returns the name. Throws `WouldLose` if a link stands
 * there.
 */
export async function writeConflict(
  folder: string,
  file: string,
  { title, revision, fields, paragraphs, markdown }: ImportConflict & { title: string },
): Promise<string> {
  const parts = [
    `# Conflict: ${title}`,
    `${file} and revision ${revision} of the manuscript both changed since they were last the same.`,
    ...fields.map((field) => `Both changed the ${field}.`),
    ...paragraphs.flatMap(({ mine, theirs }) => [
      "## In your file",
      mine ?? "(taken out)",
      "## In the manuscript",
      theirs ?? "(taken out)",
    ]),
    "# The whole chapter as the manuscript has it",
    markdown,
  ];
  const text = `${parts.join("\n\n").trimEnd()}\n`;
  for (let count = 1; ; count++) {
    const name = nameBeside(file, count);
    assertOwnPlace(folder, name);
    const present = readIfThere(join(folder, name));
    if (present !== undefined && !isOurs(present.toString())) continue;
    const bytes = Buffer.from(text + sealOf(text));
    if (!present?.equals(bytes)) await writeAlone(join(folder, name), bytes);
    return name;
  }
}

// Last line of a conflict file: its own hash. A text without a matching one was edited.
const SEAL = /\n<!-- manuscript: ([0-9a-f]{16}); remove this file when you are done -->\n$/;

function sealOf(text: string): string {
  return `\n<!-- manuscript: ${hash(text).slice(0, 16)}; remove this file when you are done -->\n`;
}

function isOurs(text: string): boolean {
  const seal = SEAL.exec(text);
  return seal !== null && hash(text.slice(0, seal.index)).startsWith(seal[1] ?? "-");
}
