import { METADATA } from "../../../contract/enums.ts";
import type { AnswerOf } from "../../../contract/index.ts";
import { createBook, deleteBook, updateBook } from "../../../service/books/books.ts";
import { tagOf } from "../../../service/entity-tags.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import { listBooks } from "../../../service/list-books.ts";
import { alignedLines, counted } from "../../../text/columns.ts";
import { bookAndText, resolveBook } from "../../input/resolve.ts";
import { agree } from "../../io/ask.ts";
import { renamed, replyWrite, would } from "../../io/call.ts";
import { listLost } from "../../output/losses.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/structure.ts";

/** The commands on whole books. */
export const COMMANDS: CommandsOf<typeof ROWS, "book"> = {
  "book add": async (call, { title }) => {
    const body = { title: checkText("The title", title, TEXTS.title) };
    const answer = createBook(await call.open(), body, call.caller);
    await replyWrite(call, answer, ({ book }) => `${would(call, "add", `${book.id}  `)}${book.title}`);
  },

  "book rename": async (call, { title: words, book }) => {
    const manuscript = await call.open();
    const { book: before, text = "" } = bookAndText(manuscript, words, { what: "title", book });
    const body = { title: checkText("The title", text, TEXTS.title) };
    const answer = updateBook(manuscript, before.id, body, call.caller);
    await replyWrite(call, answer, (done) => renamed(call, before, done.book));
  },

  "book edit": async (call, { book, ...options }) => {
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book);
    const changes = METADATA.flatMap((field) => {
      const text = options[field];
      return text === undefined ? [] : [[field, text === "" ? null : text] as const];
    });
    const show = ({ title, ...known }: AnswerOf<"updateBook">["book"]) =>
      alignedLines([
        ["title", title],
        ...METADATA.flatMap((field) => (known[field] === undefined ? [] : [[field, known[field]]])),
      ]).join("\n");
    const answer =
      changes.length > 0
        ? updateBook(manuscript, id, Object.fromEntries(changes), call.caller)
        : { book: listBooks(manuscript).books.find((one) => one.id === id)!, act: null }; // it was found
    await replyWrite(call, answer, (done) => show(done.book));
  },

  "book delete": async (call, { book, yes = false }) => {
    const manuscript = await call.open();
    const { id, title, chapterCount, wordCount } = resolveBook(manuscript, book);
    const seen = tagOf(manuscript, "book", id);
    const held = `${counted(chapterCount, "chapter")}, ${counted(wordCount, "word")}`;
    const what = `“${title}” holds ${held}, with its facts, notes and goal; undo brings all of it back.`;
    if (!call.isDry) await agree(call, what, yes || wordCount === 0);
    const answer = deleteBook(manuscript, id, { ...call.caller, seen });
    await replyWrite(
      call,
      answer,
      (lost) => `${would(call, "delete", "Deleted ")}“${title}”: ${held}${listLost(lost)}`,
    );
  },
};
