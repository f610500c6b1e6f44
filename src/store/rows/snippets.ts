import type { SNIPPET_KINDS } from "../../contract/enums.ts";
import type { BlockId, BookId, ChapterId, SnippetId } from "../../ids.ts";
import { Damaged } from "../../refusals.ts";
import type { Store } from "../file/store.ts";
import { type Hashable, intactRows, intactSql, isUnchecked } from "./integrity.ts";
import { ranksBetween } from "./rank.ts";

/** A kind of marginalia. */
export type SnippetKind = (typeof SNIPPET_KINDS)[number];

/** Where a snippet was anchored before its paragraph or its chapter was removed. */
export interface Detached {
  blockId: BlockId | null;
  quote: string;
  revision: number;
  /** The removed chapter; undefined while the snippet still belongs to its chapter. */
  chapterId?: ChapterId;
}

/** A reply to a note. `at` is ISO 8601, or null if the time is unknown. */
export interface Reply {
  author: string;
  text: string;
  at: string | null;
}

/** Defaults for a note that the writer made: no author, no replies. */
export const OWN_NOTE: Pick<SnippetRow, "author" | "quote" | "replies" | "resolved"> = {
  author: null,
  quote: null,
  replies: [],
  resolved: false,
};

/** A snippet as stored; times in milliseconds since 1970. */
export interface SnippetRow {
  id: SnippetId;
  bookId: BookId;
  chapterId: ChapterId | null;
  blockId: BlockId | null;
  kind: SnippetKind;
  text: string | null;
  url: string | null;
  items: { text: string; done: boolean }[] | null;
  /** Who said it, if not the writer. */
  author: string | null;
  /** The words of its paragraph that it is about. */
  quote: string | null;
  replies: Reply[];
  /** True if it is settled. */
  resolved: boolean;
  detached: Detached | null;
  createdAt: number;
  updatedAt: number;
}

type Raw = Omit<SnippetRow, "items" | "detached" | "replies" | "resolved"> & {
  items: string | null;
  detached: string | null;
  replies: string | null;
  resolved: number | null;
};

const SNIPPET = `SELECT s.id, s.book_id AS bookId, s.chapter_id AS chapterId, s.block_id AS blockId, s.kind, s.text, s.url, s.items, s.detached,
  s.author, s.quote, s.replies, s.resolved, s.created_at AS createdAt, s.updated_at AS updatedAt, ${intactSql("snippets", "s")} FROM snippets s`;

const shaped = (store: Store, rows: readonly Hashable<Raw>[]): SnippetRow[] =>
  intactRows(store, ({ id }) => `note ${id}`, rows).map((row) => ({
    ...row,
    items: row.items === null ? null : JSON.parse(row.items),
    replies: row.replies === null ? [] : JSON.parse(row.replies),
    resolved: row.resolved === 1,
    detached: row.detached === null ? null : JSON.parse(row.detached),
  }));
const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
const toColumns = (snippet: Omit<SnippetRow, "updatedAt">) => ({
  ...snippet,
  items: json(snippet.items),
  replies: snippet.replies.length > 0 ? json(snippet.replies) : null,
  resolved: snippet.resolved ? 1 : null,
  detached: json(snippet.detached),
});

/** A book's snippets: those of no chapter first, then in chapter order, oldest first. */
export function listSnippets(store: Store, bookId: BookId): SnippetRow[] {
  return listBy(store, "book_id", bookId);
}

/** True if the book has any snippet. */
export function hasSnippets(store: Store, bookId: BookId): boolean {
  return store.get("SELECT 1 FROM snippets WHERE book_id = ?", bookId) !== undefined;
}

/** The snippets of one chapter, oldest first. */
export function listChapterSnippets(store: Store, chapterId: ChapterId): SnippetRow[] {
  return listBy(store, "chapter_id", chapterId);
}

const INDEX = { book_id: "snippets_order", chapter_id: "snippets_chapter" } as const;

/** Rows by the table itself. Throws `Damaged` if its index has more of them or fewer: one of the two has lost a note. */
function listBy(store: Store, column: keyof typeof INDEX, id: string): SnippetRow[] {
  return store.snapshot(() => {
    const rows = store.all<Hashable<Raw>>(
      `${SNIPPET} NOT INDEXED LEFT JOIN chapters c ON c.id = s.chapter_id WHERE s.${column} = ? ORDER BY c.rank, c.id, s.rank, s.id`,
      id,
    );
    const [indexed] = store.list<number>(
      `SELECT count(*) FROM snippets INDEXED BY ${INDEX[column]} WHERE ${column} = ?`,
      id,
    );
    if (indexed !== rows.length && !isUnchecked(store)) throw new Damaged("the list of notes");
    return shaped(store, rows);
  });
}

/** The snippet, or undefined. */
export function findSnippet(store: Store, id: SnippetId): SnippetRow | undefined {
  return shaped(store, store.all<Hashable<Raw>>(`${SNIPPET} WHERE s.id = ?`, id))[0];
}

/** Adds a snippet after all others of its book. */
export function insertSnippet(store: Store, snippet: Omit<SnippetRow, "updatedAt">): void {
  const [last] = store.list<string | null>(
    "SELECT max(rank) FROM snippets WHERE book_id = ?",
    snippet.bookId,
  );
  store.run(
    `INSERT INTO snippets(id, book_id, chapter_id, block_id, rank, kind, text, url, items, author, quote, replies, resolved, detached, created_at)
     VALUES(:id, :bookId, :chapterId, :blockId, :rank, :kind, :text, :url, :items, :author, :quote, :replies, :resolved, :detached, :createdAt)`,
    { ...toColumns(snippet), rank: ranksBetween(last ?? undefined, undefined, 1)[0] },
  );
}

/** Writes a snippet's content and anchor over the stored ones. */
export function updateSnippet(store: Store, snippet: SnippetRow): void {
  store.run(
    `UPDATE snippets SET chapter_id = :chapterId, block_id = :blockId, kind = :kind, text = :text, url = :url,
       items = :items, author = :author, quote = :quote, replies = :replies, resolved = :resolved, detached = :detached WHERE id = :id`,
    toColumns(snippet),
  );
}

/** Where a snippet is to stand. */
export type Anchor = Pick<SnippetRow, "id" | "chapterId" | "blockId" | "detached">;

/** Sets the anchors of snippets. One statement: a paragraph may have thousands. */
export function anchorSnippets(store: Store, anchors: readonly Anchor[]): void {
  if (anchors.length === 0) return;
  store.run(
    `UPDATE snippets SET chapter_id = value ->> 'chapterId', block_id = value ->> 'blockId', detached = value ->> 'detached'
       FROM json_each(?) WHERE snippets.id = value ->> 'id'`,
    JSON.stringify(
      anchors.map(({ id, chapterId, blockId, detached }) => {
        return { id, chapterId, blockId, detached: json(detached) };
      }),
    ),
  );
}

/** Removes a snippet. */
export function deleteSnippet(store: Store, id: SnippetId): void {
  store.run("DELETE FROM snippets WHERE id = ?", id);
}
