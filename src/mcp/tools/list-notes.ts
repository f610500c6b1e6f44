import { listSnippets } from "../../service/annotations/snippets.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { paragraphNumbers } from "../../service/prose/numbered-paragraphs.ts";
import { counted } from "../../text/columns.ts";
import { fenced, moreOf, noteLine, pageOf } from "../answers/answer.ts";
import { findBookNamed, findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

/** The notes of a book, or of a chapter. */
export function answerNotes(
  { manuscript }: ToolAsking,
  { chapter, book, ...part }: ToolInput<"list_notes">,
): string {
  return manuscript.store.snapshot(() => {
    const found = chapter === undefined ? undefined : findChapterNamed(manuscript, chapter, book);
    const bookId = found?.bookId ?? findBookNamed(manuscript, book).id;
    const { snippets } = listSnippets(manuscript, bookId, { chapterId: found?.id });
    const placeOf = placesIn(manuscript);
    const isWhole = part.limit !== undefined;
    const page = pageOf(snippets, part, (note) => `${placeOf(note)}${noteLine(note, isWhole)}`);
    const shown = snippets.slice(page.first - 1, page.last);
    const isCut = !isWhole && shown.some((note) => noteLine(note) !== noteLine(note, true));
    const whole = isCut ? " Long ones are cut: limit shows them whole." : "";
    return `${counted(snippets.length, "note")}.${whole}${moreOf(page)}\n${fenced(page.lines)}`;
  });
}

/** Says where a note stands: "ch_… ¶3 ", "ch_… ", or nothing for one of the whole book. */
function placesIn(manuscript: Manuscript) {
  const numbers = new Map<string, Map<string, number>>();
  return ({ chapterId, blockId }: { chapterId: string | null; blockId: string | null }) => {
    if (chapterId === null) return "";
    if (blockId === null) return `${chapterId} `;
    const known = numbers.get(chapterId) ?? paragraphNumbers(manuscript, chapterId);
    numbers.set(chapterId, known);
    return `${chapterId} ¶${known.get(blockId) ?? "?"} `;
  };
}
