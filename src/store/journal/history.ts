import type { ActId, ChapterId } from "../../ids.ts";
import { NotFound } from "../../refusals.ts";
import { localTime } from "../../text/columns.ts";
import type { Store } from "../file/store.ts";
import type { BlockRow } from "../rows/blocks.ts";
import type { ChapterRow } from "../rows/chapters.ts";
import { assertChapter } from "../rows/integrity.ts";
import { type Entry, firstChangeAfter, imageBefore, listEverIn, type RowImage, stepBack } from "./images.ts";

/** One revision of a chapter; `added` and `removed` count words. */
export interface RevisionRow {
  revision: number;
  act: string;
  at: number;
  kind: string;
  source: string;
  wordCount: number;
  added: number;
  removed: number;
}

/** A chapter's prose at an older revision: what its Markdown is made of, blocks in order. */
export interface OldProse extends Pick<ChapterRow, "head" | "bom" | "eol"> {
  blocks: Pick<BlockRow, "id" | "rank" | "node" | "source" | "gap">[];
}

/** Which of a chapter's revisions: those before one, and after one; without `after` the newest of them, else the first. */
export interface RevisionRange {
  before?: number | undefined;
  after?: number | undefined;
  limit?: number | undefined;
}

/** Returns a chapter's revisions in a range, newest last, and how many there are of all. */
export function listRevisions(
  store: Store,
  chapterId: ChapterId,
  { before, after, limit }: RevisionRange,
): { revisions: RevisionRow[]; total: number } {
  const revisions = store.all<RevisionRow>(
    `SELECT r.revision, a.id AS act, a.at, a.kind, a.source, r.word_count AS wordCount, r.added, r.removed
     FROM revisions r JOIN acts a ON a.seq = r.act WHERE r.chapter_id = ? AND r.revision > ? AND r.revision < ?
     ORDER BY r.revision ${after === undefined ? "DESC" : "ASC"} LIMIT ?`,
    chapterId,
    after ?? 0,
    before ?? Number.MAX_SAFE_INTEGER,
    limit ?? -1,
  );
  const total = store.list<number>("SELECT count(*) FROM revisions WHERE chapter_id = ?", chapterId)[0] ?? 0;
  return { revisions: after === undefined ? revisions.reverse() : revisions, total };
}

/** Finds a chapter's revision by its number or by the act that made it. */
export function findRevision(store: Store, chapterId: ChapterId, named: string): number | undefined {
  const sql =
    "SELECT r.revision FROM revisions r JOIN acts a ON a.seq = r.act WHERE r.chapter_id = ? AND (a.id = ? OR r.revision = ?)";
  return store.list<number>(sql, chapterId, named, /^\d{1,15}$/.test(named) ? Number(named) : 0)[0];
}

/**
 * A chapter's prose at an older revision, walked back from today through the journal; undefined if there never was one.
 * Cost: the blocks that were ever in it. Source: docs/decisions/002-journal.md.
 */
export function readRevision(store: Store, chapterId: ChapterId, revision: number): OldProse | undefined {
  const at = store.get<{ act: number }>(
    "SELECT act FROM revisions WHERE chapter_id = ? AND revision = ?",
    chapterId,
    revision,
  );
  if (at === undefined) return undefined;
  assertChapter(store, chapterId);
  const first = firstChangeAfter(store, at.act);
  const chapter = imageBefore(store, { table: "chapters", id: chapterId }, first);
  const images = listEverIn(store, "blocks", chapterId).map(
    (id) => [id, imageBefore(store, { table: "blocks", id }, first)] as const,
  );
  return shape(chapterId, chapter, images);
}

/** The save that a revision, which a chapter has no more, was folded into. */
export interface FoldedInto {
  revision: number;
  act: ActId;
  /** Milliseconds since 1970. */
  at: number;
}

/** Finds the save that a revision was folded into; undefined for one that never was. Numbers have no holes but those of folded saves. */
export function findFoldedInto(store: Store, chapterId: ChapterId, revision: number): FoldedInto | undefined {
  if (revision <= 0) return undefined;
  return store.get<FoldedInto>(
    `SELECT r.revision, a.id AS act, a.at FROM revisions r JOIN acts a ON a.seq = r.act
     WHERE r.chapter_id = ? AND r.revision > ? ORDER BY r.revision LIMIT 1`,
    chapterId,
    revision,
  );
}

/** The refusal of a revision that a chapter has not, or has no more. */
export function noRevision(store: Store, chapterId: ChapterId, revision: number): NotFound {
  const kept = findFoldedInto(store, chapterId, revision);
  const folded =
    kept === undefined
      ? ""
      : `: "manuscript compact" folded it into ${kept.revision}, which is ${describeAct(kept)}`;
  return new NotFound(`revision ${revision} of this chapter${folded}`).helpedBy({ call: "listRevisions" });
}

/** An act and its moment, for a refusal: "act_4d… of 2025-05-03 18:30". */
export function describeAct({ act, at }: Pick<FoldedInto, "act" | "at">): string {
  return `${act} of ${localTime(new Date(at).toISOString())}`;
}

/** The Markdown that a block had at an older revision and has today; null where it is not in the chapter. */
export interface FormerBlock {
  before: string | null;
  now: string | null;
}

/**
 * Walks a chapter back from today, revision by revision, until `visit` returns false; `changed` holds the blocks, by row,
 * whose Markdown was another at that revision. Cost: the blocks of today and the entries since.
 */
export function walkBack(
  store: Store,
  chapterId: ChapterId,
  visit: (revision: number, changed: ReadonlyMap<string, FormerBlock>) => boolean,
): void {
  const images = readBlockImages(store, chapterId);
  const markdownOf = (image: RowImage | undefined) =>
    image?.chapter_id === chapterId ? String(image.source) : null;
  const today = new Map([...images].map(([id, image]) => [id, markdownOf(image)]));
  const changed = new Map<string, FormerBlock>();
  const revisions = store.prepare(
    "SELECT revision, act FROM revisions WHERE chapter_id = ? ORDER BY revision DESC",
  );
  let newer: number | undefined;
  for (const { revision, act } of revisions.iterate(chapterId) as Iterable<{
    revision: number;
    act: number;
  }>) {
    const entries =
      newer === undefined ? [] : store.all<Entry & { id: string }>(BLOCKS_OF, { act: newer, chapterId });
    for (const { id, ...entry } of entries) {
      const image = stepBack(images.get(id) ?? null, entry);
      images.set(id, image);
      const block = { before: markdownOf(image), now: today.get(id) ?? null };
      if (block.before === block.now) changed.delete(id);
      else changed.set(id, block);
    }
    if (newer !== undefined && !visit(revision, changed)) return;
    newer = act;
  }
}

const BLOCKS_OF = `SELECT row_id AS id, op, before FROM journal
  WHERE act = :act AND tbl = 'blocks' AND (chapter = :chapterId OR chapter_after = :chapterId) ORDER BY seq DESC`;

function readBlockImages(store: Store, chapterId: ChapterId): Map<string, RowImage> {
  const rows = store.all<{ id: string }>(
    "SELECT id, chapter_id, rank, node, source, gap FROM blocks WHERE chapter_id = ?",
    chapterId,
  );
  return new Map(rows.map(({ id, ...image }) => [id, image]));
}

/** The revision that a chapter had after an act; undefined if the chapter was not there. */
export function revisionAfter(store: Store, chapterId: ChapterId, act: number): number | undefined {
  const [came] = store.list<string>(
    "SELECT op FROM journal WHERE row_id = ? AND tbl = 'chapters' AND op <> 'update' AND act <= ? ORDER BY seq DESC LIMIT 1",
    chapterId,
    act,
  );
  if (came !== "insert") return undefined;
  return store.list<number>(
    "SELECT revision FROM revisions WHERE chapter_id = ? AND act <= ? ORDER BY revision DESC LIMIT 1",
    chapterId,
    act,
  )[0];
}

/** The former values of a chapter's row before each change since a revision; only the columns that changed. */
export function listFormerFields(
  store: Store,
  chapterId: ChapterId,
  revision: number,
): Readonly<Record<string, unknown>>[] {
  const entries = store.all<{ before: string; act: number }>(
    `SELECT before, act FROM journal WHERE row_id = :chapterId AND tbl = 'chapters' AND op = 'update'
     AND act > (SELECT act FROM revisions WHERE chapter_id = :chapterId AND revision = :revision)`,
    { chapterId, revision },
  );
  return entries.map(({ before }) => JSON.parse(before));
}

/** The revision at which a chapter that had been deleted was last brought back; undefined if none ever was. */
export function restoredAt(store: Store, chapterId: ChapterId): number | undefined {
  const [revision] = store.list<number>(
    `SELECT r.revision FROM revisions r JOIN acts a ON a.seq = r.act AND (a.undoes IS NOT NULL OR a.kind = 'restoreBook')
     WHERE r.chapter_id = :chapterId AND EXISTS (SELECT 1 FROM journal WHERE act = r.act AND tbl = 'chapters' AND row_id = :chapterId AND op = 'insert')
     ORDER BY r.revision DESC LIMIT 1`,
    { chapterId },
  );
  return revision;
}

/** Every leaf id in the chapter's journal. Reads all of it, so call it only for ids found nowhere else. */
export function formerLeaves(store: Store, chapterId: ChapterId): Set<string> {
  const entries = store.all<{ before: string; act: number }>(
    "SELECT before, act FROM journal WHERE chapter = ? AND tbl = 'blocks' AND instr(before, 'blockId') > 0",
    chapterId,
  );
  return new Set(entries.flatMap(({ before }) => leafIdsIn((JSON.parse(before) as { node?: string }).node)));
}

function leafIdsIn(node: string | undefined): string[] {
  return node === undefined ? [] : [...node.matchAll(/"blockId":"([^"]+)"/g)].map((match) => match[1]!); // the group matched
}

function shape(
  chapterId: ChapterId,
  chapter: RowImage,
  images: readonly (readonly [string, RowImage])[],
): OldProse {
  const blocks = images
    .flatMap(([id, row]) => (row !== null && row.chapter_id === chapterId ? [{ id, ...row }] : []))
    .map((row) => row as unknown as OldProse["blocks"][number])
    .sort((a, b) => (a.rank < b.rank || (a.rank === b.rank && a.id < b.id) ? -1 : 1));
  return {
    head: String(chapter?.head ?? ""),
    bom: Number(chapter?.bom ?? 0),
    eol: (chapter?.eol ?? "lf") as OldProse["eol"],
    blocks,
  };
}
