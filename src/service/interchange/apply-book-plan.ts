import type { IncomingChapter, StoredChapter } from "../../book/book.ts";
import type { BookPlan, ChapterPlan, NewChapterPlan } from "../../book/plan.ts";
import type { BookId, ChapterId, PartId } from "../../ids.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { PayloadTooLarge } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import * as books from "../../store/rows/books.ts";
import { type ChapterRow, insertChapter, updateChapter } from "../../store/rows/chapters.ts";
import { placeRanks } from "../../store/rows/rank.ts";
import { asOneLine } from "../../text/clean-text.ts";
import type { Side } from "../../three-way.ts";
import { type NewIds, newIds, planNew } from "../books/plan-new-chapter.ts";
import { checkText, TEXTS, toStored } from "../field-rules.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { carry } from "../prose/anchored.ts";
import { insertNew, type PlannedNew } from "../prose/apply-plan.ts";
import { compareNodes } from "../prose/compare-revisions.ts";
import {
  type MarkdownRequest,
  type PlannedProse,
  planProse,
  type Replaced,
  replaceIn,
  withTitle,
  writePlanned,
} from "../prose/replace-prose.ts";
import { assertImportable } from "./import/assert-importable.ts";

/** Planned prose of an import's chapters. Each is removed once it is written. */
export interface PlannedChapters {
  created: Map<ChapterPlan, PlannedCreate>;
  written: Map<ChapterPlan, PlannedWrite>;
}

/** A new chapter, with everything needed from its file. */
interface PlannedCreate {
  incoming: Pick<IncomingChapter, "bom" | "fields" | "frontMatter" | "keptBlock" | "newTitle" | "warnings">;
  prose: PlannedNew | MarkdownRequest;
}

/** New prose for an existing chapter. */
interface PlannedWrite {
  prose: PlannedProse;
  /** True if the first heading was changed to the title that the file gives the chapter. */
  headingChanged: boolean;
  before: readonly DocNode[];
  compared: Compared;
}

type Compared = ReturnType<typeof compareNodes>;

/** Plans everything that an import writes. Throws `BadRequest`. */
export function planChapters(
  manuscript: Manuscript,
  { chapters }: BookPlan,
  force: Side | undefined,
): PlannedChapters {
  const ids = newIds(manuscript.store.mint);
  const planned: PlannedChapters = { created: new Map(), written: new Map() };
  for (const chapter of chapters) {
    if (chapter.kind === "create")
      planned.created.set(chapter, planCreate(manuscript, chapter, { force, ids }));
    if (chapter.kind === "write") planned.written.set(chapter, planWritten(manuscript, chapter));
  }
  return planned;
}

function planCreate(
  { store }: Manuscript,
  { read, arrived }: NewChapterPlan,
  { force, ids }: { force: Side | undefined; ids: NewIds },
): PlannedCreate {
  const file = read();
  assertImportable(file, undefined, force);
  const { bom, fields, frontMatter, keptBlock, newTitle, warnings, prose } = file;
  const incoming = { bom, fields, frontMatter, keptBlock, newTitle, warnings };
  if (arrived.size === 0) return { incoming, prose: planNew(store, prose, ids) };
  return { incoming, prose: { kind: "markdown", prose, mentions: "keep", arrived } };
}

/** Plans the new prose of an existing chapter. A refusal of its size names the file. */
function planWritten(
  manuscript: Manuscript,
  { incoming, stored, fields, prose: merged, hasBase, arrived, left }: ChapterPlan & { kind: "write" },
): PlannedWrite {
  const { title } = fields;
  const retitled = hasBase && title !== undefined ? withTitle(merged, stored, title) : undefined;
  // A byte order mark stands before the front matter, so it stays if the stored block stays.
  const bom = keepsBlock(incoming, stored) ? stored.bom : incoming.bom;
  const chapter = theChapter(manuscript, stored.id);
  const prose = named(incoming.name, () =>
    planProse(manuscript.store, chapter, {
      kind: "markdown",
      prose: { ...(retitled?.prose ?? merged), bom },
      mentions: "keep",
      arrived,
      left,
    }),
  );
  const before = stored.prose().blocks.map(({ node }) => node);
  const after = prose.plan.blocks.map(({ node }) => node);
  return {
    prose,
    headingChanged: retitled !== undefined,
    before,
    compared: compareNodes(before, after),
  };
}

/** True if the chapter keeps its block, because the file has no front matter. */
function keepsBlock(incoming: { frontMatter: string }, stored: StoredChapter): boolean {
  return incoming.frontMatter === "" && stored.frontMatter !== "";
}

/** Outcome for one file. */
export interface Outcome {
  id: ChapterId;
  file: string | null;
  /**
   * `left`: only the manuscript has changed since; `conflict`: both sides changed the same, and nothing was written.
   */
  status: "created" | "updated" | "same" | "left" | "conflict";
  from: ChapterPlan;
  /** Undefined if no stored prose was touched, or all of it is new. */
  plan?: Replaced;
  /** Things in a new chapter's file that were not imported. */
  warnings?: readonly string[] | undefined;
  /** True if the first heading was changed to the title that the file gives the chapter. */
  headingChanged?: boolean;
  /** Blocks that the plan replaces. */
  before?: readonly DocNode[];
  /** Changes to these blocks, if they are known already. */
  compared?: Compared | undefined;
}

/**
 * Writes a book's plan within an act. Every import writes chapters through it. `step` gets the number of chapters
 * done. Throws what a prose write throws.
 */
export function applyBookPlan(
  manuscript: Manuscript,
  act: Act,
  { plan, planned }: { plan: BookPlan; planned: PlannedChapters },
  step: (done: number) => void,
): { bookId: BookId; outcomes: Outcome[] } {
  const bookId = plan.bookId ?? makeBook(manuscript, act, plan.title);
  describeBook(manuscript, bookId, plan);
  const parts = placeParts(manuscript, act, bookId, plan.description.parts);
  const ranks = placeRanks(plan.order.map((entry) => ("rank" in entry ? { rank: entry.rank } : {})));
  const rankOf = new Map(plan.order.map((entry, index) => [entry, ranks[index] ?? ""])); // one rank an entry
  for (const [entry, rank] of rankOf)
    if ("rank" in entry && entry.rank !== rank) updateChapter(manuscript.store, entry.id, { rank });
  const arrive = sendOff(manuscript, act, plan);
  // A note that loses its paragraph in one chapter may find it in the next, so those chapters are planned again.
  let movesNotes = false;
  const outcomes = plan.chapters.map((chapter, index): Outcome => {
    step(index);
    if (chapter.kind === "create") {
      const created = planned.created.get(chapter)!; // each was planned
      planned.created.delete(chapter);
      const place = { bookId, parts, rank: rankOf.get(chapter) ?? "", created };
      return named(chapter.incoming.name, () => insertFrom(manuscript, act, chapter, place));
    }
    if (chapter.kind === "write") {
      const isTravelling = chapter.arrived.size + chapter.left.size > 0;
      const known = movesNotes && !isTravelling ? undefined : planned.written.get(chapter);
      planned.written.delete(chapter);
      const write = known ?? planWritten(manuscript, chapter);
      const done = updateFrom(manuscript, act, chapter, { parts, write });
      movesNotes ||= hasMovedNotes(done);
      return done;
    }
    const { id } = chapter.stored;
    if (chapter.kind !== "conflict" && chapter.isRenamed)
      updateChapter(manuscript.store, id, { file: chapter.incoming.file });
    return { id, file: chapter.incoming.file, status: chapter.kind, from: chapter };
  });
  arrive(new Map(outcomes.map(({ from, id }) => [from.incoming.file, id])));
  return { bookId, outcomes };
}

/**
 * Removes paragraphs that go to other chapters, once all of these are planned. Returns a function that moves their
 * notes there, once they are written. A chapter without a file loses its paragraphs at once.
 */
function sendOff(
  manuscript: Manuscript,
  act: Act,
  { moves, emptied }: BookPlan,
): (ids: ReadonlyMap<string | null, ChapterId>) => void {
  if (moves.length + emptied.length === 0) return () => {};
  const { store } = manuscript;
  const rests = emptied.map(({ stored, prose, left }) => {
    const chapter = theChapter(manuscript, stored.id);
    return { chapter, rest: planProse(store, chapter, { kind: "markdown", prose, mentions: "keep", left }) };
  });
  const places = new Map<string | null, ChapterId>();
  const bring = carry(
    store,
    moves.map(({ blockId, from, to, isEdited }) => {
      const chapterId = () => places.get(to.incoming.file) ?? from.id;
      return { blockId, from: from.id, to: chapterId, isEdited };
    }),
  );
  for (const { chapter, rest } of rests) writePlanned(store, act, chapter, rest);
  return (ids) => {
    for (const [file, id] of ids) places.set(file, id);
    bring();
  };
}

function hasMovedNotes({ plan }: Outcome): boolean {
  if (plan === undefined) return false;
  const { snippetsDetached, snippetsMoved, snippetsAttached } = plan;
  return snippetsDetached.length + snippetsMoved.length + snippetsAttached.length > 0;
}

/** Plans or writes a file's chapter. A refusal of its size names the file. */
function named<Result>(name: string, apply: () => Result): Result {
  try {
    return apply();
  } catch (error) {
    if (error instanceof PayloadTooLarge) throw new PayloadTooLarge(`${name}: ${error.message}`);
    throw error;
  }
}

function makeBook({ store }: Manuscript, act: Act, title: string): BookId {
  const id = store.mint("book");
  books.insertBook(store, {
    id,
    title: checkText("The book's title", title, TEXTS.title),
    at: act.at,
  });
  return id;
}

function describeBook({ store }: Manuscript, id: BookId, { description }: BookPlan): void {
  const { title, goal, manifest } = description;
  if (title !== undefined) books.setBookTitle(store, id, checkText("The book's title", title, TEXTS.title));
  if (goal === null) books.deleteGoal(store, id);
  else if (goal !== undefined) books.saveGoal(store, id, goal);
  if (manifest !== undefined) books.setDescription(store, id, toStored(manifest));
}

/** Renames, creates and orders the parts. Returns their ids by title in the plan. */
function placeParts(
  { store }: Manuscript,
  act: Act,
  bookId: BookId,
  parts: BookPlan["description"]["parts"],
): ReadonlyMap<string, PartId> {
  const open = books.listParts(store, bookId);
  const order = parts.map(({ title, was }) => {
    const at = was === undefined ? -1 : open.findIndex((part) => part.title === was);
    const [row] = at < 0 ? [] : open.splice(at, 1);
    const stored = row?.title === title ? title : checkText("A part's title", asOneLine(title), TEXTS.title);
    return { planned: title, title: stored, row };
  });
  const ranks = placeRanks(order.map(({ row }) => ({ rank: row?.rank })));
  const ids = new Map<string, PartId>();
  for (const [index, { planned, title, row }] of order.entries()) {
    const rank = ranks[index] ?? ""; // one rank a part
    const id = row?.id ?? store.mint("part");
    if (row === undefined) books.insertPart(store, { id, bookId, title, rank, at: act.at });
    else if (row.title !== title || row.rank !== rank) books.updatePart(store, id, title, rank);
    if (!ids.has(planned)) ids.set(planned, id);
  }
  return ids;
}

interface NewPlace {
  bookId: BookId;
  parts: ReadonlyMap<string, PartId>;
  rank: string;
  created: PlannedCreate;
}

function insertFrom(
  manuscript: Manuscript,
  act: Act,
  from: NewChapterPlan,
  { bookId, parts, rank, created: { incoming, prose } }: NewPlace,
): Outcome {
  const { store } = manuscript;
  const { bom, fields, frontMatter, keptBlock, newTitle, warnings } = incoming;
  const { file } = from.incoming;
  const chapter = {
    bookId,
    partId: (fields.part == null ? undefined : parts.get(fields.part)) ?? null,
    rank,
    title: newTitle,
    status: fields.status ?? "draft",
    synopsis: fields.synopsis ?? "",
    file,
    // An exported block is kept too, for later exports: without it a byte order mark would become prose.
    frontMatter: bom ? keptBlock : frontMatter,
    createdAt: act.at,
  } as const;
  if ("writes" in prose) {
    insertNew(store, act, chapter, prose);
    return { id: prose.id, file, status: "created", from, warnings, before: [] };
  }
  const id = store.mint("chapter");
  insertChapter(store, { ...chapter, id, bom: 0, eol: "lf", head: "" });
  const plan = replaceIn(store, act, theChapter(manuscript, id), prose);
  return { id, file, status: "created", from, plan, warnings, before: [] };
}

/** Updates a chapter from its file. */
function updateFrom(
  manuscript: Manuscript,
  act: Act,
  from: ChapterPlan & { kind: "write" },
  { parts, write }: { parts: ReadonlyMap<string, PartId>; write: PlannedWrite },
): Outcome {
  const { store } = manuscript;
  const { incoming, stored, fields } = from;
  const { part, ...rest } = fields;
  const asked: Partial<ChapterRow> = {
    ...rest,
    ...(incoming.file === null ? {} : { file: incoming.file }),
    ...(keepsBlock(incoming, stored) ? {} : { frontMatter: incoming.keptBlock }),
    ...(part === undefined ? {} : { partId: part === null ? null : (parts.get(part) ?? stored.partId) }),
  };
  const changes = Object.entries(asked).filter(
    ([column, value]) => stored[column as keyof StoredChapter] !== value,
  );
  updateChapter(store, stored.id, Object.fromEntries(changes));
  // A new file name is remembered, but does not change the chapter.
  const isChanged = changes.some(([column]) => column !== "file");
  const { prose, headingChanged, before, compared } = write;
  const plan = writePlanned(store, act, theChapter(manuscript, stored.id), prose);
  const status = plan.changed || isChanged ? "updated" : "same";
  // With another heading the chapter holds more than its file.
  const done = { ...from, isMerged: from.isMerged || headingChanged };
  return { id: stored.id, file: incoming.file, status, from: done, plan, headingChanged, before, compared };
}
