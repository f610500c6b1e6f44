import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { BadRequest } from "../../refusals.ts";
import type { AskedBeside } from "../../service/interchange/import-annotations.ts";
import { knownBeside, noteBeside } from "../../service/interchange/known-annotations.ts";
import { type AskedFile, findCommon } from "../../service/interchange/sync-base-entries.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { decode, isFileWithin, statLink, statOf } from "../disk/text-file.ts";
import type { OutFile } from "../disk/write-folder.ts";
import { hash } from "../folder/render-folder.ts";
import type { Yaml } from "../yaml/open.ts";
import { FACTS_YAML, readFacts } from "./facts-yaml.ts";
import { NOTES_YAML, readNotes } from "./notes-yaml.ts";
import type { Held, HeldFile } from "./render-annotations.ts";

/** The files beside the chapters of a folder. */
export const BESIDE = [FACTS_YAML, NOTES_YAML] as const;

const MOST_BYTES = 64 * 1024 * 1024;

/** The texts of those that the folder has, by name. Throws `BadRequest`. */
export function readBesideTexts(folder: string): Record<string, string> {
  const present = BESIDE.filter((file) => isFileWithin(folder, join(folder, file)));
  return Object.fromEntries(
    present.map((file) => {
      const { size } = statOf(join(folder, file), file);
      if (size > MOST_BYTES)
        throw new BadRequest(`${file} has ${size} bytes; at most ${MOST_BYTES} (64 MiB) are read.`);
      return [file, decode(readFileSync(join(folder, file)), file)];
    }),
  );
}

/** Those that are there and are no files of this folder: they are not read. */
export function strangersBeside(folder: string): { file: string; reason: string }[] {
  const strange = BESIDE.filter((file) => {
    const path = join(folder, file);
    return statLink(path) !== undefined && !isFileWithin(folder, path);
  });
  return strange.map((file) => ({ file, reason: "not a file of this folder" }));
}

/** What the texts ask for. Throws `BadRequest`. */
export async function askBeside(texts: Readonly<Record<string, string>>): Promise<AskedBeside> {
  if (Object.keys(texts).length === 0) return {};
  const yaml = await import("yaml");
  const ask = <Entry extends { id?: string | undefined }>(
    file: string,
    read: (yaml: Yaml, text: string) => Entry[],
  ) => {
    const text = texts[file];
    if (text === undefined) return undefined;
    const asked: AskedFile<Entry> = {
      file,
      hash: hash(text),
      entries: withOneId(read(yaml, text), file),
    };
    return asked;
  };
  return { facts: ask(FACTS_YAML, readFacts), notes: ask(NOTES_YAML, readNotes) };
}

function withOneId<Entry extends { id?: string | undefined }>(entries: Entry[], file: string): Entry[] {
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (id !== undefined && seen.has(id)) throw new BadRequest(`${file} has two entries with the id ${id}.`);
    if (id !== undefined) seen.add(id);
  }
  return entries;
}

/** What a folder holds of these files that has come into the manuscript as it stands: an export may change it. */
export async function holdBeside(manuscript: Manuscript, folder: string, bookId: string): Promise<Held> {
  const none: Held = { files: {}, gone: new Set() };
  if (!existsSync(folder)) return none;
  const texts = readBesideTexts(folder);
  const where = { folder: realpathSync(folder), bookId };
  const asked = await tryAsk(texts);
  const { facts, notes } = asked === undefined ? {} : knownBeside(manuscript, where, asked);
  const files = Object.entries({ [FACTS_YAML]: facts, [NOTES_YAML]: notes }).flatMap(
    ([file, known]): [string, HeldFile][] =>
      known?.isImported ? [[file, { text: texts[file] ?? "", ids: known.ids }]] : [],
  );
  return { files: Object.fromEntries(files), gone: new Set() };
}

/** What cannot be read was never imported. */
async function tryAsk(texts: Readonly<Record<string, string>>): Promise<AskedBeside | undefined> {
  try {
    return await askBeside(texts);
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

/** Notes that these files of a folder and the manuscript say the same. */
export async function noteBesideFiles(
  manuscript: Manuscript,
  where: { folder: string; bookId: string },
  beside: readonly OutFile[],
): Promise<void> {
  const texts = Object.fromEntries(beside.map(({ file, bytes }) => [file, bytes.toString()]));
  if (beside.length > 0) noteBeside(manuscript, where, await askBeside(texts));
}

/** Whether a folder has ever had this file of the book. */
export function hadBeside(
  manuscript: Manuscript,
  where: { folder: string; bookId: string },
  file: string,
): boolean {
  return findCommon(manuscript.store, { ...where, file }) !== undefined;
}
