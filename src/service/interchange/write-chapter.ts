import type { BookId, ChapterId, PartId } from "../../ids.ts";
import type { DocNode } from "../../prose/document/types.ts";
import type { Plan } from "../../prose/plan/plan.ts";
import type { Act } from "../../store/file/sql.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, insertChapter, updateChapter } from "../../store/rows/chapters.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { replaceIn } from "../prose/replace-prose.ts";
import { proseWithMark, type ReadChapter } from "./incoming-chapter.ts";

/** What both sides of a chapter changed, each in its own way. */
export interface ImportConflict {
  /** The manuscript's revision. */
  revision: number;
  /** Names of fields: title, status, synopsis, part. */
  fields: readonly string[];
  /** Markdown of each block; null where a side took it out. */
  paragraphs: { mine: string | null; theirs: string | null }[];
  /** The chapter as the manuscript has it. */
  markdown: string;
}

/** What became of one file. */
export interface Outcome {
  id: ChapterId;
  file: string | null;
  /** `left`: only the manuscript has changed since; `conflict`: both sides changed the same, and nothing was written. */
  status: "created" | "updated" | "same" | "left" | "conflict";
  /** The chapter holds more than the file: a merge took both sides. */
  isMerged?: boolean;
  conflict?: ImportConflict;
  /** Undefined where no stored prose was touched. */
  plan?: Plan;
  /** The blocks that the plan replaces. */
  before?: readonly DocNode[];
}

/** Makes a chapter of a file. */
export function insertAsked(
  manuscript: Manuscript,
  act: Act,
  {
    bookId,
    chapter,
    part,
    rank,
  }: { bookId: BookId; chapter: ReadChapter; part: PartId | null | undefined; rank: string },
): Outcome {
  const { store } = manuscript;
  const id = store.mint("chapter");
  insertChapter(store, {
    id,
    bookId,
    partId: part ?? null,
    rank,
    title: chapter.newTitle,
    status: chapter.fields.status ?? "draft",
    synopsis: chapter.fields.synopsis ?? "",
    file: chapter.file,
    frontMatter: chapter.keptBlock,
    bom: 0,
    eol: "lf",
    head: "",
    createdAt: act.at,
  });
  const plan = replaceIn(store, act, theChapter(manuscript, id), chapter.prose);
  return { id, file: chapter.file, status: "created", plan, before: [] };
}

/** Brings a chapter in step with its file. A file without front matter leaves that of the chapter as it is. */
export function updateFrom(
  manuscript: Manuscript,
  act: Act,
  { stored, chapter, part }: { stored: ChapterRow; chapter: ReadChapter; part: PartId | null | undefined },
): Outcome {
  const { store } = manuscript;
  const keepsBlock = chapter.frontMatter === "" && stored.frontMatter !== "";
  const asked: Partial<ChapterRow> = {
    file: chapter.file ?? stored.file,
    frontMatter: keepsBlock ? stored.frontMatter : chapter.keptBlock,
    title: chapter.fields.title ?? stored.title,
    status: chapter.fields.status ?? stored.status,
    synopsis: chapter.fields.synopsis ?? stored.synopsis,
    partId: part === undefined ? stored.partId : part,
  };
  const changes = Object.entries(asked).filter(
    ([column, value]) => stored[column as keyof ChapterRow] !== value,
  );
  updateChapter(store, stored.id, Object.fromEntries(changes));
  // Another name of the file is remembered; it changes nothing of the chapter.
  const isChanged = changes.some(([column]) => column !== "file");
  const bom = keepsBlock ? stored.bom === 1 : chapter.bom;
  const before = listBlocks(store, stored.id).map(({ node }) => JSON.parse(node) as DocNode);
  const plan = replaceIn(store, act, theChapter(manuscript, stored.id), proseWithMark(chapter, bom));
  return {
    id: stored.id,
    file: chapter.file,
    status: plan.changed || isChanged ? "updated" : "same",
    plan,
    before,
  };
}
