import { join } from "node:path";
import type { ImportConflict } from "../../service/interchange/import-book.ts";
import { writeAlone } from "./atomic-write.ts";
import { assertOwnPlace } from "./write-folder.ts";

/**
 * Leaves both texts of a chapter that two sides changed beside its file, as `NAME.conflict.md`. Returns that name.
 * Throws `WouldLose` if a link stands there.
 */
export async function writeConflict(
  folder: string,
  file: string,
  { title, revision, fields, paragraphs, markdown }: ImportConflict & { title: string },
): Promise<string> {
  const name = nameBeside(file);
  assertOwnPlace(folder, name);
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
  await writeAlone(join(folder, name), Buffer.from(`${parts.join("\n\n").trimEnd()}\n`));
  return name;
}

const ENDING = ".conflict.md";

/** The file's own name with another ending, cut where it would be too long for a file system: 255 bytes. */
function nameBeside(file: string): string {
  const [, folders = "", stem = ""] = /^(.*\/)?([^/]*?)(?:\.[^./\\]*)?$/s.exec(file) ?? [];
  const letters = [...stem];
  while (Buffer.byteLength(letters.join("")) > 255 - ENDING.length) letters.pop();
  return `${folders}${letters.join("")}${ENDING}`;
}
