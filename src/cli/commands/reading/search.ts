import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest, NotFound } from "../../../refusals.ts";
import { listBooks } from "../../../service/list-books.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { type BooksFound, searchBook, searchBooks } from "../../../service/search/search.ts";
import { type FoundBook, resolveBook } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import { counted, oneLine } from "../../output/columns.ts";

type Found = Pick<AnswerOf<"searchBook">, "chapters" | "facts">;
type Excerpt = Found["chapters"][number]["excerpts"][number];

const RELAXED = "Nothing holds every word; these hold some.";

/** Searches a book's prose and cast, or every book's. */
export async function search(
  call: Call,
  [first, others = []]: [string?, string[]?],
  { limit, all = false }: { limit?: number; all?: boolean },
): Promise<void> {
  const words = first === undefined ? others : [first, ...others];
  if (words.length === 0)
    throw new BadRequest("Say what to look for: search BOOK WORDS, or search --all WORDS.");
  const manuscript = await call.open();
  const { terminal } = call;
  if (all) {
    const found = searchBooks(manuscript, { q: words.join(" "), limit });
    await reply(call, found, (answer) => showBooks(terminal, answer));
    return;
  }
  const { book, query } = readWords(manuscript, words);
  await reply(call, searchBook(manuscript, book.id, { q: query, limit }), (answer) =>
    answer.total === 0
      ? "Nothing found."
      : [...(answer.relaxed ? [RELAXED, ""] : []), ...show(terminal, answer)].join("\n"),
  );
}

/** The first word names the book; where there is one book only it may be left out. */
function readWords(manuscript: Manuscript, words: readonly string[]): { book: FoundBook; query: string } {
  const [first, ...others] = words;
  const isAlone = listBooks(manuscript).books.length === 1;
  if (others.length === 0) {
    if (isAlone) return { book: resolveBook(manuscript, undefined), query: words.join(" ") };
    throw new BadRequest("Say what to look for: search BOOK WORDS, or search --all WORDS.");
  }
  try {
    return { book: resolveBook(manuscript, first), query: others.join(" ") };
  } catch (error) {
    if (!isAlone || !(error instanceof NotFound)) throw error;
    return { book: resolveBook(manuscript, undefined), query: words.join(" ") };
  }
}

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
    `${chapterId}  ${styled(terminal, "bold", title)}  ${counted(matchCount, "match").replace(/hs$/, "hes")}`,
    ...excerpts.map(
      (excerpt) => `  ${excerpt.blockId ?? "title or synopsis"}  ${highlighted(terminal, excerpt)}`,
    ),
  ]);
  return [...cast, ...prose];
}

/** The excerpt in one line, its matches in bold on a terminal. */
function highlighted(terminal: Terminal, { text, highlights }: Excerpt): string {
  let shown = "";
  let done = 0;
  for (const [from, to] of highlights) {
    shown += text.slice(done, from) + styled(terminal, "bold", text.slice(from, to));
    done = to;
  }
  return (shown + text.slice(done)).replace(/\s+/g, " ").trim();
}
