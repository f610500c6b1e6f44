import { NO_NOTE, type NoteAnchor, type NoteFields } from "../../book/book.ts";
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
  OWN_NOTE,
  type SnippetRow,
  updateSnippet,
} from "../../store/rows/snippets.ts";
import { groupBy } from "../../text/group-by.ts";
import { theSnippet } from "../annotations/snippets.ts";
import { checkLength, checkText, isNoteUrl, metadataOf, TEXTS } from "../field-rules.ts";
import { theBook } from "../guards.ts";
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
  note: Partial<Omit<IncomingNoteEntry["fields"], "kind">> & { kind: string },
): IncomingNoteEntry["fields"] {
  const { kind, text, url, items, author, about, replies, resolved } = { ...NO_NOTE, ...note };
  if (!isKind(kind))
    throw new BadRequest(`${what}: kind must be one of ${SNIPPET_KINDS.join(", ")}, got "${note.kind}".`);
  if (url !== "" && !isNoteUrl(url))
    throw new BadRequest(`${what}: url must be an http, https or mailto address.`);
  if (items !== null && kind !== "todo")
    throw new BadRequest(`${what}: items belong to kind todo; leave them out or make it one.`);
  checkLength(what, "items", items ?? []);
  checkLength(what, "replies", replies);
  const named = { most: TEXTS.name.most, mayBeBlank: true };
  return {
    kind,
    text: checkText(`${what}: text`, text, TEXTS.note),
    url,
    items:
      items?.map(({ text: item, done }) => ({ text: checkText(`${what}: items`, item, TEXTS.todo), done })) ??
      null,
    author: checkText(`${what}: author`, author, named),
    about: checkText(`${what}: about`, about, TEXTS.note),
    replies: replies.map(({ author: by, text: said, at }) => ({
      author: checkText(`${what}: the author of a reply`, by, named),
      text: checkText(`${what}: replies`, said, TEXTS.note),
      at,
    })),
    resolved,
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

/** Name of a writer whose book names no author, in documents. */
const UNNAMED_WRITER = "Author";

/** A note of another program. */
export interface ForeignNote extends Partial<Pick<NoteFields, "author" | "about" | "replies" | "resolved">> {
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
}

/**
 * Adds notes that the book lacks. One with the author and text of a note in its chapter is that note, which learns what
 * was answered to it, and that it is settled. Throws `BadRequest`.
 */
export function addNotes(
  manuscript: Manuscript,
  act: Act,
  { bookId, chapters }: { bookId: BookId } & NotePlaces,
  incoming: readonly ForeignNote[],
): NoteOutcome[] {
  if (incoming.length === 0) return [];
  const { store } = manuscript;
  const writer = metadataOf(theBook(manuscript, bookId)).author ?? UNNAMED_WRITER;
  const keyOf = (chapterId: ChapterId | null, author: string, text: string) =>
    JSON.stringify([chapterId, author, text]);
  const known = groupBy(listSnippets(store, bookId), (row) =>
    keyOf(row.chapterId, row.author ?? "", noteLines(row).join("\n")),
  );
  const found = finder(store, bookId, chaptersByName(store, bookId, chapters));
  const places = incoming.map(({ chapter, at, block, quote, nth }) =>
    found(withoutMissing({ chapter: at === undefined ? chapter : chapters[at]?.id, block, quote, nth })),
  );
  const rows = rowsOf(manuscript, act, { bookId, places });
  return incoming.map(({ text, author, about, replies, resolved }, index): NoteOutcome => {
    const { anchor, lost } = places[index]!; // one a note
    const by = saidBy(author ?? "", writer);
    const note = checkNote("A note", withoutMissing({ ...by, text, about, replies, resolved }));
    // "Typo?" may stand on two paragraphs: each known note is one of these once, on its own paragraph first.
    const same = known.get(keyOf(anchor.chapterId, note.author, text)) ?? [];
    const at = same.findIndex(({ blockId }) => blockId === anchor.blockId);
    const [row] = same.splice(Math.max(at, 0), 1);
    if (row === undefined) {
      const made = rows.insert({ ...note, anchor }, index) as SnippetId;
      return { kind: note.kind, id: made, status: "created", ...(lost === undefined ? {} : { lost }) };
    }
    const news = newsOf(row, note);
    if (Object.keys(news).length > 0) rows.update(row.id, news, index);
    return { kind: row.kind, id: row.id, status: Object.keys(news).length > 0 ? "updated" : "same" };
  });
}

/** How a document names the author of a note of the writer's own: an export puts the kind in brackets. */
function saidBy(author: string, writer: string): Pick<NoteFields, "author" | "kind"> {
  const [, name = author, kind = "note"] = /^(.*) \((\w+)\)$/.exec(author) ?? [];
  return name === writer && isKind(kind) ? { author: "", kind } : { author, kind: "note" };
}

/** Replies that a known note lacks, and that it is settled. What is settled here stays so. */
function newsOf(row: SnippetRow, { replies, resolved }: Pick<NoteFields, "replies" | "resolved">) {
  const said = new Set(row.replies.map(({ author, text }) => JSON.stringify([author, text])));
  const fresh = replies.filter(({ author, text }) => !said.has(JSON.stringify([author, text])));
  return {
    ...(fresh.length > 0 && { replies: [...row.replies, ...fresh] }),
    ...(resolved && !row.resolved && { resolved }),
  };
}

function withoutMissing<Said extends object>(
  said: Said,
): { [Key in keyof Said]: Exclude<Said[Key], undefined> } {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as never;
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
    insert({ anchor, ...fields }, index) {
      const id = store.mint("snippet");
      const note = { ...OWN_NOTE, ...fields, ...columnsOf(fields), ...placeOf(anchor, index) };
      insertSnippet(store, { id, bookId, ...note, createdAt: act.at });
      return id;
    },
    update(id, { anchor, ...fields }, index) {
      const place = anchor === undefined ? {} : placeOf(anchor, index);
      updateSnippet(store, { ...theSnippet(manuscript, id), ...columnsOf(fields), ...place });
    },
    drop: (id) => deleteSnippet(store, id),
  };
}

/** Returns the columns of the fields that are given: an empty text is none. */
function columnsOf({ about: quote, ...fields }: Partial<NoteFields>): Partial<SnippetRow> {
  const given = Object.entries({ ...fields, quote }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([column, value]) => [column, value === "" ? null : value]));
}
