import { LENGTHS } from "../../contract/limits.ts";
import type { BookId, ChapterId, FactId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import type { Store } from "../file/store.ts";
import type { ChapterRow } from "./chapters.ts";

/** One attribute of a fact; keys may repeat. */
export interface Attribute {
  key: string;
  value: string;
  /** The chapter from which on it holds; it may have been deleted since. */
  fromChapterId?: string;
}

/** A fact as stored; times in milliseconds since 1970. */
export interface FactRow {
  id: FactId;
  bookId: BookId;
  name: string;
  kind: string;
  aliases: string[];
  attributes: Attribute[];
  summary: string;
  createdAt: number;
  updatedAt: number;
}

type Raw = Omit<FactRow, "aliases" | "attributes"> & { aliases: string; attributes: string };

const FACT =
  "SELECT id, book_id AS bookId, name, kind, aliases, attributes, summary, created_at AS createdAt, updated_at AS updatedAt FROM facts";

const shape = (row: Raw): FactRow => ({
  ...row,
  aliases: JSON.parse(row.aliases),
  attributes: JSON.parse(row.attributes),
});

/** Throws `BadRequest` for too many aliases or attributes: an export would write what no import takes. */
function toColumns<Row extends Pick<FactRow, "name" | "aliases" | "attributes">>(fact: Row) {
  for (const key of ["aliases", "attributes"] as const)
    if (fact[key].length > LENGTHS[key])
      throw new BadRequest(
        `“${fact.name}”: ${key} must be at most ${LENGTHS[key]}, got ${fact[key].length}. Remove some first.`,
      );
  return {
    ...fact,
    aliases: JSON.stringify(fact.aliases),
    attributes: JSON.stringify(fact.attributes),
  };
}

/** A book's facts by name, case ignored. */
export function listFacts(store: Store, bookId: BookId): FactRow[] {
  const rows = store.all<Raw>(`${FACT} WHERE book_id = ?`, bookId).map(shape);
  const order = new Intl.Collator("en", { sensitivity: "base", numeric: true });
  return rows.sort((a, b) => order.compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
}

/** The fact, or undefined. */
export function findFact(store: Store, id: FactId): FactRow | undefined {
  const row = store.get<Raw>(`${FACT} WHERE id = ?`, id);
  return row === undefined ? undefined : shape(row);
}

/** True if the book has any fact. */
export function hasFacts(store: Store, bookId: BookId): boolean {
  return store.get("SELECT 1 FROM facts WHERE book_id = ?", bookId) !== undefined;
}

/** True if the book has a fact of this name already. */
export function hasFactNamed(store: Store, bookId: BookId, name: string): boolean {
  return store.get("SELECT 1 FROM facts WHERE book_id = ? AND name = ?", bookId, name) !== undefined;
}

/** Adds a fact without mentions. */
export function insertFact(store: Store, fact: Omit<FactRow, "updatedAt">): void {
  store.run(
    `INSERT INTO facts(id, book_id, name, kind, aliases, attributes, summary, created_at)
     VALUES(:id, :bookId, :name, :kind, :aliases, :attributes, :summary, :createdAt)`,
    toColumns(fact),
  );
}

/** Writes a fact's own fields over the stored ones. */
export function updateFact(store: Store, fact: FactRow): void {
  store.run(
    "UPDATE facts SET name = :name, kind = :kind, aliases = :aliases, attributes = :attributes, summary = :summary WHERE id = :id",
    toColumns(fact),
  );
}

/** Lets attributes that hold from one chapter on hold from another on. */
export function moveFromChapter(store: Store, from: Pick<ChapterRow, "id" | "bookId">, to: ChapterId): void {
  const inJson = (id: ChapterId) => JSON.stringify({ fromChapterId: id }).slice(1, -1); // no text holds bare quotes
  store.run(
    `UPDATE facts SET attributes = replace(attributes, :from, :to) WHERE book_id = :bookId AND instr(attributes, :from) > 0`,
    { from: inJson(from.id), to: inJson(to), bookId: from.bookId },
  );
}

/** Deletes a fact; its mentions must be deleted or moved in the same act. */
export function deleteFact(store: Store, id: FactId): void {
  store.run("DELETE FROM fact_merges WHERE fact_id = ?", id);
  store.run("DELETE FROM facts WHERE id = ?", id);
}

/**
 * Moves every mention of one fact to another and records where its name leads; one that stands where the other fact has
 * one already goes. Returns how many moved.
 */
export function moveMentions(
  store: Store,
  { from, to, bookId }: { from: FactId; to: FactId; bookId: BookId },
): number {
  store.run(
    `DELETE FROM mentions WHERE fact_id = :from AND (block_id, start, "end") IN
     (SELECT block_id, start, "end" FROM mentions WHERE fact_id = :to)`,
    { from, to },
  );
  const moved = store.run("UPDATE mentions SET fact_id = ? WHERE fact_id = ?", to, from);
  store.run("UPDATE fact_merges SET fact_id = ? WHERE fact_id = ?", to, from);
  store.run("INSERT INTO fact_merges(id, book_id, fact_id) VALUES(?, ?, ?)", from, bookId, to);
  return moved;
}

/** The book's fact for each id of a fact, or of one that was merged into it. */
export function resolveFacts(store: Store, bookId: BookId, ids: readonly string[]): Map<string, FactId> {
  const rows = store.all<{ id: string; factId: FactId }>(
    `SELECT id, id AS factId FROM facts WHERE book_id = :bookId AND id IN (SELECT value FROM json_each(:ids))
     UNION SELECT id, fact_id FROM fact_merges WHERE book_id = :bookId AND id IN (SELECT value FROM json_each(:ids))`,
    { bookId, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map(({ id, factId }) => [id, factId]));
}
