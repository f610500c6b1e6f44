import { editParagraphs } from "../../service/review/edit-paragraphs.ts";
import { counted } from "../../text/counted.ts";
import { costInWords } from "../answers/cost.ts";
import { readEdits } from "../answers/edits.ts";
import { findChapterNamed } from "../answers/names.ts";
import { paragraphsAt } from "../answers/paragraph.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

/** Changes of a chapter's prose, written at once if that is said. */
export function writeEdits(
  { manuscript, caller }: ToolAsking,
  { chapter, book, revision, edits: sent, dryRun = true }: ToolInput<"apply_edits">,
): string {
  const { id } = findChapterNamed(manuscript, chapter, book);
  const edits = readEdits(paragraphsAt(manuscript, id, revision), sent).map((edit) => ({
    ...edit,
    markdown: edit.markdown ?? null,
  }));
  const done = editParagraphs(manuscript, id, { revision, edits }, { ...caller, dryRun });
  if (!done.changed) return "Nothing changes: the paragraphs say that already.";
  const of = (status: string) => done.blocks.filter((block) => block.status === status).length;
  const counts = `${of("edited")} changed, ${of("new")} new, ${done.removed.length} deleted`;
  const cost = costInWords(done);
  const price = cost === "" ? "" : `; it costs ${cost}`;
  if (dryRun) return `Would leave ${counts} of its paragraphs${price}. Send dryRun false to write it.`;
  const size = counted(done.wordCount, "word");
  return `Written, act ${done.act}: ${counts}${price}. ${id} is at revision ${done.revision} now, ${size}; its numbers may be others.`;
}
