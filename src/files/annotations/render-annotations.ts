import { BadRequest } from "../../refusals.ts";
import type { Book } from "../../service/interchange/read-book.ts";
import { schemaLine } from "../format/schemas.ts";
import type { OutFile } from "../write-folder.ts";
import { type EntryChange, updateEntries } from "../yaml/edit-entries.ts";
import type { Yaml } from "../yaml/open.ts";
import { type EntryKeys, writeEntries } from "../yaml/write.ts";
import type { AnnotationFile } from "./annotation-texts.ts";
import { FACTS_YAML } from "./annotation-texts.ts";
import { changedFactKeys, factKeys, readFacts } from "./facts-yaml.ts";
import { changedNoteKeys, type NotePages, noteKeys, readNotes } from "./notes-yaml.ts";

/** A file as it stands in the folder, compared with the manuscript. */
export interface HeldFile {
  text: string;
  /** The id of each of its entries. */
  ids: readonly (string | undefined)[];
  /** Entries that the writer removed. */
  gone?: ReadonlySet<string>;
}

/** Options for rendering a file. */
interface Rendering {
  file: AnnotationFile;
  /** Names of the chapters' files, in order. */
  names: readonly string[];
  held: HeldFile | undefined;
  /** True if a new file names its schema: the folder has schemas. */
  isSchemed: boolean;
}

/**
 * Renders a book's facts or notes as their file; undefined for a file without entries. An existing file is changed
 * only where it differs.
 */
export function renderAnnotations(
  yaml: Yaml,
  { annotations, chapters }: Book,
  { file, names, held, isSchemed }: Rendering,
): OutFile | undefined {
  const { facts = [], notes = [], leaves = new Map() } = annotations ?? {};
  const fileOf = new Map(chapters.map(({ id }, index): [string, string] => [id, names[index] ?? ""]));
  const pages: NotePages = { fileOf, leaves };
  const text =
    file === FACTS_YAML
      ? textOf(
          yaml,
          {
            read: readFacts,
            keys: (fact) => factKeys(fact, fileOf),
            changed: (entry, fact) => changedFactKeys(entry, fact, fileOf),
          },
          facts,
          held,
        )
      : textOf(
          yaml,
          {
            read: readNotes,
            keys: (note) => noteKeys(note, pages),
            changed: (entry, note) => changedNoteKeys(entry, note, pages),
          },
          notes,
          held,
        );
  if (text === undefined) return undefined;
  return { file, bytes: Buffer.from(isSchemed ? schemaLine(file) + text : text) };
}

/** How entries of a kind are read and written. */
interface Format<Entry, Item> {
  read(yaml: Yaml, text: string): Entry[];
  keys(item: Item): EntryKeys;
  /** Returns the keys that have to change. */
  changed(entry: Entry, item: Item): EntryKeys;
}

function textOf<Entry, Item extends { id: string }>(
  yaml: Yaml,
  format: Format<Entry, Item>,
  items: readonly Item[],
  held: HeldFile | undefined,
): string | undefined {
  const wanted = items.filter(({ id }) => !held?.gone?.has(id));
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
      read.every((now, index) => {
        const { entry, item } = expected[index] ?? {};
        if (item === undefined) return JSON.stringify(now) === JSON.stringify(entry);
        return format.changed(now, item).size === 0;
      })
    );
  };
  return updateEntries(yaml, held.text, { changes, added: added.map(format.keys) }, isRight) ?? whole();
}

/** Reads a value; undefined if it cannot be read. Throws everything but `BadRequest`. */
export function tryRead<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}
