import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BadRequest } from "../../refusals.ts";
import type { EntryFile } from "../../service/interchange/apply-entries.ts";
import { type KnownEntries, knownFacts, knownNotes } from "../../service/interchange/known-entries.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { once } from "../../text/once.ts";
import { decode, hash, isFileWithin, statLink, statOf } from "../disk/text-file.ts";
import type { TextFile } from "../folder/book-files.ts";
import type { Yaml } from "../yaml/open.ts";
import { FACTS_YAML, readFacts } from "./facts-yaml.ts";
import { readNotes } from "./notes-yaml.ts";
import { ANNOTATIONS } from "./render-annotations.ts";

const MOST_BYTES = 64 * 1024 * 1024;

/** The texts of those that the folder has. Throws `BadRequest`. */
export function readAnnotationFiles(folder: string): TextFile[] {
  const present = ANNOTATIONS.filter((file) => isFileWithin(folder, file));
  return present.map((file) => {
    const { size } = statOf(join(folder, file), file);
    if (size > MOST_BYTES)
      throw new BadRequest(`${file} has ${size} bytes; at most ${MOST_BYTES} (64 MiB) are read.`);
    return { file, text: decode(readFileSync(join(folder, file)), file) };
  });
}

/** Those that are there and are no files of this folder: they are not read. */
export function strangeAnnotationFiles(folder: string): { file: string; reason: string }[] {
  const strange = ANNOTATIONS.filter(
    (file) => statLink(join(folder, file)) !== undefined && !isFileWithin(folder, file),
  );
  return strange.map((file) => ({ file, reason: "not a file of this folder" }));
}

/** What a file of annotations is to the manuscript as it stands. Throws `BadRequest`. */
export function knownAnnotations(
  manuscript: Manuscript,
  where: Parameters<typeof knownNotes>[1],
  text: TextFile,
  yaml: Yaml,
): KnownEntries | undefined {
  if (text.file === FACTS_YAML) {
    const file = entryFile([text], text.file, (content) => readFacts(yaml, content));
    return file && knownFacts(manuscript, where, file);
  }
  const file = entryFile([text], text.file, (content) => readNotes(yaml, content));
  return file && knownNotes(manuscript, where, file);
}

/** A file of entries, parsed when it is asked for; undefined if it is not among the texts. */
export function entryFile<Entry extends { id?: string | undefined }>(
  texts: readonly TextFile[],
  file: string,
  read: (text: string) => Entry[],
): EntryFile<Entry> | undefined {
  const found = texts.find((text) => text.file === file);
  if (found === undefined) return undefined;
  return { file, hash: hash(found.text), read: once(() => withOneId(read(found.text), file)) };
}

function withOneId<Entry extends { id?: string | undefined }>(entries: Entry[], file: string): Entry[] {
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (id !== undefined && seen.has(id)) throw new BadRequest(`${file} has two entries with the id ${id}.`);
    if (id !== undefined) seen.add(id);
  }
  return entries;
}
