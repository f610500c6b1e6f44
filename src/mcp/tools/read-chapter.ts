import { listSnippets } from "../../service/annotations/snippets.ts";
import { theChapter } from "../../service/guards.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { type NumberedParagraph, numberParagraphs } from "../../service/prose/numbered-paragraphs.ts";
import { counted, oneLine } from "../../text/columns.ts";
import { groupBy } from "../../text/group-by.ts";
import { cutTokens, weighTokens } from "../../text/weigh-tokens.ts";
import { ANSWER_TOKENS, fenced, moreOf, noteLine, pageOf } from "../answers/answer.ts";
import { findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

const SYNOPSIS_CHARACTERS = 1000;
const SYNOPSIS_TOKENS = 1000;
const NOTES_TOKENS = 1000;

/** A chapter's prose, paragraph by paragraph. */
export function answerChapter(
  { manuscript }: ToolAsking,
  { chapter: named, book, notes = false, revision: wanted, ...part }: ToolInput<"read_chapter">,
): string {
  return manuscript.store.snapshot(() => {
    const { id } = findChapterNamed(manuscript, named, book);
    const { revision, paragraphs } = numberParagraphs(manuscript, id, wanted);
    const { bookId, title, position, status, synopsis, wordCount } = theChapter(manuscript, id);
    const beside = notes ? notesOf(manuscript, bookId, id) : new Map<string | null, string[]>();
    const top = (part.from ?? 1) > 1 ? [] : topOf({ title, synopsis }, generalIn(beside, paragraphs));
    const room = ANSWER_TOKENS - weighTokens(top.join("\n"));
    const page = pageOf(paragraphs, part, (one) => showParagraph(one, beside.get(one.blockId)), room);
    const range = page.lines.length === 0 ? "" : `; ¶${page.first}–${page.last} of ${paragraphs.length}`;
    const size = `${status}, ${counted(wordCount, "word")}`;
    const head = `${id}, chapter ${position}, revision ${revision}, ${size}${range}.${moreOf(page)}`;
    return `${head}\n${fenced([...top, ...page.lines])}`;
  });
}

/** What stands above the first paragraph. */
function topOf({ title, synopsis }: { title: string; synopsis: string }, notes: readonly string[]): string[] {
  const about =
    synopsis === ""
      ? []
      : [`Synopsis: ${cutTokens(oneLine(synopsis, SYNOPSIS_CHARACTERS), SYNOPSIS_TOKENS, () => "")}`];
  const { lines } = pageOf(notes, {}, String, NOTES_TOKENS);
  const left = notes.length - lines.length;
  const more = left === 0 ? [] : [`  [${counted(left, "note")} more: list_notes]`];
  return [`Title: ${title}`, ...about, ...lines, ...more];
}

/** The notes of the whole chapter, and those whose paragraph is not there. */
function generalIn(
  beside: ReadonlyMap<string | null, string[]>,
  paragraphs: readonly NumberedParagraph[],
): string[] {
  const shown = new Set(paragraphs.map(({ blockId }) => blockId));
  return [...beside].flatMap(([at, lines]) => (at !== null && shown.has(at) ? [] : lines));
}

/** A chapter's notes in lines, by paragraph; those of the whole chapter under null. */
function notesOf(manuscript: Manuscript, bookId: string, chapterId: string): Map<string | null, string[]> {
  const { snippets } = listSnippets(manuscript, bookId, { chapterId });
  const byPlace = groupBy(snippets, ({ blockId }) => blockId);
  return new Map([...byPlace].map(([at, own]) => [at, own.map((note) => `  [${noteLine(note)}]`)]));
}

function showParagraph(
  { number, within, markdown }: NumberedParagraph,
  notes: readonly string[] = [],
): string {
  const held = within === null ? "" : ` (in a ${within.replaceAll("_", " ")})`;
  return [`¶${number}${held} ${markdown.trimEnd()}`, ...notes].join("\n");
}
