import { Busy } from "../../refusals.ts";
import type { ExchangedFile } from "../../store/exchanges.ts";
import type { Manuscript } from "../manuscript.ts";
import type { AskedBeside } from "./import-annotations.ts";
import { type FactFields, factsOf, NO_FACT } from "./import-facts.ts";
import { NO_NOTE, type NoteEntry, type NoteFields, notesOf } from "./import-notes.ts";
import { type BaseEntry, type FileEntry, matchEntries } from "./merge-entries.ts";
import { type AskedFile, findCommon, hasCommon, noteCommon } from "./sync-base-entries.ts";

/** What a file beside the chapters is to the manuscript. */
export interface KnownFile {
  /** The id of each of its entries; undefined for one that was never imported. */
  ids: (string | undefined)[];
  /** All that it says has come into the manuscript. */
  isImported: boolean;
}

/** The folder and the book of files beside the chapters. */
type Where = Omit<ExchangedFile, "file">;

/** What the files of a folder are to the manuscript. */
export function knownBeside(
  manuscript: Manuscript,
  where: Where,
  { facts, notes }: AskedBeside,
): { facts: KnownFile | undefined; notes: KnownFile | undefined } {
  return {
    facts: facts && know(manuscript, where, facts, factSides(manuscript, where)),
    notes: notes && know(manuscript, where, entriesOf(notes), noteSides(manuscript, where)),
  };
}

/**
 * Notes that the files of a folder and the manuscript say the same. Another program that writes at this moment is no
 * reason to fail: then nothing is noted.
 */
export function noteBeside(manuscript: Manuscript, where: Where, { facts, notes }: AskedBeside): void {
  try {
    manuscript.store.setAside(() => {
      if (facts !== undefined) note(manuscript, where, facts, factSides(manuscript, where));
      if (notes === undefined) return;
      note(manuscript, where, entriesOf(notes), noteSides(manuscript, where));
    });
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
  }
}

/** A kind of entries as the manuscript has them. */
interface Kind<Fields> {
  standing: ReadonlyMap<string, Fields>;
  key: keyof Fields & string;
  empty: Fields;
  /** Fields that a file does not say in the manuscript's words. */
  implied: (fields: Fields) => Partial<Fields>;
}

function factSides(manuscript: Manuscript, { bookId }: Where): Kind<FactFields> {
  return { standing: factsOf(manuscript, bookId), key: "name", empty: NO_FACT, implied: () => ({}) };
}

function noteSides({ store }: Manuscript, { bookId }: Where): Kind<NoteFields> {
  const implied = ({ anchor }: NoteFields) => ({ anchor });
  return { standing: notesOf(store, bookId), key: "text", empty: NO_NOTE, implied };
}

function entriesOf(file: AskedFile<NoteEntry>): AskedFile<FileEntry<NoteFields>> {
  const entries = file.entries.map(({ id, fields, said }) => ({ id, fields, said: JSON.stringify(said) }));
  return { ...file, entries };
}

function know<Fields extends object>(
  { store }: Manuscript,
  where: Where,
  { file, hash, entries: asked }: AskedFile<FileEntry<Fields>>,
  kind: Kind<Fields>,
): KnownFile {
  const common = findCommon<Fields>(store, { ...where, file });
  const matches = matchEntries({ asked, base: common?.entries ?? [], standing: kind.standing }, kind);
  const isImported = common?.hash === hash || hasCommon(store, { ...where, file }, hash);
  return { ids: matches.map(({ id }) => id), isImported };
}

function note<Fields extends object>(
  { store }: Manuscript,
  where: Where,
  { file, hash, entries: asked }: AskedFile<FileEntry<Fields>>,
  kind: Kind<Fields>,
): void {
  const { standing } = kind;
  const base = findCommon<Fields>(store, { ...where, file })?.entries ?? [];
  const matches = matchEntries({ asked, base, standing }, kind);
  const claimed = new Set(matches.map(({ id }) => id));
  const entries = asked.flatMap(({ id: mark, fields, said }, index): BaseEntry<Fields>[] => {
    const { id } = matches[index]!; // one an entry
    const theirs = id === undefined ? undefined : standing.get(id);
    if (id === undefined || theirs === undefined) return [];
    const common = { ...fields, ...kind.implied(theirs) };
    return [{ id, mark: mark ?? null, fields: common, ...(said === undefined ? {} : { said }) }];
  });
  const gone = base.filter(({ id }) => standing.has(id) && !claimed.has(id));
  const isWhole = matches.every(({ id }) => id !== undefined);
  noteCommon(
    store,
    { ...where, file },
    { hash: isWhole ? hash : null, entries: [...entries, ...gone] },
    null,
  );
}
