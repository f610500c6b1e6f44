import { propose as row } from "../../contract/rows/proposals.ts";
import { validate } from "../../contract/validate.ts";
import { propose } from "../../service/review/propose.ts";
import { counted } from "../../text/counted.ts";
import { costInWords } from "../answers/cost.ts";
import { readEdits } from "../answers/edits.ts";
import { findChapterNamed } from "../answers/names.ts";
import { paragraphsAt } from "../answers/paragraph.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

/** Changes of a chapter's prose that the writer decides on. */
export function proposeEdits(
  { manuscript, caller }: ToolAsking,
  { chapter, book, revision, edits: sent, reason }: ToolInput<"propose_edits">,
): string {
  const { id: chapterId } = findChapterNamed(manuscript, chapter, book);
  const edits = readEdits(paragraphsAt(manuscript, chapterId, revision), sent);
  const body = validate(row.body.json, { revision, reason, edits }, "The proposal");
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
