import { ENDPOINTS } from "../../contract/index.ts";
import { validate } from "../../contract/validate.ts";
import { editParagraphs } from "../../service/review/edit-paragraphs.ts";
import { propose } from "../../service/review/propose.ts";
import { counted } from "../../text/columns.ts";
import { costInWords, paragraphsAt, readEdits } from "../answers/edits.ts";
import { findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

/** Changes of a chapter's prose that the writer decides on. */
export function proposeEdits(
  { manuscript, caller }: ToolAsking,
  { chapter, book, revision, edits: sent, reason }: ToolInput<"propose_edits">,
): string {
  const { id: chapterId } = findChapterNamed(manuscript, chapter, book);
  const edits = readEdits(paragraphsAt(manuscript, chapterId, revision), sent);
  const body = validate(ENDPOINTS.propose.body.json, { revision, reason, edits }, "The proposal");
  const { id, proposal, act } = propose(manuscript, chapterId, body, caller);
  const cost = costInWords({
    mentionsDropped: proposal.edits.flatMap(({ mentionsDropped }) => mentionsDropped),
    snippetsDetached: proposal.edits.flatMap(({ snippetsDetached }) => snippetsDetached),
  });
  const price = cost === "" ? "" : ` Accepting would cost ${cost}.`;
  const stale = proposal.counts.stale;
  const late = stale === 0 ? "" : ` The chapter has changed since: ${stale} of them no longer merge.`;
  return `Proposed as ${id}, ${counted(proposal.edits.length, "edit")}, act ${act}.${late}${price} The writer decides.`;
}

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
