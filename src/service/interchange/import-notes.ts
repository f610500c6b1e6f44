import { SNIPPET_KINDS } from "../../contract/enums.ts";
import type { BookId, ChapterId, SnippetId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import {
  deleteSnippet,
  insertSnippet,
  listSnippets,
  type SnippetRow,
  updateSnippet,
} from "../../store/rows/snippets.ts";
import { theSnippet } from "../annotations/snippets.ts";
import { checkLength, checkText, isNoteUrl, TEXTS } from "../field-rules.ts";
import type { Manuscript } from "../manuscript.ts";
import { type EntryOutcome, type EntryRows, importEntries } from "./import-entries.ts";
import type { EntryImport } from "./import-facts.ts";
import { type FileEntry, matchEntries } from "./merge-entries.ts";
import { type FoundPlace, finder, type NoteAnchor, type SaidAnchor } from "./resolve-anchor.ts";
import { type AskedFile, findBase, noteCommon } from "./sync-base-entries.ts";

/** What a file can say of a note. */
export interface NoteFields {
  kind: SnippetRow["kind"];
  /** "" for none. */
  text: string;
  /** "" for none. */
  url: string;
  items: SnippetRow["items"];
  anchor: NoteAnchor;
}

/** An entry of `notes.yaml`, checked. */
export interface NoteEntry {
  id?: string | undefined;
  fields: Omit<NoteFields, "anchor">;
  said: SaidAnchor;
}

/** What a file says of a note, checked. Throws `BadRequest`, naming `what` and the key. */
export function checkNote(
  what: string,
  { kind, text, url, items }: Omit<NoteEntry["fields"], "kind"> & { kind: string },
): NoteEntry["fields"] {
  if (!isKind(kind))
    throw new BadRequest(`${what}: kind must be one of ${SNIPPET_KINDS.join(", ")}, got "${kind}".`);
  if (url !== "" && !isNoteUrl(url))
    throw new BadRequest(`${what}: url must be an http, https or mailto address.`);
  if (items !== null && kind !== "todo")
    throw new BadRequest(`${what}: items belong to kind todo; leave them out or make it one.`);
  checkLength(what, "items", items ?? []);
  return {
    kind,
    text: checkText(`${what}: text`, text, TEXTS.note),
    url,
    items:
      items?.map(({ text: item, done }) => ({ text: checkText(`${what}: items`, item, TEXTS.todo), done })) ??
      null,
  };
}

function isKind(kind: string): kind is NoteFields["kind"] {
  return (SNIPPET_KINDS as readonly string[]).includes(kind);
}

/** What became of one note. */
export interface NoteOutcome extends EntryOutcome {
  kind: NoteFields["kind"];
  /** The words beside which its place was not found: it stays with its chapter, detached. */
  lost?: string;
}

/** What a note says where its entry leaves a field out. */
export const NO_NOTE: NoteFields = {
  kind: "note",
  text: "",
  url: "",
  items: null,
  anchor: { chapterId: null, blockId: null },
};

/** The notes of a book by id, as a file can say them. */
export function notesOf(store: Store, bookId: BookId): Map<SnippetId, NoteFields> {
  return new Map(listSnippets(store, bookId).map((row) => [row.id, fieldsOf(row)]));
}

function fieldsOf({ kind, text, url, items, chapterId, blockId }: SnippetRow): NoteFields {
  return { kind, text: text ?? "", url: url ?? "", items, anchor: { chapterId, blockId } };
}

/** Where notes are looked for: the book's chapters by what a file may call them. */
export interface NotePlaces {
  /** As they stood before the import touched any chapter. */
  standing: ReadonlyMap<SnippetId, NoteFields>;
  chapters: ReadonlyMap<string, ChapterId>;
}

/** Brings a book's marginalia in step with `notes.yaml`, by three sides; the outcomes are those of its entries, then those gone. */
export function importNotes(
  manuscript: Manuscript,
  act: Act,
  { bookId, folder, standing, chapters, ...options }: EntryImport & NotePlaces,
  { file, hash, entries: asked }: AskedFile<NoteEntry>,
): { outcomes: NoteOutcome[]; ids: string[] } {
  const { store } = manuscript;
  const where = { folder: folder ?? "", bookId, file };
  const { entries: base, isCopy } = findBase<NoteFields>(store, where, hash);
  const found = finder(store, bookId, chapters);
  const places = asked.map(({ said }) => found(said));
  const read = asked.map(({ id, fields, said }, index): FileEntry<NoteFields> => {
    const { anchor } = places[index]!; // one an entry
    return { id, fields: { ...fields, anchor }, said: JSON.stringify(said) };
  });
  const matches = matchEntries({ asked: read, base, standing }, { key: "text", empty: NO_NOTE });
  const entries = read.map((entry, index) => {
    const { base: before, id } = matches[index]!; // one an entry
    if (before !== undefined && before.said === entry.said) return asBefore(entry, before.fields.anchor);
    const isLost = before === undefined && id !== undefined && places[index]!.lost !== undefined;
    return isLost ? asBefore(entry, standing.get(id)?.anchor) : entry;
  });
  const outcome = importEntries(
    { asked: entries, base, standing, matches, isCopy },
    rowsOf(manuscript, act, { bookId, places }),
    options,
  );
  const isWhole = outcome.entries.every(({ status }) => status !== "conflict");
  if (folder !== undefined)
    noteCommon(store, where, { hash: isWhole ? hash : null, entries: outcome.common }, act.seq);
  const lostOf = ({ status, fields }: EntryOutcome, index: number) => {
    const isPlaced = status === "created" || (status === "updated" && fields?.includes("anchor"));
    return isPlaced ? places[index]!.lost : undefined; // one an entry
  };
  return {
    outcomes: [
      ...outcome.entries.map((entry, index): NoteOutcome => {
        const lost = lostOf(entry, index);
        return { kind: asked[index]!.fields.kind, ...entry, ...(lost === undefined ? {} : { lost }) }; // one an entry
      }),
      ...outcome.gone.map((entry) => ({ kind: standing.get(entry.id)?.kind ?? "note", ...entry })),
    ],
    ids: outcome.entries.map(({ id }) => id),
  };
}

function asBefore(entry: FileEntry<NoteFields>, anchor: NoteAnchor | undefined): FileEntry<NoteFields> {
  return anchor === undefined ? entry : { ...entry, fields: { ...entry.fields, anchor } };
}

function rowsOf(
  manuscript: Manuscript,
  act: Act,
  { bookId, places }: { bookId: BookId; places: readonly FoundPlace[] },
): EntryRows<NoteFields> {
  const { store } = manuscript;
  const detachedAt = (index: number, { chapterId }: NoteAnchor): SnippetRow["detached"] => {
    const { detached } = places[index]!; // one an entry
    if (detached === undefined) return null;
    const revision = chapterId === null ? 0 : (findChapter(store, chapterId)?.revision ?? 0);
    return { blockId: detached.block ?? null, quote: detached.quote, revision };
  };
  const placeOf = (anchor: NoteAnchor, index: number) => ({
    ...anchor,
    detached: anchor.blockId === null ? detachedAt(index, anchor) : null,
  });
  return {
    empty: NO_NOTE,
    insert({ anchor, text, url, kind, items }, index) {
      const id = store.mint("snippet");
      const content = { kind, text: text || null, url: url || null, items };
      insertSnippet(store, { id, bookId, ...placeOf(anchor, index), ...content, createdAt: act.at });
      return id;
    },
    update(id, { anchor, text, url, ...rest }, index) {
      updateSnippet(store, {
        ...theSnippet(manuscript, id),
        ...rest,
        ...(text === undefined ? {} : { text: text || null }),
        ...(url === undefined ? {} : { url: url || null }),
        ...(anchor === undefined ? {} : placeOf(anchor, index)),
      });
    },
    drop: (id) => deleteSnippet(store, id),
    clash: ({ kind, items }) => (kind !== "todo" && items !== null ? ["kind", "items"] : []),
  };
}
