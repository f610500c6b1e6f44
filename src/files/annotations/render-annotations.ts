import { BadRequest } from "../../refusals.ts";
import type { BookExport } from "../../service/interchange/export-book.ts";
import type { OutFile } from "../disk/write-folder.ts";
import { type EntryChange, updateEntries } from "../yaml/edit-entries.ts";
import type { Yaml } from "../yaml/open.ts";
import { type EntryKeys, writeEntries } from "../yaml/write.ts";
import { changedFactKeys, FACTS_YAML, factKeys, readFacts } from "./facts-yaml.ts";
import { changedNoteKeys, NOTES_YAML, type NotePages, noteKeys, readNotes } from "./notes-yaml.ts";

/** A file as it stands in the folder, and what it is to the manuscript. */
export interface HeldFile {
  text: string;
  /** The id of each of its entries. */
  ids: readonly (string | undefined)[];
}

/** What a folder holds of the files beside its chapters, by name; and entries that its writer took out. */
export interface Held {
  files: Readonly<Record<string, HeldFile>>;
  gone: ReadonlySet<string>;
}

/**
 * The texts of the files beside a book's chapters, by name, none for a file without an entry. What a folder holds already
 * is changed only where it says something else. `names` are the chapters' files in order.
 */
async function besideTexts(
  { beside, chapters }: BookExport,
  names: readonly string[],
  { files, gone }: Held = NOTHING,
): Promise<Record<string, string>> {
  const { facts = [], notes = [], leaves = new Map() } = beside ?? {};
  if (facts.length + notes.length + Object.keys(files).length === 0) return {};
  const yaml = await import("yaml");
  const fileOf = new Map(chapters.map(({ id }, index): [string, string] => [id, names[index] ?? ""]));
  const pages: NotePages = { fileOf, leaves };
  const texts = {
    [FACTS_YAML]: textOf(
      yaml,
      { read: readFacts, keys: factKeys, changed: changedFactKeys },
      files[FACTS_YAML],
      {
        wanted: facts.filter(({ id }) => !gone.has(id)),
      },
    ),
    [NOTES_YAML]: textOf(
      yaml,
      {
        read: readNotes,
        keys: (note) => noteKeys(note, pages),
        changed: (entry, note) => changedNoteKeys(entry, note, pages),
      },
      files[NOTES_YAML],
      { wanted: notes.filter(({ id }) => !gone.has(id)) },
    ),
  };
  return Object.fromEntries(
    Object.entries(texts).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** The files beside the chapters, which go into these files; what a folder holds of them is changed, not written anew. */
export async function besideFiles(
  book: BookExport,
  files: readonly { file: string }[],
  held?: Held,
): Promise<OutFile[]> {
  const texts = await besideTexts(
    book,
    files.map(({ file }) => file),
    held,
  );
  return Object.entries(texts).map(([file, text]) => ({ file, bytes: Buffer.from(text) }));
}

const NOTHING: Held = { files: {}, gone: new Set() };

/** How entries of a kind are read and written. */
interface Format<Entry, Item> {
  read(yaml: Yaml, text: string): Entry[];
  keys(item: Item): EntryKeys;
  /** The keys that have to say something else. */
  changed(entry: Entry, item: Item): EntryKeys;
}

function textOf<Entry, Item extends { id: string }>(
  yaml: Yaml,
  format: Format<Entry, Item>,
  held: HeldFile | undefined,
  { wanted }: { wanted: readonly Item[] },
): string | undefined {
  const whole = () => writeEntries(yaml, wanted.map(format.keys));
  if (held === undefined) return wanted.length === 0 ? undefined : whole();
  const byId = new Map<string | undefined, Item>(wanted.map((item) => [item.id, item]));
  const entries = format.read(yaml, held.text);
  const changes = entries.map((entry, index): EntryChange => {
    const id = held.ids[index];
    const item = byId.get(id);
    if (id === undefined) return "stays";
    if (item === undefined) return "goes";
    const keys = format.changed(entry, item);
    return keys.size === 0 ? "stays" : keys;
  });
  const known = new Set(held.ids);
  const added = wanted.filter(({ id }) => !known.has(id));
  const kept = entries.flatMap((entry, index) =>
    changes[index] === "goes"
      ? []
      : [{ entry, item: changes[index] === "stays" ? undefined : byId.get(held.ids[index]) }],
  );
  const expected = [...kept, ...added.map((item) => ({ entry: undefined, item }))];
  const isRight = (text: string) => {
    const read = tryRead(() => format.read(yaml, text)) ?? [];
    return (
      read.length === expected.length &&
      expected.every(
        ({ entry, item }, index) =>
          item === undefined
            ? JSON.stringify(read[index]) === JSON.stringify(entry)
            : format.changed(read[index]!, item).size === 0, // as many are read as expected
      )
    );
  };
  const made = updateEntries(yaml, held.text, { changes, added: added.map(format.keys) }, isRight);
  return made ?? whole();
}

function tryRead<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}
