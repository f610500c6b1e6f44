import type { AnswerOf } from "../../../contract/index.ts";
import { NotFound } from "../../../refusals.ts";
import { checkChapter, dismissFindings } from "../../../service/ai/check.ts";
import { readOutline } from "../../../service/books/outline.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { parseReady } from "../../../service/present.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite, type WriteOptions } from "../../io/call.ts";
import { counted } from "../../output/columns.ts";
import { tellCost } from "../../output/report.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

type Checked = AnswerOf<"checkConsistency">;

interface CheckOptions extends WriteOptions {
  book?: string;
  dismiss?: string[];
}

/** Lists what contradicts itself in a chapter, and dismisses what is named. */
export async function check(
  call: Call,
  [chapter]: [string],
  { book, dismiss = [], dryRun = false }: CheckOptions,
): Promise<void> {
  const manuscript = await call.open();
  const { id, bookId } = resolveChapter(manuscript, chapter, book);
  const paid = await checkChapter(manuscript, id);
  const { answer } = paid;
  if (dismiss.length === 0) await reply(call, answer, () => listed(manuscript, bookId, answer));
  else {
    const missing = dismiss.find((finding) => !answer.findings.some((one) => one.id === finding));
    if (missing !== undefined) throw new NotFound(`finding of this chapter: ${missing}`);
    const { dismissed, act } = dismissFindings(manuscript, bookId, dismiss, { source: "cli", dryRun });
    const findings = answer.findings.filter((finding) => !dismissed.includes(finding.id));
    const left: CommandAnswer<"check --dismiss"> = { ...answer, findings, dismissed, act };
    await replyWrite(
      call,
      left,
      () => `${dryRun ? "Would dismiss" : "Dismissed"} ${counted(dismissed.length, "finding")}.`,
    );
  }
  await tellCost(call, paid);
}

function listed(manuscript: Manuscript, bookId: string, { findings }: Checked): string {
  if (findings.length === 0) return "Nothing contradicts itself.";
  const outline = parseReady(readOutline(manuscript, bookId));
  const titles = new Map(outline.chapters.map(({ id, title }) => [id, title]));
  return findings
    .map(({ id, severity, message, evidence }) => {
      const places = evidence.map(
        ({ chapterId, text }) => `  “${text}” in ${titles.get(chapterId) ?? chapterId}`,
      );
      return [`${severity}  ${message}`, ...places, `  ${id}`].join("\n");
    })
    .join("\n\n");
}
