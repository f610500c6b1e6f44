import { BadRequest } from "../../refusals.ts";
import type { EntryFile } from "../../service/interchange/apply-entries.ts";
import { type KnownEntries, knownFacts, knownNotes } from "../../service/interchange/known-entries.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { once } from "../../text/once.ts";
import type { TextFile } from "../book-files.ts";
import { hash } from "../disk/text-file.ts";
import type { Yaml } from "../yaml/open.ts";
import { FACTS_YAML } from "./annotation-texts.ts";
import { readFacts } from "./facts-yaml.ts";
import { readNotes } from "./notes-yaml.ts";

/** Compares a file of annotations with the manuscript as it stands. Throws `BadRequest`. */
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

/** Returns a file of entries that is parsed on demand; undefined if it is not among the texts. */
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
