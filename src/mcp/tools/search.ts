import { oneLine } from "../../cli/output/columns.ts";
import type { AnswerOf } from "../../contract/index.ts";
import { LIMITS } from "../../contract/limits.ts";
import { theChapter } from "../../service/guards.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { paragraphNumbers } from "../../service/prose/numbered-paragraphs.ts";
import { searchBook, searchBooks } from "../../service/search/search.ts";
import { fenced, pageOf } from "../answers/answer.ts";
import { findBookNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

const FOUND = 10;
const SUMMARY_CHARACTERS = 160;

/** Keyword search over prose and cast. */
export function answerSearch(
  { manuscript }: ToolAsking,
  { query, limit, book }: ToolInput<"search">,
): string {
  return manuscript.store.snapshot(() => {
    const asked = { q: query, limit: limit ?? FOUND };
    const found =
      book === undefined
        ? searchBooks(manuscript, asked)
        : { books: [searchBook(manuscript, findBookNamed(manuscript, book).id, asked)] };
    const total = found.books.reduce((sum, one) => sum + one.total, 0);
    if (total === 0) return "Nothing found.";
    const isRelaxed = found.books.some((one) => one.relaxed);
    const lines = found.books.flatMap((one) => linesOf(manuscript, one));
    const page = pageOf(lines, limit === undefined ? {} : { limit: lines.length }, String);
    const how = isRelaxed ? ", with any of the words" : "";
    const shown = page.next === undefined ? lines.length : page.last;
    const left = shown === total ? "" : ` Here are ${shown}; limit takes up to ${LIMITS.searchMaximum}.`;
    return `${total} found${how}, the best first.${left}\n${fenced(page.lines)}`;
  });
}

function linesOf(
  manuscript: Manuscript,
  { chapters, facts }: Pick<AnswerOf<"searchBook">, "chapters" | "facts">,
): string[] {
  const known = facts.map(({ id, name, kind, summary }) =>
    oneLine(`${name} (${id}) ${kind}: ${summary}`, SUMMARY_CHARACTERS),
  );
  const passages = chapters.flatMap(({ chapterId, title, excerpts }) => {
    const numbers = paragraphNumbers(manuscript, chapterId);
    const quoted = excerpts.map(({ blockId, text }) => `  ¶${numbers.get(String(blockId)) ?? "?"} ${text}`);
    const { revision } = theChapter(manuscript, chapterId);
    return [[`${title} (${chapterId}) revision ${revision}`, ...quoted].join("\n")];
  });
  return [...known, ...passages];
}
