import {
  type BaseChapter,
  CHAPTER_FIELDS,
  type ChapterFields,
  type IncomingChapter,
  type StoredChapter,
} from "../../book/book.ts";
import type { BookBase } from "../../book/book-base.ts";
import { keepIds } from "../../book/incoming-prose.ts";
import type { ChapterId } from "../../ids.ts";
import { takeBlockIds } from "../../prose/block-ids.ts";
import { leafIds, withLeafIds } from "../../prose/document/leaves.ts";
import { storedNode } from "../../prose/document/text.ts";
import { parseMarkdown } from "../../prose/parse.ts";
import type { StoredProse } from "../../prose/plan.ts";
import { planReplace } from "../../prose/plan-chapter.ts";
import type { Store } from "../../store/file/store.ts";
import { listFormerFields, readRevision } from "../../store/journal/history.ts";
import { type CopiedChapter, listCopiesOf } from "../../store/working-copies.ts";
import type { Manuscript } from "../manuscript.ts";
import type { BaseRows } from "./import/base-rows.ts";
import type { WorkingCopy } from "./working-copy.ts";

/**
 * Returns the base of a merge from the working copy and the history. Without `rows` the newest exchange is the base
 * of every file.
 */
export function baseOf(
  { store }: Manuscript,
  { copy, rows }: { copy: WorkingCopy; rows: BaseRows | undefined },
  description: BookBase["description"],
): BookBase {
  return {
    description,
    last: new Map([...copy.chapters].map(([id, row]) => [id, { ...row, isMerged: row.text !== null }])),
    proseAt: (id, revision) => readStored(store, id, revision),
    lastProse: (id) => {
      const row = copy.chapters.get(id);
      return row && readBase(store, id, row);
    },
    chapter: (stored, incoming) => {
      const row = rows === undefined ? copy.chapters.get(stored.id) : rows.chapter(stored.id, incoming);
      if (row === undefined) return namedBase(store, stored, incoming);
      return { ...row, prose: () => readBase(store, stored.id, row) };
    },
    hasHad: (id, hash) => {
      const own = copy.chapters.get(id);
      return listCopiesOf(store, id).some((row) => row.hash === hash && row.folder === own?.folder);
    },
  };
}

/**
 * Returns the revision that a file itself names, in a copy of a folder exported elsewhere. Fields that the chapter has
 * had since then do not count as the file's edit.
 */
function namedBase(store: Store, stored: StoredChapter, incoming: IncomingChapter): BaseChapter | undefined {
  const { id } = stored;
  const named = incoming.fields.id === id ? incoming.revision : undefined;
  if (named === undefined || named > stored.revision) return undefined;
  const fields: Record<string, unknown> = Object.fromEntries(CHAPTER_FIELDS.map((key) => [key, stored[key]]));
  for (const former of listFormerFields(store, id, named)) {
    for (const key of ["title", "status", "synopsis"] as const) {
      const { [key]: own } = incoming.fields;
      if (own !== undefined && own === former[key]) fields[key] = own;
    }
  }
  return { ...(fields as unknown as ChapterFields), hash: "", prose: () => readStored(store, id, named) };
}

/** Returns a chapter's prose at a revision, its blocks on the chapter's rows; undefined if it is not known. */
export function readStored(store: Store, id: ChapterId, revision: number): StoredProse | undefined {
  const old = readRevision(store, id, revision);
  if (old === undefined) return undefined;
  const blocks = old.blocks.map(({ id: row, node, source, gap }) => ({
    row,
    node: storedNode({ node, source }),
    source,
    gap,
  }));
  return { bom: old.bom === 1, eol: old.eol, head: old.head, blocks };
}

/**
 * Returns the prose of a base: the file's, if the chapter's revision held more; undefined if it is not known any
 * more.
 */
function readBase(store: Store, id: ChapterId, { revision, text }: CopiedChapter): StoredProse | undefined {
  const stored = readStored(store, id, revision);
  if (stored === undefined || text === null) return stored;
  const ids = new Set(leafIds(stored.blocks));
  const isOwn = (blockId: string) => ids.has(blockId);
  const { markdown, ids: brought } = takeBlockIds(text, isOwn);
  const parsed = parseMarkdown(markdown);
  const prose = keepIds({ ...parsed, blocks: withLeafIds(parsed.blocks, brought) }, isOwn);
  let count = 0;
  const mintBlock = () => `new ${++count}`;
  const unknown = { foreign: new Set<string>(), former: new Set<string>() };
  const plan = planReplace(
    stored,
    prose,
    { mentions: [], snippets: [] },
    { ...unknown, policy: "keep", mintBlock },
  );
  return { ...plan, blocks: plan.blocks.map((block) => ({ ...block, row: block.row ?? mintBlock() })) };
}
