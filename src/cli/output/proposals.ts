import type { AnswerOf } from "../../contract/index.ts";
import type { ProposedProse } from "../../service/review/propose-prose.ts";
import { columns, counted, localTime, oneLine } from "../../text/columns.ts";
import { type Call, replyWrite, takeBack } from "../io/call.ts";
import type { Terminal } from "../io/terminal.ts";
import { lossesOf } from "./losses.ts";
import { showDiff } from "./word-diff.ts";

type Head = AnswerOf<"listProposals">["proposals"][number];
type Edit = AnswerOf<"readProposal">["edits"][number];

/** Proposals, a line each. */
export function showProposals(proposals: readonly Head[]): string {
  return columns(
    proposals.map(({ id, status, chapterTitle, author, reason, counts }) => [
      id,
      status,
      oneLine(chapterTitle, 30),
      editsOf(counts),
      author,
      oneLine(reason, 50),
    ]),
  );
}

function editsOf(counts: Head["counts"]): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const others = (["stale", "accepted", "rejected"] as const).filter((name) => counts[name] > 0);
  const told = others.map((name) => `${counts[name]} ${name}`);
  return `${counted(total, "edit")}${told.length === 0 ? "" : ` (${told.join(", ")})`}`;
}

/** Who would change what, and why. */
export function showHead({ id, chapterTitle, revision, author, reason, createdAt, status }: Head): string {
  const why = reason === "" ? "" : `\n${reason}`;
  return `${id}  ${chapterTitle}, ${status}: by ${author}, ${localTime(createdAt)}, of revision ${revision}${why}`;
}

const DOES = { replace: "replace", insert_after: "insert behind", delete: "delete" } as const;
const WHY = {
  gone: "its paragraph is gone",
  changed: "its paragraph has changed, and the two do not merge",
  crowded: "something else was put there",
  unwritable: "Markdown cannot say it there",
} as const;

/** One edit: what it does and whether it can be accepted, what that would cost, its words. */
export function showEdit(terminal: Terminal, edit: Edit): string {
  const { index, op, blockId, status, why } = edit;
  const where = blockId ?? "nothing: at the chapter's start";
  const state = why === null ? status : `stale: ${WHY[why]}`;
  const said = [`[${index}] ${DOES[op]} ${where}`, state, ...lossesOf(edit, true)];
  return `${said.join(", ")}\n${showDiff(terminal, edit.changes)}`;
}

/** What rejecting came to. */
export function showRejected({ proposal, rejected }: AnswerOf<"rejectProposal">, isDry: boolean): string {
  return `${proposal.chapterTitle}: ${counted(rejected.length, "edit")} ${isDry ? "to reject" : "rejected"}`;
}

/** What accepting came to. */
export function showAccepted(done: AnswerOf<"acceptProposal">, isDry: boolean): string {
  const titles = done.chapters.map(({ title }) => title).join(", ");
  const what = `${counted(done.accepted.length, "edit")} ${isDry ? "to accept" : "accepted"}`;
  return [`${titles}: ${what}`, ...lossesOf(done, isDry)].join(", ");
}

/** What was proposed instead of written, a line a chapter, and what could not be. */
function showProposed(
  { proposals, unsaid }: { proposals: readonly Head[]; unsaid: readonly { title: string; reason: string }[] },
  isDry: boolean,
): string {
  if (proposals.length === 0 && unsaid.length === 0) return "Nothing to propose.";
  const lead = isDry ? "would propose" : "proposed";
  return [
    ...proposals.map((head) =>
      [...(isDry ? [] : [head.id]), `${head.chapterTitle}: ${lead} ${editsOf(head.counts)}`].join("  "),
    ),
    ...unsaid.map(({ title, reason }) => `${title}: not proposed. ${reason}`),
  ].join("\n");
}

/** How to go on from there. */
function proposedRemedies(call: Call, answer: { act: string | null; proposals: readonly Head[] }): string[] {
  const [first] = answer.proposals;
  if (call.isDry) return ["Dry run: nothing was proposed."];
  if (first === undefined) return [];
  return [
    `Nothing of the prose was changed. Look at it with: manuscript proposals show ${first.id}`,
    takeBack(call, answer),
  ];
}

/** Tells what was proposed instead of written, and how to decide on it; `notes` are further lines for stderr. */
export async function replyProposed(
  call: Call,
  answer: ProposedProse,
  notes: readonly string[] = [],
): Promise<void> {
  const remedies = [...notes, ...proposedRemedies(call, answer)];
  await replyWrite(call, answer, (done) => showProposed(done, call.isDry), remedies);
}
