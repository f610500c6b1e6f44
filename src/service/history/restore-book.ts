import type { AnswerOf } from "../../contract/index.ts";
import type { BookId } from "../../ids.ts";
import { BadRequest } from "../../refusals.ts";
import { isEmptyAct } from "../../store/file/act.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { lastActSeq } from "../../store/journal/acts.ts";
import { type BookImage, readPast } from "../../store/journal/past.ts";
import { findBlocksBack, putBackBook } from "../../store/journal/put-back.ts";
import type { WholeBlocks } from "../../store/journal/whole-blocks.ts";
import type { DeriveBlock } from "../../store/rows/blocks.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { listFacts, resolveFacts } from "../../store/rows/facts.ts";
import { deleteMentions, insertMentions } from "../../store/rows/mentions.ts";
import { listSnippets, updateSnippet } from "../../store/rows/snippets.ts";
import { bookTag } from "../entity-tags.ts";
import { assertSeen, theBook } from "../guards.ts";
import { type Manuscript, type WriteOn, write, writeOptimistically } from "../manuscript.ts";
import { findPoint, type Point } from "../points.ts";
import { deriveStoredBlock } from "../prose/stored-prose.ts";
import { type PastProse, readPastProse } from "./back/past-prose.ts";
import {
  type MentionFates,
  planMentionFates,
  planSnippetFates,
  type SnippetFates,
} from "./back/restore-annotations.ts";
import { type BookComparison, compareImages, toPoint } from "./compare-books.ts";

/**
 * Puts a whole book back as it was: prose, titles, order, parts, statuses, synopses and goal, chapters gone since with
 * their ids, chapters made since deleted. Notes are never deleted, facts stay as they are. One act; undo is exact. Throws
 * `NotFound`, and `BadRequest` for what names no moment of the book.
 */
export const restoreBook: WriteOn<"restoreBook", BookId> = (manuscript, bookId, { to }, caller) => {
  const { store } = manuscript;
  const make = () => planRestore(manuscript, bookId, to);
  return writeOptimistically(
    store,
    () => bookId,
    make,
    (planned) =>
      write(manuscript, "restoreBook", { ...caller, source: "restore" }, (act) => {
        const plan = planned();
        assertSeen(caller, "book", () => [bookTag(store, bookId)]);
        applyRestore(store, act, plan);
        return () => describe(plan, !isEmptyAct(store, act.seq));
      }),
  );
};

interface RestorePlan {
  to: Point;
  now: BookImage;
  past: BookImage;
  comparison: BookComparison;
  mentions: MentionFates;
  snippets: SnippetFates;
  prose: { blocks: WholeBlocks; derive: DeriveBlock };
}

function planRestore(manuscript: Manuscript, bookId: BookId, text: string): RestorePlan {
  const { store } = manuscript;
  theBook(manuscript, bookId);
  const to = findPoint(store, bookId, text);
  // Within an act that act is the newest, and has written nothing yet.
  const [now, past] = readPast(store, bookId, [lastActSeq(store), to.seq]) as [BookImage, BookImage];
  if (past.books.size === 0)
    throw new BadRequest(`The book was not there yet at ${to.at ?? "that time"}. Name a later act.`).helpedBy(
      { call: "listActs" },
    );
  const read = readPastProse([now, past]) as [PastProse, PastProse];
  const prose = { now: read[0], past: read[1] };
  const derive = derivedOnce(now, past);
  const revisions = new Map(listChapters(store, bookId).map(({ id, revision }) => [id, revision]));
  return {
    to,
    now,
    past,
    comparison: compareImages(now, past, read),
    mentions: planMentionFates({ now, past }, prose, knownFacts(store, bookId, past)),
    snippets: planSnippetFates(listSnippets(store, bookId), prose, (id) => revisions.get(id) ?? 0),
    prose: { blocks: findBlocksBack(store, { now, past }, derive), derive },
  };
}

/** Derives what blocks that come back are stored with, before others have to wait for it. */
function derivedOnce(now: BookImage, past: BookImage): DeriveBlock {
  const changed = [...past.blocks].filter(([id, image]) => now.blocks.get(id) !== image);
  const nodes = changed.map(([, { node }]) => String(node));
  const known = new Map(nodes.map((node) => [node, deriveStoredBlock(node)]));
  return (node) => known.get(node) ?? deriveStoredBlock(node);
}

function knownFacts(store: Store, bookId: BookId, { mentions }: BookImage) {
  const names = new Map(listFacts(store, bookId).map(({ id, name }) => [String(id), name]));
  const wanted = new Set([...mentions.values()].map(({ fact_id }) => String(fact_id)));
  const known = resolveFacts(store, bookId, [...wanted]);
  return { resolve: (id: string) => known.get(id), nameOf: (id: string) => names.get(id) ?? "" };
}

function applyRestore(
  store: Store,
  act: Act,
  { now, past, comparison, mentions, snippets, prose }: RestorePlan,
): void {
  for (const { chapterId, words } of comparison.chapters) act.words.set(chapterId, words);
  // Their chapters count mentions as they go and come, and must be there for both.
  deleteMentions(store, mentions.deleted);
  putBackBook(store, { now, past }, prose);
  insertMentions(store, mentions.inserted);
  for (const snippet of snippets.changed) updateSnippet(store, snippet);
}

function describe(
  { to, comparison, mentions, snippets }: RestorePlan,
  changed: boolean,
): Omit<AnswerOf<"restoreBook">, "act"> {
  return {
    to: toPoint(to),
    changed,
    ...comparison,
    mentionsDropped: mentions.dropped,
    mentionsRestored: mentions.restored,
    snippetsDetached: [...snippets.detached],
    snippetsAttached: [...snippets.attached],
  };
}
