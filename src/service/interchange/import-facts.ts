import type { BookId, FactId } from "../../ids.ts";
import type { Act } from "../../store/file/sql.ts";
import { type FactRow, listFacts } from "../../store/rows/facts.ts";
import { changeFact, dropFact, insertFact, type MentionGone } from "../annotations/facts.ts";
import { checkLength, checkText, TEXTS } from "../field-rules.ts";
import type { Manuscript } from "../manuscript.ts";
import { type EntryOutcome, type EntryRows, importEntries } from "./import-entries.ts";
import { type FileEntry, matchEntries } from "./merge-entries.ts";
import { type AskedFile, findBase, noteCommon } from "./sync-base-entries.ts";

/** What a file can say of a fact. */
export type FactFields = Pick<FactRow, "name" | "kind" | "aliases" | "attributes" | "summary">;

/** A fact as a file brings it. */
export interface AskedFact {
  /** Counts only where it is a fact of the book. */
  id?: string;
  name: string;
  kind: string;
  aliases: readonly string[];
  attributes: readonly { key: string; value: string }[];
  summary: string;
}

/** What became of one fact. */
export interface FactOutcome extends EntryOutcome {
  name: string;
  /** Of a fact that was deleted. */
  mentionsDropped?: MentionGone[];
}

/** An entry of `facts.yaml`, checked. */
export type FactEntry = FileEntry<FactFields>;

/** Where a file beside the chapters goes, and what decides where both sides changed. */
export interface EntryImport {
  bookId: BookId;
  /** Where the file is; undefined for none, and then nothing is remembered. */
  folder: string | undefined;
  force: "mine" | "theirs" | undefined;
  isDeleting: boolean;
}

/** What a fact says where its entry leaves a field out. */
export const NO_FACT: FactFields = { name: "", kind: "", aliases: [], attributes: [], summary: "" };

/** Brings a book's facts in step with `facts.yaml`, by three sides; the outcomes are those of its entries, then those gone. */
export function importFacts(
  manuscript: Manuscript,
  act: Act,
  { bookId, folder, ...options }: EntryImport,
  { file, hash, entries: asked }: AskedFile<FactEntry>,
): { outcomes: FactOutcome[]; ids: string[] } {
  const { store } = manuscript;
  const standing = factsOf(manuscript, bookId);
  const where = { folder: folder ?? "", bookId, file };
  const { entries: base, isCopy } = findBase<FactFields>(store, where, hash);
  const sides = { asked, base, standing };
  const matches = matchEntries(sides, { key: "name", empty: NO_FACT });
  const dropped = new Map<string, MentionGone[]>();
  const rows: EntryRows<FactFields> = {
    empty: NO_FACT,
    insert: (fact) => insertFact(manuscript, act, bookId, fact),
    update: (id, fields) => changeFact(manuscript, id, fields),
    drop: (id) => dropped.set(id, dropFact(manuscript, id)),
  };
  const { entries, gone, common } = importEntries({ ...sides, matches, isCopy }, rows, options);
  const isWhole = entries.every(({ status }) => status !== "conflict");
  if (folder !== undefined)
    noteCommon(store, where, { hash: isWhole ? hash : null, entries: common }, act.seq);
  const named = (outcome: EntryOutcome, name: string): FactOutcome => {
    const mentionsDropped = dropped.get(outcome.id);
    return { name, ...outcome, ...(mentionsDropped === undefined ? {} : { mentionsDropped }) };
  };
  return {
    outcomes: [
      ...entries.map((outcome, index) => named(outcome, asked[index]!.fields.name ?? "")), // one an entry
      ...gone.map((outcome) => named(outcome, standing.get(outcome.id)?.name ?? "")),
    ],
    ids: entries.map(({ id }) => id),
  };
}

/** A book's facts as a file can say them, by id. */
export function factsOf({ store }: Manuscript, bookId: BookId): Map<FactId, FactFields> {
  return new Map(
    listFacts(store, bookId).map(({ id, name, kind, aliases, attributes, summary }) => [
      id,
      { name, kind, aliases, attributes, summary },
    ]),
  );
}

/** Adds the facts that a book lacks: one of the same name and kind is the same. Throws `BadRequest`. */
export function addFacts(
  manuscript: Manuscript,
  act: Act,
  bookId: BookId,
  asked: readonly AskedFact[],
): FactOutcome[] {
  const known = new Map(listFacts(manuscript.store, bookId).map((fact) => [keyOf(fact), fact.id]));
  return asked.map(({ id: _, ...brought }) => {
    const fact = { ...NO_FACT, ...checkFact(`The fact ${brought.name}`, brought) };
    const found = known.get(keyOf(fact));
    if (found !== undefined) return { id: found, name: fact.name, status: "same" };
    const id = insertFact(manuscript, act, bookId, fact);
    known.set(keyOf(fact), id);
    return { id, name: fact.name, status: "created" };
  });
}

function keyOf({ name, kind }: { name: string; kind: string }): string {
  return JSON.stringify([name, kind]);
}

/** The fields said, as they are stored. Throws `BadRequest`, naming `what` and the key. */
export function checkFact(what: string, said: Partial<Omit<AskedFact, "id">>): Partial<FactFields> {
  const { name, kind, aliases, attributes, summary } = said;
  checkLength(what, "aliases", aliases);
  checkLength(what, "attributes", attributes);
  return {
    ...(name === undefined ? {} : { name: checkText(`${what}: name`, name, TEXTS.name) }),
    ...(kind === undefined ? {} : { kind: checkText(`${what}: kind`, kind, TEXTS.kind) }),
    ...(aliases === undefined
      ? {}
      : { aliases: [...new Set(aliases.map((alias) => checkText(`${what}: aliases`, alias, TEXTS.name)))] }),
    ...(attributes === undefined
      ? {}
      : {
          attributes: attributes.map(({ key, value }) => ({
            key: checkText(`${what}: attributes`, key, TEXTS.name),
            value: checkText(`${what}: ${key}`, value, TEXTS.attribute),
          })),
        }),
    ...(summary === undefined ? {} : { summary: checkText(`${what}: summary`, summary, TEXTS.summary) }),
  };
}
