import { createBook, deleteBook, updateBook } from "../../../service/books/books.ts";
import { tagOf } from "../../../service/entity-tags.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import { counted } from "../../../text/columns.ts";
import { bookAndText, resolveBook } from "../../input/resolve.ts";
import { agree } from "../../io/ask.ts";
import { type Call, replyWrite, type WriteOptions } from "../../io/call.ts";
import { listLost } from "./chapter.ts";

/** Makes a book, empty. */
export async function bookAdd(
  call: Call,
  [title]: [string],
  { dryRun = false }: WriteOptions,
): Promise<void> {
  const body = { title: checkText("The title", title, TEXTS.title) };
  const manuscript = await call.open();
  const answer = createBook(manuscript, body, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ book }) => `${dryRun ? "Would add" : book.id}  ${book.title}`);
}

/** Gives a book another title: `words` are that title, before which the book may be named. */
export async function bookRename(
  call: Call,
  [words]: [string[]],
  { dryRun = false, book }: WriteOptions & { book?: string },
): Promise<void> {
  const manuscript = await call.open();
  const { book: named, text: title = "" } = bookAndText(manuscript, words, { what: "title", book });
  const body = { title: checkText("The title", title, TEXTS.title) };
  const answer = updateBook(manuscript, named.id, body, { source: "cli", dryRun });
  await replyWrite(
    call,
    answer,
    (done) => `${dryRun ? "Would rename " : ""}${done.book.id}  ${named.title} → ${done.book.title}`,
  );
}

/** Deletes a book and all that is in it; one that holds words is asked about. */
export async function bookDelete(
  call: Call,
  [wanted]: [string?],
  { yes = false, dryRun = false }: WriteOptions & { yes?: boolean },
): Promise<void> {
  const manuscript = await call.open();
  const { id, title, chapterCount, wordCount } = resolveBook(manuscript, wanted);
  const seen = tagOf(manuscript, "book", id);
  const held = `${counted(chapterCount, "chapter")}, ${counted(wordCount, "word")}`;
  const what = `“${title}” holds ${held}, with its facts, notes and goal; undo brings all of it back.`;
  if (!dryRun) await agree(call, what, yes || wordCount === 0);
  const answer = deleteBook(manuscript, id, { source: "cli", dryRun, seen });
  await replyWrite(
    call,
    answer,
    (gone) => `${dryRun ? "Would delete" : "Deleted"} ${title}: ${held}${listLost(gone)}`,
  );
}
