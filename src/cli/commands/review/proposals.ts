import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { acceptProposal } from "../../../service/review/accept-proposal.ts";
import { listProposals, readProposal } from "../../../service/review/read-proposal.ts";
import { rejectProposal } from "../../../service/review/reject-proposal.ts";
import { readText } from "../../input/arguments.ts";
import { resolveBook, resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite, takeBack, type WriteOptions } from "../../io/call.ts";
import { showAccepted, showEdit, showHead, showProposals, showRejected } from "../../output/proposals.ts";

type Status = AnswerOf<"listProposals">["proposals"][number]["status"] | "all";

/** Lists what is proposed for a book, or a chapter: what is to be decided, or what has a status. */
export async function proposalsList(
  call: Call,
  [book]: [string?],
  { status, chapter }: { status?: Status; chapter?: string },
): Promise<void> {
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
}

/** Shows a proposal with its edits. */
export async function proposalsShow(call: Call, [id]: [string]): Promise<void> {
  const manuscript = await call.open();
  await reply(call, readProposal(manuscript, id), (proposal) =>
    [showHead(proposal), ...proposal.edits.map((edit) => showEdit(call.terminal, edit))].join("\n\n"),
  );
}

interface AcceptOptions extends WriteOptions {
  edits?: string;
  text?: string;
  interactive?: boolean;
  all?: boolean;
  book?: string;
}

/** Accepts a proposal, some of its edits, or one in other words; or asks for each, of one proposal or of all. */
export async function proposalsAccept(call: Call, [id]: [string?], options: AcceptOptions): Promise<void> {
  const { edits, text, interactive = false, all = false, book, dryRun = false } = options;
  if (all && (!interactive || id !== undefined))
    throw new BadRequest(
      "--all goes through every open proposal of a book: give it with -i and no proposal.",
    );
  if (book !== undefined && !all) throw new BadRequest("--book goes with --all.");
  if (interactive && (all || id !== undefined)) {
    if (edits !== undefined || text !== undefined || dryRun || call.json)
      throw new BadRequest(
        "--interactive asks for each edit: leave --edits, --text, --dry-run and --json out.",
      );
    const { decideEach } = await import("./decide-each.ts");
    return await decideEach(call, id === undefined ? { book } : { id });
  }
  if (id === undefined)
    throw new BadRequest(
      'Name a proposal, as "manuscript proposals list" shows them; or go through all with --all -i.',
    );
  const markdown = text === "-" ? await readText(call.terminal) : text;
  const manuscript = await call.open();
  const body = { edits: indexesOf(edits), markdown };
  const answer = acceptProposal(manuscript, id, body, { source: "cli", dryRun });
  await replyWrite(call, answer, (done) => showAccepted(done, dryRun), [
    takeBack(answer.act, { isDry: dryRun }),
  ]);
}

/** Rejects a proposal, or some of its edits. */
export async function proposalsReject(
  call: Call,
  [id]: [string],
  { edits, dryRun = false }: WriteOptions & { edits?: string },
): Promise<void> {
  const manuscript = await call.open();
  const answer = rejectProposal(manuscript, id, { edits: indexesOf(edits) }, { source: "cli", dryRun });
  await replyWrite(call, answer, (done) => showRejected(done, dryRun), [
    takeBack(answer.act, { isDry: dryRun }),
  ]);
}

function indexesOf(list: string | undefined): number[] | undefined {
  if (list === undefined) return undefined;
  if (!/^\d+(,\d+)*$/.test(list))
    throw new BadRequest(
      `--edits takes numbers as proposals show has them, joined by commas: 0,2; got "${list}".`,
    );
  return list.split(",").map(Number);
}
