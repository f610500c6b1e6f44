import type { AnswerOf } from "../../../contract/index.ts";
import { searchBook } from "../../../service/search/search.ts";
import { bookAndWords } from "../../input/resolve.ts";
import { type Call, reply } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import { counted, oneLine } from "../../output/columns.ts";

type Found = AnswerOf<"searchBook">;
type Excerpt = Found["chapters"][number]["excerpts"][number];

/** Searches a book's prose and cast for words, before which the book may be named. */
export async function search(
  call: Call,
  [words]: [string[]],
  options: { limit?: number; book?: string },
): Promise<void> {
  const manuscript = await call.open();
  const { book, words: asked } = bookAndWords(manuscript, words, options);
  const query = { q: asked.join(" "), limit: options.limit };
  await reply(call, searchBook(manuscript, book.id, query), (found) => show(call.terminal, found));
}

function show(terminal: Terminal, { total, relaxed, chapters, facts }: Found): string {
  if (total === 0) return "Nothing found.";
  const note = relaxed ? ["Nothing holds every word; these hold some.", ""] : [];
  const cast = facts.map(({ id, name, kind, summary }) => {
    const about = [kind, oneLine(summary, 80)].filter(Boolean).join(": ");
    return `${id}  ${styled(terminal, "bold", name)}${about === "" ? "" : `  ${about}`}`;
  });
  const prose = chapters.flatMap(({ chapterId, title, matchCount, excerpts }) => [
    `${chapterId}  ${styled(terminal, "bold", title)}  ${counted(matchCount, "match")}`,
    ...excerpts.map(
      (excerpt) => `  ${excerpt.blockId ?? "title or synopsis"}  ${highlighted(terminal, excerpt)}`,
    ),
  ]);
  return [...note, ...cast, ...prose].join("\n");
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
