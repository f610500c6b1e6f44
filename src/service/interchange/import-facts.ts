import { type FactFields, NO_FACT } from "../../book/book.ts";
import type { FileEntry } from "../../book/match-entries.ts";
import type { EntryOutcome } from "../../book/merge-entries.ts";
import type { BookId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import { listFacts } from "../../store/rows/facts.ts";
import { asOneLine } from "../../text/clean-text.ts";
import type { Side } from "../../three-way.ts";
import { changeFact, dropFact, insertFact } from "../annotations/facts.ts";
import { checkLength, checkText, TEXTS } from "../field-rules.ts";
import type { Manuscript } from "../manuscript.ts";
import type { MentionDropped } from "../present.ts";
import { type AppliedEntries, applyEntries, type EntryFile, matchFile } from "./apply-entries.ts";
import type { BaseRows } from "./import/base-rows.ts";
import type { EntryKind } from "./signatures.ts";
import type { WorkingCopy } from "./working-copy.ts";

/** A fact as a file brings it. */
export type IncomingFact = FactFields;

/** Outcome for one fact. */
export interface FactOutcome extends EntryOutcome {
  name: string;
  /** Mentions that were dropped with a deleted fact. */
  mentionsDropped?: MentionDropped[];
}

/** An entry of `facts.yaml`, checked. */
export type IncomingFactEntry = FileEntry<FactFields>;

/** Options for importing a file of entries. */
export interface EntryImport<Fields> {
  kind: EntryKind<Fields>;
  bookId: BookId;
  /** Undefined for no folder: nothing is recorded then. */
  copy: WorkingCopy | undefined;
  /** Undefined if the newest exchange is the base of every file. */
  rows: BaseRows | undefined;
  force: Side | undefined;
  isDeleting: boolean;
}

/** Result of importing a file of entries: outcomes for its entries, then for those it lost. */
export interface ImportedEntries<Outcome> {
  outcomes: Outcome[];
  /** Ids of the file's entries. */
  ids: string[];
  /** Returns the row for the working copy, once the act is derived; undefined if the file brought nothing new. */
  copied: (() => AppliedEntries["copied"]) | undefined;
  /**
   * True if the file still matches what is stored, once the act is derived: words quoted by a note may have changed.
   */
  isSame: () => boolean;
}

/** Imports a book's facts from `facts.yaml` by a three-way merge. */
export function importFacts(
  manuscript: Manuscript,
  act: Act,
  { bookId, copy, rows, kind, chapters, ...options }: EntryImport<FactFields> & { chapters: ChapterPlaces },
  file: EntryFile<IncomingFactEntry>,
): ImportedEntries<FactOutcome> {
  const incoming = file.read().map((entry) => withChapters(entry, chapters, kind.stored.values()));
  const sides = matchFile(manuscript.store, { bookId, copy, rows }, file, { incoming, kind });
  const dropped = new Map<string, MentionDropped[]>();
  const { entries, gone, common } = applyEntries(
    sides,
    { ...file, kind },
    {
      insert: (fact) => insertFact(manuscript, act, bookId, onOneLine(fact)),
      update: (id, fields) => changeFact(manuscript, id, onOneLine(fields)),
      drop: (id) => dropped.set(id, dropFact(manuscript, id)),
    },
    options,
  );
  const named = (outcome: EntryOutcome, name: string): FactOutcome => {
    const mentionsDropped = dropped.get(outcome.id);
    return { name, ...outcome, ...(mentionsDropped === undefined ? {} : { mentionsDropped }) };
  };
  return {
    outcomes: [
      ...entries.map((outcome, index) => named(outcome, incoming[index]?.fields.name ?? "")),
      ...gone.map((outcome) => named(outcome, kind.stored.get(outcome.id)?.name ?? "")),
    ],
    ids: entries.map(({ id }) => id),
    copied: common,
    isSame: () => false,
  };
}

/** Files of the book's chapters, by id. */
type ChapterPlaces = ReadonlyMap<string, string | null>;

/** Returns the entry with ids of chapters in place of files. Throws `BadRequest` for a missing chapter. */
function withChapters(
  entry: IncomingFactEntry,
  chapters: ChapterPlaces,
  stored: Iterable<FactFields>,
): IncomingFactEntry {
  const { attributes, name } = entry.fields;
  if (attributes === undefined) return entry;
  const found = attributes.map(({ fromChapterId: said, ...attribute }) => {
    if (said === undefined) return attribute;
    const isKnown = chapters.has(said) || isHeld(said, stored);
    const fromChapterId = isKnown ? said : [...chapters].find(([, file]) => file === said)?.[0];
    if (fromChapterId !== undefined) return { ...attribute, fromChapterId };
    throw new BadRequest(
      `The fact ${name}: ${attribute.key}: from: no chapter of the book has the file "${said}"; name one, or leave "from" out.`,
    );
  });
  return { ...entry, fields: { ...entry.fields, attributes: found } };
}

/** True if a stored fact refers to the chapter, which may have been deleted since. */
function isHeld(chapterId: string, stored: Iterable<FactFields>): boolean {
  return [...stored].some(({ attributes }) => attributes.some((one) => one.fromChapterId === chapterId));
}

/** Adds facts that the book lacks. Equal name and kind mean the same fact. Throws `BadRequest`. */
export function addFacts(
  manuscript: Manuscript,
  act: Act,
  bookId: BookId,
  incoming: readonly IncomingFact[],
): FactOutcome[] {
  if (incoming.length === 0) return [];
  const known = new Map(listFacts(manuscript.store, bookId).map((fact) => [keyOf(fact), fact.id]));
  return incoming.map((brought) => {
    const fact = { ...NO_FACT, ...checkFact(`The fact ${brought.name}`, brought) };
    const found = known.get(keyOf(fact));
    if (found !== undefined) return { id: found, name: fact.name, status: "same" };
    const id = insertFact(manuscript, act, bookId, onOneLine(fact));
    known.set(keyOf(fact), id);
    return { id, name: fact.name, status: "created" };
  });
}

function keyOf({ name, kind }: { name: string; kind: string }): string {
  return JSON.stringify([name, kind]);
}

/** A file may give a name several lines; stored is one. */
const NAME = { ...TEXTS.name, isName: false };

function onOneLine<Fields extends Partial<FactFields>>(fields: Fields): Fields {
  const { name, aliases, attributes } = fields;
  return {
    ...fields,
    ...(name && { name: asOneLine(name) }),
    ...(aliases && { aliases: aliases.map(asOneLine) }),
    ...(attributes && { attributes: attributes.map((one) => ({ ...one, key: asOneLine(one.key) })) }),
  };
}

/** Returns the given fields, checked. Throws `BadRequest`, naming `what` and the key. */
export function checkFact(what: string, said: Partial<IncomingFact>): Partial<FactFields> {
  const { name, kind, aliases, attributes, summary } = said;
  checkLength(what, "aliases", aliases);
  checkLength(what, "attributes", attributes);
  return {
    ...(name === undefined ? {} : { name: checkText(`${what}: name`, name, NAME) }),
    ...(kind === undefined ? {} : { kind: checkText(`${what}: kind`, kind, TEXTS.kind) }),
    ...(aliases === undefined
      ? {}
      : { aliases: [...new Set(aliases.map((alias) => checkText(`${what}: aliases`, alias, NAME)))] }),
    ...(attributes === undefined
      ? {}
      : {
          attributes: attributes.map(({ key, value, ...from }) => ({
            ...from,
            key: checkText(`${what}: attributes`, key, NAME),
            value: checkText(`${what}: ${key}`, value, TEXTS.attribute),
          })),
        }),
    ...(summary === undefined ? {} : { summary: checkText(`${what}: summary`, summary, TEXTS.summary) }),
  };
}
