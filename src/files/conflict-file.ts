import { join } from "node:path";
import type { ImportConflict } from "../service/import-write.ts";
import { assertNoLink, writeWhole } from "./write-folder.ts";

/**
 * Leaves both texts of a chapter that two sides changed beside its file, as `NAME.conflict.md`, and gives that name.
 * Throws `WouldLose` where a link stands there.
 */
export function writeConflict(
  folder: string,
  file: string,
  { title, revision, fields, paragraphs, markdown }: ImportConflict & { title: string },
): string {
  const name = `${file.replace(/\.[^./\\]*$/, "")}.conflict.md`;
  assertNoLink(folder, name);
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
  writeWhole(join(folder, name), Buffer.from(`${parts.join("\n\n").trimEnd()}\n`));
  return name;
}
