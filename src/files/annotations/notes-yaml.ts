import { BadRequest } from "../../refusals.ts";
import { checkNote, type IncomingNoteEntry } from "../../service/interchange/import-notes.ts";
import type { BookAnnotations, NoteExport } from "../../service/interchange/read-annotations.ts";
import { findQuotedLeaf, type SaidAnchor } from "../../service/interchange/resolve-anchor.ts";
import { isoTimeOf } from "../../text/day.ts";
import { NOTE_KEYS } from "../format/keys.ts";
import { withoutUndefined, type Yaml } from "../yaml/open.ts";
import { type EntryReader, readEntries } from "../yaml/read-entries.ts";
import type { EntryKeys } from "../yaml/write.ts";
import { NOTES_YAML } from "./annotation-texts.ts";

type NoteKey = keyof typeof NOTE_KEYS;

/** Reads `notes.yaml`. Throws `BadRequest`, naming file, entry and key. */
export function readNotes(yaml: Yaml, text: string): IncomingNoteEntry[] {
  return readEntries<NoteKey>(yaml, text, NOTES_YAML).map((entry) => {
    const id = entry.text("id");
    return { ...(id === undefined ? {} : { id }), fields: readContent(entry), said: readAnchor(entry) };
  });
}

function readContent(entry: EntryReader<NoteKey>): IncomingNoteEntry["fields"] {
  const items = entry.list("items")?.map((item) => {
    const text = item.text("text") ?? item.text("") ?? "";
    return { text, done: item.flag("done") ?? false };
  });
  const kind = entry.text("kind") ?? (items === undefined ? "note" : "todo");
  const replies = entry.list("replies")?.map((reply) => ({
    author: reply.text("author") ?? "",
    text: reply.text("text") ?? reply.text("") ?? "",
    at: isoTimeOf(reply.text("at")),
  }));
  return checkNote(entry.what, {
    kind,
    text: entry.text("text") ?? "",
    url: entry.text("url") ?? "",
    items: items ?? null,
    author: entry.text("author") ?? "",
    about: entry.text("about") ?? "",
    replies: replies ?? [],
    resolved: entry.flag("resolved") ?? false,
  });
}

function readAnchor(entry: EntryReader<NoteKey>): SaidAnchor {
  const nth = entry.text("nth");
  if (nth !== undefined && !/^[1-9]\d{0,6}$/.test(nth))
    throw new BadRequest(`${entry.what}: nth must be a number from 1 on, got "${nth}".`);
  const detached = entry.map("detached");
  return withoutUndefined({
    chapter: entry.text("chapter"),
    block: entry.text("block"),
    quote: entry.text("quote"),
    nth: nth === undefined ? undefined : Number(nth),
    detached:
      detached && withoutUndefined({ quote: detached.text("quote") ?? "", block: detached.text("block") }),
  });
}

/** Text for locating a book's notes, and the file of each chapter. */
export interface NotePages extends Pick<BookAnnotations, "leaves"> {
  fileOf: ReadonlyMap<string, string>;
}

/** Returns a note as an entry of the file. */
export function noteKeys(note: NoteExport, pages: NotePages): EntryKeys {
  const said = [...contentOf(note), ...anchorOf(note, pages)].filter(([, value]) => value !== undefined);
  const all: Readonly<Record<string, unknown>> = { ...Object.fromEntries(said), id: note.id };
  const keys = Object.keys(NOTE_KEYS).filter((key) => key in all);
  return new Map(keys.map((key) => [key, all[key]]));
}

type Pairs = [string, unknown][];

function contentOf({ kind, text, url, items, author, quote, replies, resolved }: NoteExport): Pairs {
  const list = items?.map(
    ({ text: item, done }) =>
      new Map<string, unknown>([
        ["text", item],
        ["done", done],
      ]),
  );
  return [
    ["kind", kind],
    ["text", text || undefined],
    ["url", url || undefined],
    ["items", list],
    ["author", author || undefined],
    ["about", quote || undefined],
    ["replies", replies.length === 0 ? undefined : replies.map(replyKeys)],
    ["resolved", resolved || undefined],
  ];
}

function replyKeys({ author, text, at }: NoteExport["replies"][number]): EntryKeys {
  return new Map<string, unknown>([
    ["author", author],
    ["text", text],
    ...(at === null ? [] : [["at", at] as const]),
  ]);
}

function anchorOf({ chapterId, blockId, place, detached }: NoteExport, { fileOf }: NotePages): Pairs {
  return [
    ["chapter", chapterId === null ? undefined : fileOf.get(chapterId)],
    ["block", blockId ?? undefined],
    ["quote", place?.quote],
    ["nth", place?.nth],
    [
      "detached",
      detached === null
        ? undefined
        : new Map([
            ["quote", detached.quote],
            ...(detached.block === null ? [] : [["block", detached.block] as const]),
          ]),
    ],
  ];
}

/** Returns the keys of an entry that have to change for it to describe the note. */
export function changedNoteKeys(entry: IncomingNoteEntry, note: NoteExport, pages: NotePages): EntryKeys {
  const { fields, said, id } = entry;
  const same: Readonly<Record<string, boolean>> = {
    kind: fields.kind === note.kind,
    text: fields.text === (note.text ?? ""),
    url: fields.url === (note.url ?? ""),
    items: JSON.stringify(fields.items) === JSON.stringify(note.items),
    author: fields.author === (note.author ?? ""),
    about: fields.about === (note.quote ?? ""),
    replies: JSON.stringify(fields.replies) === JSON.stringify(note.replies),
    resolved: fields.resolved === note.resolved,
  };
  return new Map<string, unknown>([
    ...(id === note.id ? [] : [["id", note.id] as const]),
    ...contentOf(note).filter(([key]) => !same[key]),
    ...(leadsTo(said, note, pages) ? [] : changedAnchor(said, note, pages)),
  ]);
}

function changedAnchor(said: SaidAnchor, note: NoteExport, pages: NotePages): Pairs {
  return anchorOf(note, pages).filter(([key, value]) => {
    const plain = value instanceof Map ? Object.fromEntries(value) : value;
    return JSON.stringify(said[key as keyof SaidAnchor]) !== JSON.stringify(plain);
  });
}

/** True if an entry's own words still lead to the note's place. */
function leadsTo(said: SaidAnchor, note: NoteExport, { leaves, fileOf }: NotePages): boolean {
  const { chapterId, blockId, detached } = note;
  if ((said.chapter ?? null) !== (chapterId === null ? null : (fileOf.get(chapterId) ?? null))) return false;
  if (chapterId === null || blockId === null) {
    const isLoose = said.block === undefined && said.quote === undefined;
    const was = said.detached && { quote: said.detached.quote, block: said.detached.block ?? null };
    return isLoose && JSON.stringify(was ?? null) === JSON.stringify(detached);
  }
  if (said.detached !== undefined || (said.block !== undefined && said.block !== blockId)) return false;
  const { quote, nth } = said;
  if (quote === undefined) return said.block === blockId;
  return findQuotedLeaf(leaves.get(chapterId) ?? [], { quote, nth }) === blockId;
}
