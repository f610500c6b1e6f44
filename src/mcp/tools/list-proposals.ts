import type { Manuscript } from "../../service/manuscript.ts";
import { listProposals, type ProseProposal, readProposal } from "../../service/review/read-proposal.ts";
import { counted, localTime, oneLine } from "../../text/columns.ts";
import { cutTokens, weighTokens } from "../../text/weigh-tokens.ts";
import { ANSWER_TOKENS, fenced, moreOf, type Part, pageOf } from "../answers/answer.ts";
import { findBookNamed, findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

const REASON_CHARACTERS = 160;
const REASON_TOKENS = 1000;

/** What was proposed, and what became of it. */
export function answerProposals(
  { manuscript }: ToolAsking,
  { id, status, chapter, book, ...part }: ToolInput<"list_proposals">,
): string {
  return manuscript.store.snapshot(() => {
    if (id !== undefined) return showProposal(manuscript, id, part);
    const found = chapter === undefined ? undefined : findChapterNamed(manuscript, chapter, book);
    const bookId = found?.bookId ?? findBookNamed(manuscript, book).id;
    const { proposals } = listProposals(manuscript, bookId, { status, chapterId: found?.id });
    const page = pageOf(proposals, part, (proposal) => {
      const { createdAt, author, chapterId, reason } = proposal;
      const lead = `${proposal.id} ${localTime(createdAt)} ${author}, ${chapterId}: ${countsOf(proposal)}`;
      return `${lead}${reason === "" ? "" : `; ${oneLine(reason, REASON_CHARACTERS)}`}`;
    });
    return `${counted(proposals.length, "proposal")}.${moreOf(page)}\n${fenced(page.lines)}`;
  });
}

function countsOf({ counts }: Pick<ProseProposal, "counts">): string {
  const states = Object.entries(counts).filter(([, count]) => count > 0);
  return states.map(([state, count]) => `${count} ${state}`).join(", ");
}

function showProposal(manuscript: Manuscript, id: string, part: Part): string {
  const proposal = readProposal(manuscript, id);
  const { chapterId, revision, author, edits } = proposal;
  const reason = cutTokens(proposal.reason, REASON_TOKENS, (left) => `(${left} characters more)`);
  const room = ANSWER_TOKENS - weighTokens(reason);
  const show = ({ index, op, blockId, status, why, before, markdown }: (typeof edits)[number]) =>
    [
      `edits[${index}] ${op} ${blockId ?? "start"}: ${status}${why === null ? "" : ` (${why})`}`,
      ...(op === "insert_after" ? [] : [`- ${before}`]),
      ...(markdown === null ? [] : [`+ ${markdown}`]),
    ].join("\n");
  const page = pageOf(edits, part, show, room);
  const head = `${id} by ${author} for ${chapterId} at revision ${revision}: ${countsOf(proposal)}.${moreOf(page)}`;
  return `${head}\n${fenced([...(reason === "" ? [] : [reason]), ...page.lines])}`;
}
