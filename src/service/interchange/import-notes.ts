import type { NoteAnchor, NoteFields } from "../../book/book.ts";
import type { FileEntry } from "../../book/match-entries.ts";
import type { EntryOutcome } from "../../book/merge-entries.ts";
import { SNIPPET_KINDS } from "../../contract/enums.ts";
import type { BookId, ChapterId, SnippetId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
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
import { noteLines } from "../present.ts";
import { applyEntries, type EntryFile, type EntryRows, matchFile } from "./apply-entries.ts";
import type { EntryImport, ImportedEntries } from "./import-facts.ts";
import { chaptersByName, type FoundPlace, finder, type SaidAnchor } from "./resolve-anchor.ts";

/** An entry of `notes.yaml`, checked. */
export interface IncomingNoteEntry {
  id?: string | undefined;
  fields: Omit<NoteFields, "anchor">;
  said: SaidAnchor;
}

/** Returns a note's fields, checked. Throws `BadRequest`, naming `what` and the key. */
export function checkNote(
  what: string,
  { kind, text, url, items }: Omit<IncomingNoteEntry["fields"], "kind"> & { kind: string },
): IncomingNoteEntry["fields"] {
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

/** Outcome for one note. */
export interface NoteOutcome extends EntryOutcome {
  kind: NoteFields["kind"];
  /** Quote that was not found. The note stays with its chapter, detached. */
  lost?: string;
}

/** Chapters of the import, and their files. */
interface NotePlaces {
  chapters: readonly { file: string | null; id: ChapterId }[];
}

/** A note of another program. */
export interface ForeignNote {
  /** File of its chapter; undefined for a note to the book. */
  chapter?: string | undefined;
  /** Place of its chapter among those that are imported, from 0, where they have no files. */
  at?: number | undefined;
  /** Id of its paragraph, if the program knew it. */
  block?: string | undefined;
  /** Beginning of its paragraph; undefined for a note to the chapter. */
  quote?: string | undefined;
  /** Place of its paragraph among those that begin so, from 1. */
  nth?: number | undefined;
  text: string;
  /** Set if it may be one of the book's own notes that was sent out: how that reads, and what was answered to it. */
  sent?: { text: string; answers: string } | undefined;
}

/** Adds notes that the book lacks. As many notes of equal text as its chapter has are known. Throws `BadRequest`. */
export function addNotes(
  manuscript: Manuscript,
  act: Act,
  { bookId, chapters }: { bookId: BookId } & NotePlaces,
  incoming: readonly ForeignNote[],
): NoteOutcome[] {
  if (incoming.length === 0) return [];
  const { store } = manuscript;
  const keyOf = (chapterId: ChapterId | null, text: string | null) => JSON.stringify([chapterId, text]);
  const known = new Map<string, SnippetRow[]>();
  for (const row of listSnippets(store, bookId)) {
    const key = keyOf(row.chapterId, row.text);
    known.set(key, [...(known.get(key) ?? []), row]);
  }
  const found = finder(store, bookId, chaptersByName(store, bookId, chapters));
  const places = incoming.map(({ chapter, at, block, quote, nth }) =>
    found(withoutMissing({ chapter: at === undefined ? chapter : chapters[at]?.id, block, quote, nth })),
  );
  const rows = rowsOf(manuscript, act, { bookId, places });
  const told = new Map(
    listSnippets(store, bookId).map((row) => [keyOf(row.chapterId, noteLines(row).join("\n")), row.id]),
  );
  return incoming.map(({ text: whole, sent }, index): NoteOutcome => {
    const { anchor, lost } = places[index]!; // one a note
    const own = sent && told.get(keyOf(anchor.chapterId, sent.text));
    if (own !== undefined && sent?.answers === "") return { kind: "note", id: own, status: "same" };
    const text = own === undefined ? whole : (sent?.answers ?? whole);
    const note = checkNote("A note", { kind: "note", text, url: "", items: null });
    // "Typo?" may stand on two paragraphs: each known note is one of these once, on its own paragraph first.
    const same = known.get(keyOf(anchor.chapterId, text)) ?? [];
    const at = same.findIndex(({ blockId }) => blockId === anchor.blockId);
    const [row] = same.splice(Math.max(at, 0), 1);
    if (row !== undefined) return { kind: "note", id: row.id, status: "same" };
    const made = rows.insert({ ...note, anchor }, index) as SnippetId;
    return { kind: "note", id: made, status: "created", ...(lost === undefined ? {} : { lost }) };
  });
}

function withoutMissing(said: { [Key in keyof SaidAnchor]: SaidAnchor[Key] | undefined }): SaidAnchor {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/**
 * Imports a book's notes from `notes.yaml` by a three-way merge, after its chapters, in which quotes are looked up.
 */
export function importNotes(
  manuscript: Manuscript,
  act: Act,
  { bookId, copy, rows, kind, chapters, ...options }: EntryImport<NoteFields> & NotePlaces,
  file: EntryFile<IncomingNoteEntry>,
): ImportedEntries<NoteOutcome> {
  const read = file.read();
  const found = finder(manuscript.store, bookId, chaptersByName(manuscript.store, bookId, chapters));
  const placed = read.map((entry) => ({ ...entry, place: found(entry.said) }));
  const places = placed.map(({ place }) => place);
  const said = placed.map(
    ({ id, fields, said: words, place }): FileEntry<NoteFields> => ({
      id,
      fields: { ...fields, anchor: place.anchor },
      said: JSON.stringify(words),
    }),
  );
  const sides = matchFile(manuscript.store, { bookId, copy, rows }, file, { incoming: said, kind });
  const incoming = said.map((entry, index) => {
    const { base, id } = sides.matches[index] ?? {};
    if (base !== undefined && base.said === entry.said) return asBefore(entry, base.fields.anchor);
    const isLost = base === undefined && id !== undefined && places[index]?.lost !== undefined;
    return isLost ? asBefore(entry, kind.stored.get(id)?.anchor) : entry;
  });
  const { entries, gone, common } = applyEntries(
    { ...sides, incoming },
    { ...file, kind },
    rowsOf(manuscript, act, { bookId, places }),
    options,
  );
  const lostOf = ({ status, fields }: EntryOutcome, index: number) => {
    const isPlaced = status === "created" || (status === "updated" && fields?.includes("anchor"));
    return isPlaced ? places[index]?.lost : undefined;
  };
  return {
    outcomes: [
      ...entries.map((entry, index): NoteOutcome => {
        const lost = lostOf(entry, index);
        const noteOf = read[index]?.fields.kind ?? "note";
        return { kind: noteOf, ...entry, ...(lost === undefined ? {} : { lost }) };
      }),
      ...gone.map((entry) => ({ kind: kind.stored.get(entry.id)?.kind ?? "note", ...entry })),
    ],
    ids: entries.map(({ id }) => id),
    copied: common,
    isSame: () => false,
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
    const detached = places[index]?.detached;
    if (detached === undefined) return null;
    const revision = chapterId === null ? 0 : (findChapter(store, chapterId)?.revision ?? 0);
    return { blockId: detached.block ?? null, quote: detached.quote, revision };
  };
  const placeOf = (anchor: NoteAnchor, index: number) => ({
    ...anchor,
    detached: anchor.blockId === null ? detachedAt(index, anchor) : null,
  });
  return {
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
  };
}
