import type { AnswerOf } from "../../contract/index.ts";
import type { BookId } from "../../ids.ts";
import { AlreadyThere, BadRequest, NotFound } from "../../refusals.ts";
import { countProgress } from "../../store/journal/acts.ts";
import * as stored from "../../store/rows/books.ts";
import { listChapters } from "../../store/rows/chapters.ts";
import { listChapterMentions } from "../../store/rows/mentions.ts";
import { bookTag } from "../entity-tags.ts";
import { withMetadata } from "../field-rules.ts";
import { assertSeen, theBook } from "../guards.ts";
import {
  type Caller,
  localDay,
  type Manuscript,
  type Removal,
  type Write,
  type WriteOn,
  write,
  writeOptimistically,
} from "../manuscript.ts";
import { toBook, toDeletion } from "../present.ts";
import { goalOf } from "./outline.ts";

/** A new book, empty. */
export const createBook: Write<"createBook"> = (manuscript, { title, ...metadata }, caller) =>
  write(manuscript, "createBook", caller, (act, store) => {
    assertSeen(caller, "list of books", () => []);
    const id = store.mint("book");
    stored.insertBook(store, { id, title, at: act.at });
    stored.setDescription(store, id, withMetadata({ metadata: null, manifest: null }, metadata));
    return () => ({ id, book: shown(manuscript, id) });
  });

/** Renames a book, or describes it. Throws `NotFound`, and `BadRequest` for what a field cannot hold. */
export const updateBook: WriteOn<"updateBook", BookId> = (manuscript, id, { title, ...metadata }, caller) =>
  write(manuscript, title === undefined ? "describeBook" : "updateBook", caller, () => {
    if (title === undefined && Object.keys(metadata).length === 0)
      throw new BadRequest("Nothing to change: send title, author, language or another field of the book.");
    const row = theBook(manuscript, id);
    assertOwnSeen(manuscript, id, caller);
    if (title !== undefined) stored.setBookTitle(manuscript.store, id, title);
    stored.setDescription(manuscript.store, id, withMetadata(row, metadata));
    return () => ({ book: shown(manuscript, id) });
  });

/** Takes everything in the book with it; one undo brings it all back. */
export const deleteBook: Removal<"deleteBook", BookId> = (manuscript, id, caller) => {
  const { store } = manuscript;
  const make = () => {
    stored.assertWholeBook(store, id);
    return listChapters(store, id)
      .filter(({ mentionCount }) => mentionCount > 0)
      .flatMap((chapter) => listChapterMentions(store, chapter.id));
  };
  return writeOptimistically(
    store,
    () => id,
    make,
    (planned) =>
      write(manuscript, "deleteBook", caller, (act) => {
        theBook(manuscript, id);
        assertSeen(caller, "book", () => [bookTag(store, id)]);
        const mentions = planned();
        const { wordCount } = stored.countBook(store, id);
        stored.deleteBook(store, id);
        countProgress(store, act, { bookId: id, date: localDay(act.at), removed: wordCount });
        return () => toDeletion(id, mentions);
      }),
  );
};

/** Sets a book's goal over the one it had. Throws `NotFound`. */
export const setGoal: WriteOn<"setGoal", BookId> = (manuscript, bookId, goal, caller) =>
  write(manuscript, "setGoal", caller, () => {
    theBook(manuscript, bookId);
    assertOwnSeen(manuscript, bookId, caller);
    if (caller.isNew && stored.findGoal(manuscript.store, bookId) !== undefined)
      throw new AlreadyThere("goal");
    const row = {
      targetWords: goal.targetWords,
      deadline: goal.deadline ?? null,
      dailyWords: goal.dailyWords ?? null,
    };
    stored.saveGoal(manuscript.store, bookId, row);
    const { wordCount } = stored.countBook(manuscript.store, bookId);
    return () => ({ goal: goalOf(row, wordCount, localDay(manuscript.store.clock())) });
  });

/** Removes a book's goal. Throws `NotFound`, for a book without one too. */
export const deleteGoal: Removal<"deleteGoal", BookId> = (manuscript, bookId, caller) =>
  write(manuscript, "deleteGoal", caller, () => {
    theBook(manuscript, bookId);
    if (stored.findGoal(manuscript.store, bookId) === undefined) throw new NotFound("goal of this book");
    assertOwnSeen(manuscript, bookId, caller);
    stored.deleteGoal(manuscript.store, bookId);
    return () => toDeletion(bookId);
  });

function shown(manuscript: Manuscript, id: BookId): AnswerOf<"createBook">["book"] {
  return toBook(theBook(manuscript, id), stored.countBook(manuscript.store, id));
}

/** Title and goal are the book's own; that somebody wrote in a chapter does not refuse a change of them. */
function assertOwnSeen({ store }: Manuscript, bookId: BookId, caller: Caller): void {
  assertSeen(caller, "book", () => [bookTag(store, bookId).replace(/\.[^.]*$/, "")]);
}
