import { BadRequest } from "../../../refusals.ts";
import { acceptProposal } from "../../../service/review/accept-proposal.ts";
import { listProposals, readProposal } from "../../../service/review/read-proposal.ts";
import { rejectProposal } from "../../../service/review/reject-proposal.ts";
import { readText } from "../../input/arguments.ts";
import { resolveBook, resolveChapter } from "../../input/resolve.ts";
import { reply, replyWrite } from "../../io/call.ts";
import { showAccepted, showEdit, showHead, showProposals, showRejected } from "../../output/proposals.ts";
import type { ROWS } from "../../rows/proposals.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** The commands on proposals. */
export const COMMANDS: CommandsOf<typeof ROWS, "proposals"> = {
  "proposals list": async (call, { book, status, chapter }) => {
    const manuscript = await call.open();
    const found = chapter === undefined ? undefined : resolveChapter(manuscript, chapter, book);
    const bookId = found?.bookId ?? resolveBook(manuscript, book).id;
    const all = listProposals(manuscript, bookId, { status, chapterId: found?.id });
    const proposals =
      status === undefined
        ? all.proposals.filter((proposal) => proposal.status === "open" || proposal.status === "stale")
        : all.proposals;
    await reply(call, { proposals, total: proposals.length }, () =>
      proposals.length === 0
        ? all.total === 0
          ? "No proposals."
          : "Nothing to decide; --status all lists what was decided."
        : showProposals(proposals),
    );
  },

  "proposals show": async (call, { proposal: id }) => {
    const manuscript = await call.open();
    await reply(call, readProposal(manuscript, id), (proposal) =>
      [showHead(proposal), ...proposal.edits.map((edit) => showEdit(call.terminal, edit))].join("\n\n"),
    );
  },

  "proposals accept": async (call, { proposal: id, edits, text }) => {
    const markdown = text === "-" ? await readText(call.terminal) : text;
    const manuscript = await call.open();
    const body = { edits: indexesOf(edits), markdown };
    const answer = acceptProposal(manuscript, id, body, call.caller);
    await replyWrite(call, answer, (done) => showAccepted(done, call.isDry));
  },

  "proposals reject": async (call, { proposal: id, edits }) => {
    const manuscript = await call.open();
    const answer = rejectProposal(manuscript, id, { edits: indexesOf(edits) }, call.caller);
    await replyWrite(call, answer, (done) => showRejected(done, call.isDry));
  },
};

function indexesOf(list: string | undefined): number[] | undefined {
  if (list === undefined) return undefined;
  if (!/^\d+(,\d+)*$/.test(list))
    throw new BadRequest(
      `--edits takes numbers as proposals show has them, joined by commas: 0,2; got "${list}".`,
    );
  return list.split(",").map(Number);
}
