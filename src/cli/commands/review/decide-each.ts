import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnswerOf, BodyOf } from "../../../contract/index.ts";
import { BadRequest, Refusal, Unavailable } from "../../../refusals.ts";
import { theChapter } from "../../../service/guards.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { acceptProposal } from "../../../service/review/accept-proposal.ts";
import { listProposals, readProposal } from "../../../service/review/read-proposal.ts";
import { rejectProposal } from "../../../service/review/reject-proposal.ts";
import { append } from "../../../text/extremes.ts";
import { editorOf, runEditor } from "../../input/programs.ts";
import { resolveBook } from "../../input/resolve.ts";
import { beginAsking, canAsk, type Questions } from "../../io/ask.ts";
import { type Call, takeBack } from "../../io/call.ts";
import { print, talk } from "../../io/terminal.ts";
import { showAccepted, showEditBriefly, showHead, showRejected } from "../../output/proposals.ts";
import { inCommands } from "../../output/report.ts";

type Edit = AnswerOf<"readProposal">["edits"][number];

const HELP = `y - accept this edit
n - leave it as it is proposed
r - reject this edit
q - leave it and all others, and write what was decided
a - accept it and all that come of this proposal
d - leave it and all that come of this proposal
e - accept it in your own words, in your editor
? - this help`;

/** What was decided: edits to accept, those in other words, and edits to reject. */
interface Decided {
  accepted: number[];
  worded: { index: number; markdown: string }[];
  rejected: number[];
  /** Nothing more is to be asked. */
  isOver: boolean;
}

/**
 * Asks for each undecided edit of a proposal, or of all those of a book, whether it is to be accepted; writes what was decided
 * of each proposal at its end.
 */
export async function decideEach(
  call: Call,
  which: { id: string } | { book: string | undefined },
): Promise<void> {
  const { terminal } = call;
  if (!canAsk(terminal)) throw new BadRequest("--interactive needs a terminal; name edits with --edits.");
  const manuscript = await call.open();
  const ids = "id" in which ? [which.id] : undecidedOf(manuscript, which.book);
  if (ids.length === 0) return await talk(terminal, "Nothing to decide.");
  const asking = await beginAsking(terminal);
  let refusal: Refusal | undefined;
  try {
    for (const [at, id] of ids.entries()) {
      const count = ids.length === 1 ? "" : `Proposal ${at + 1} of ${ids.length}: `;
      const over = await decideOne(call, { manuscript, asking }, { id, count }).catch(async (error) => {
        if (!(error instanceof Refusal) || ids.length === 1) throw error;
        if (refusal !== undefined) await talk(terminal, inCommands(refusal));
        refusal = error;
        return false;
      });
      if (over) break;
    }
    if (refusal !== undefined) throw refusal;
  } finally {
    asking.close();
  }
}

function undecidedOf(manuscript: Manuscript, book: string | undefined): string[] {
  const { proposals } = listProposals(manuscript, resolveBook(manuscript, book).id);
  return proposals.flatMap(({ id, counts }) => (counts.open + counts.stale > 0 ? [id] : []));
}

/** Asks for each edit of a proposal and writes what was decided. Whether nothing more is to be asked. */
async function decideOne(
  call: Call,
  { manuscript, asking }: { manuscript: Manuscript; asking: Questions },
  { id, count }: { id: string; count: string },
): Promise<boolean> {
  const { proposal, revision } = manuscript.store.snapshot(() => {
    const read = readProposal(manuscript, id);
    return { proposal: read, revision: theChapter(manuscript, read.chapterId).revision };
  });
  await print(call.terminal, `${count === "" ? "" : `\n${count}`}${showHead(proposal)}\n`);
  const undecided = proposal.edits.filter(({ status }) => status === "open" || status === "stale");
  const decided = await decide(call, asking, undecided);
  await write(call, manuscript, { proposal, revision, ...decided });
  return decided.isOver;
}

async function decide(call: Call, asking: Questions, edits: readonly Edit[]): Promise<Decided> {
  const { terminal } = call;
  const decided: Decided = { accepted: [], worded: [], rejected: [], isOver: false };
  for (const [at, edit] of edits.entries()) {
    await print(terminal, `\n${showEditBriefly(terminal, edit)}\n`);
    const letter = await letterFor(call, asking, edit, `(${at + 1}/${edits.length})`);
    if (letter === "y") decided.accepted.push(edit.index);
    else if (letter === "r") decided.rejected.push(edit.index);
    else if (letter === "a") {
      const rest = edits.slice(at).filter(({ status }) => status === "open");
      append(
        decided.accepted,
        rest.map(({ index }) => index),
      );
    } else if (letter === "e") {
      const markdown = await asking.lend(() => wordingOf(call, edit));
      if (markdown !== undefined) decided.worded.push({ index: edit.index, markdown });
    }
    decided.isOver = letter === "q";
    if (["a", "d", "q"].includes(letter)) break;
  }
  return decided;
}

async function letterFor(
  { terminal }: Call,
  asking: Questions,
  { status, op }: Edit,
  count: string,
): Promise<string> {
  const choices = [
    ...(status === "open" ? ["y", "n", "r", "q", "a", "d"] : ["n", "r", "q", "d"]),
    ...(op === "delete" ? [] : ["e"]),
    "?",
  ];
  for (;;) {
    const line = await asking.ask(`${count} Accept this edit [${choices.join(",")}]?`);
    const letter = line === undefined ? "q" : line.trim().toLowerCase().slice(0, 1);
    if (letter !== "?" && choices.includes(letter)) return letter;
    await talk(terminal, HELP);
  }
}

/** What the writer's editor leaves of what accepting would; undefined if that is nothing, or the editor fails. */
async function wordingOf({ terminal }: Call, edit: Edit): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-proposal-"));
  const path = join(folder, "paragraph.md");
  try {
    writeFileSync(path, `${wordsOf(edit)}\n`);
    await runEditor(terminal, editorOf(terminal), path);
    const text = readFileSync(path, "utf8").trim();
    if (text !== "") return text;
    await talk(terminal, "It was left empty: the edit stays as it is proposed.");
    return undefined;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    await talk(terminal, `${inCommands(error)} The edit stays as it is proposed.`);
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The Markdown that accepting would leave, what has changed meanwhile with it; of a stale edit what was proposed. */
function wordsOf({ status, changes, markdown }: Edit): string {
  if (status !== "open") return markdown ?? "";
  return changes.flatMap(({ op, text }) => (op === "removed" ? [] : [text])).join("");
}

interface Written extends Omit<Decided, "isOver"> {
  proposal: AnswerOf<"readProposal">;
  /** Of the chapter, as it was shown. */
  revision: number;
}

/**
 * Writes all accepted edits as one act, each that has other words as one of its own, and all rejected ones as one. Throws the
 * last refusal at the end.
 */
async function write(
  call: Call,
  manuscript: Manuscript,
  { proposal: { id, chapterId }, revision, accepted, worded, rejected }: Written,
): Promise<void> {
  const { terminal } = call;
  const requests: BodyOf<"acceptProposal">[] = [
    ...(accepted.length === 0 ? [] : [{ edits: accepted }]),
    ...worded.map(({ index, markdown }) => ({ edits: [index], markdown })),
  ];
  if (requests.length === 0 && rejected.length === 0)
    await talk(terminal, "Nothing was accepted; nothing was written.");
  let seen = revision;
  let refusal: Refusal | undefined;
  for (const body of requests) {
    // Words of one's own are not merged: they are for the paragraph that was shown.
    const ifRevision = body.markdown === undefined ? undefined : seen;
    try {
      const answer = acceptProposal(manuscript, id, { ...body, ifRevision }, { source: "cli" });
      if (answer.chapters.some((chapter) => chapter.id === chapterId)) seen++;
      await print(terminal, `${showAccepted(answer, false)}\n`);
      await talk(terminal, takeBack(call, answer));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (refusal !== undefined) await talk(terminal, inCommands(refusal));
      refusal = error;
      if (body.markdown !== undefined) await talk(terminal, `Not written, your words:\n\n${body.markdown}\n`);
    }
  }
  if (rejected.length > 0) {
    const answer = rejectProposal(manuscript, id, { edits: rejected }, { source: "cli" });
    await print(terminal, `${showRejected(answer, false)}\n`);
    await talk(terminal, takeBack(call, answer));
  }
  if (refusal !== undefined) throw refusal;
}
