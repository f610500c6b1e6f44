import { join } from "node:path";
import { FOLDER_FILES, type FolderFile } from "../../src/files/format/schemas.ts";

export const FOLDER_FORMAT = join(import.meta.dirname, "../../docs/folder-format.md");

const INTRODUCTION = `# The folder's format

What an exported folder holds, and what \`import\` and \`sync\` read of it. This page is written by \`npm run golden\` from
\`src/files/format/keys.ts\`, which the readers take their keys from.

- A chapter is a Markdown file: front matter, if there is some, and the prose. Block ids (\`^b_…\` behind a paragraph) are
  there if the export was asked for them.
- A file that \`book.yaml\` does not list is a chapter if its name begins with a number, or if an export made it. In a new folder it
  begins a new part. Any other is left out: \`manuscript sync DIR --adopt\` makes a chapter of it, behind the one its text was cut from.
- \`book.yaml\` holds the book and its order, \`facts.yaml\` the story map and \`notes.yaml\` the notes. Each may be missing.
- Keys that are not listed here are yours: they are kept, and so are comments, quotes and the order of the keys.
- A number or a date is read as text, exactly as written. A key without a value is ignored.

## For editors

A new folder has a JSON Schema of each file in \`.schemas/\`, and the first line of a new file names its own:
\`# yaml-language-server: $schema=…\`. Editors with a YAML language server (VS Code's YAML extension, Neovim, Helix, Zed) check and
complete by it, without a network and wherever the folder goes. If you remove the line or the folder, no export or sync brings
it back. An older folder gets neither. For front matter, name \`.schemas/front-matter.schema.json\` in your editor's settings.

## What a run may leave

- \`NAME.conflict.md\` beside \`NAME.md\`: both texts where both sides changed the same words, or a text that lost its
  place. It is never read; remove it when you are done. One that you have edited is left alone, and the next is numbered:
  \`NAME.conflict.2.md\`.
- \`.manuscript-kept/TIME/\`: what \`--force\` overwrote, under its old name, if the manuscript never had it. Imports and git ignore
  it; remove it when you like.
- \`.manuscript-NUMBER-….aside/\` while a run replaces files: the old files. If a run is stopped, the next one brings them back.

A replaced file is checked again a tenth of a second later, and what an editor saved in between stays. Editors that save by
opening the file anew, or by renaming another over it, as nearly all do, never lose anything. Only a program that held the old
file open before the run, and writes to it after the run, writes to a file that no longer has a name.`;

/** `docs/folder-format.md`: every key of every file of a folder. */
export function folderFormatPage(): string {
  return [INTRODUCTION, ...FOLDER_FILES.map(sectionOf)].join("\n\n").concat("\n");
}

function sectionOf({ name, about, keys }: FolderFile): string {
  const rows = Object.entries(keys).map(([key, { about: said, value }]) => {
    const most = "maxLength" in value ? ` At most ${value.maxLength} characters.` : "";
    return `| \`${key}\` | ${said}${most} |`;
  });
  const heading = name === "front matter" ? "Front matter" : name;
  return [`## ${heading}`, "", about, "", "| key | what it says |", "| --- | --- |", ...rows].join("\n");
}
