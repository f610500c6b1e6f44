import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { type BooksFound, searchBook, searchBooks } from "../../../service/search/search.ts";
import { counted, oneLine } from "../../../text/columns.ts";
import { bookAndWords } from "../../input/resolve.ts";
import { reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import { inBold, wrapped } from "../../output/wrapped.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

type Found = Pick<AnswerOf<"searchBook">, "chapters" | "facts">;

const RELAXED = "Nothing holds every word; these hold some.";

/** Searches a book's prose and cast for words, before which the book may be named; or every book's. */
export const COMMANDS: CommandsOf<typeof ROWS, "search"> = {
  search: async (call, { query: typed, ...options }) => {
    if (options.all && options.book !== undefined) throw new BadRequest("Give --all or --book, not both.");
    const words = typed.filter((word) => word !== "--"); // one that stood behind a word with a dash
    const manuscript = await call.open();
    if (options.all) {
      const found = searchBooks(manuscript, { q: words.join(" "), limit: options.limit });
      await reply(call, found, (answer) => showBooks(call.terminal, answer));
      return;
    }
    const { book, words: asked } = bookAndWords(manuscript, words, {
      book: options.book,
      how: "name one before the rest, or search them --all",
    });
    const query = { q: asked.join(" "), limit: options.limit };
    await reply(call, searchBook(manuscript, book.id, query), (found) =>
      found.total === 0
        ? "Nothing found."
        : [...(found.relaxed ? [RELAXED, ""] : []), ...show(call.terminal, found)].join("\n"),
    );
  },
};

function showBooks(terminal: Terminal, { relaxed, books }: BooksFound): string {
  if (books.length === 0) return "Nothing found.";
  const shown = books.map((book) => {
    const head = `${book.bookId}  ${styled(terminal, "bold", book.title)}`;
    return [head, ...show(terminal, book).map((line) => `  ${line}`)].join("\n");
  });
  return [...(relaxed ? [RELAXED] : []), ...shown].join("\n\n");
}

function show(terminal: Terminal, { chapters, facts }: Found): string[] {
  const cast = facts.map(({ id, name, kind, summary }) => {
    const about = [kind, oneLine(summary, 80)].filter(Boolean).join(": ");
    return `${id}  ${styled(terminal, "bold", name)}${about === "" ? "" : `  ${about}`}`;
  });
  const prose = chapters.flatMap(({ chapterId, title, matchCount, excerpts }) => [
    `${chapterId}  ${styled(terminal, "bold", title)}  ${counted(matchCount, "match")}`,
    ...excerpts.map((excerpt) => {
      const place = `  ${excerpt.blockId ?? "title or synopsis"}  `;
      return wrapped(terminal, `${place}${inBold(terminal, excerpt)}`, { indent: place.length });
    }),
  ]);
  return [...cast, ...prose];
}
