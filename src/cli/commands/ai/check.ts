import type { AnswerOf } from "../../../contract/index.ts";
import { NotFound } from "../../../refusals.ts";
import { checkChapter, dismissFindings } from "../../../service/ai/check.ts";
import { readOutline } from "../../../service/books/outline.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { parseReady } from "../../../service/present.ts";
import { counted } from "../../../text/columns.ts";
import { resolveBook, resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite, would } from "../../io/call.ts";
import { tellCost } from "../../output/report.ts";
import type { ROWS } from "../../rows/ai.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import { askAll, oneOrAll } from "./whole-book.ts";

type Checked = AnswerOf<"checkConsistency">;

type CheckOptions = OptionsOf<(typeof ROWS)["check"]>;

/** Lists the plainly worded slips of a chapter, or with `--all` in the whole book, and dismisses what is named. */
export const COMMANDS: CommandsOf<typeof ROWS, "check"> = {
  check: async (call, { chapter, ...options }) => {
    const { book, dismiss = [] } = options;
    oneOrAll(chapter, options);
    const manuscript = await call.open();
    if (chapter === undefined) return checkAll(call, manuscript, options);
    const { id, bookId } = resolveChapter(manuscript, chapter, book);
    const paid = await checkChapter(manuscript, id);
    const { answer } = paid;
    if (dismiss.length === 0)
      await reply(call, answer, () => listed(manuscript, bookId, answer.findings, answer.engine));
    else {
      assertFound(dismiss, answer.findings, "chapter");
      const { dismissed, act } = dismissFindings(manuscript, bookId, dismiss, call.caller);
      const findings = answer.findings.filter((finding) => !dismissed.includes(finding.id));
      const left: CommandAnswer<"check --dismiss"> = { ...answer, findings, dismissed, act };
      await replyWrite(call, left, () => dismissal(call, dismissed));
    }
    await tellCost(call, paid);
  },
};

/** A finding that is seen from several chapters is listed once, with the first of them. */
async function checkAll(
  call: Call,
  manuscript: Manuscript,
  { book, yes, dismiss = [] }: CheckOptions,
): Promise<void> {
  const { id: bookId } = resolveBook(manuscript, book, "name one with --book");
  const asked = { operation: "checkConsistency", bookId, yes } as const;
  const { answers, ...paid } = await askAll(call, manuscript, asked, checkChapter);
  const seen = new Set<string>();
  const chapters = answers.map(({ answer, title, spent }) => {
    const findings = answer.findings.filter(({ id, evidence }) => {
      const places = evidence.map(({ blockId, from, to }) => `${blockId} ${from} ${to}`);
      const key = [id, ...places.sort()].join("\n"); // the same slip in two chapters has one id
      return !seen.has(key) && seen.add(key);
    });
    return { ...answer, findings, title, cost: spent.cost };
  });
  const all: CommandAnswer<"check --all"> = { bookId, chapters, ...paid.spent };
  const findings = chapters.flatMap((chapter) => chapter.findings);
  if (dismiss.length === 0)
    await reply(call, all, () => listed(manuscript, bookId, findings, chapters[0]?.engine));
  else {
    assertFound(dismiss, findings, "book");
    const { dismissed, act } = dismissFindings(manuscript, bookId, dismiss, call.caller);
    for (const chapter of chapters)
      chapter.findings = chapter.findings.filter(({ id }) => !dismissed.includes(id));
    await replyWrite(call, { ...all, dismissed, act }, () => dismissal(call, dismissed));
  }
  await tellCost(call, paid);
}

function dismissal(call: Call, dismissed: readonly string[]): string {
  return `${would(call, "dismiss", "Dismissed ")}${counted(dismissed.length, "finding")}.`;
}

function assertFound(dismiss: readonly string[], findings: Checked["findings"], where: string): void {
  const missing = dismiss.find((finding) => !findings.some(({ id }) => id === finding));
  if (missing !== undefined) throw new NotFound(`finding of this ${where}: ${missing}`);
}

const NO_CAST =
  "Only dates were compared: the story map has nobody yet. `manuscript detect --all --apply-above 0.8` fills it; then check again.";
const NO_SLIP = "No plainly worded slip was found. What only a reader can see is not looked for.";

function listed(manuscript: Manuscript, bookId: string, findings: Checked["findings"], engine = ""): string {
  const isBlind = /\bno cast\b/.test(engine);
  if (findings.length === 0) return isBlind ? NO_CAST : NO_SLIP;
  const outline = parseReady(readOutline(manuscript, bookId));
  const titles = new Map(outline.chapters.map(({ id, title }) => [id, title]));
  return findings
    .map(({ id, severity, message, evidence }) => {
      const places = evidence.map(
        ({ chapterId, text }) => `  “${text}” in ${titles.get(chapterId) ?? chapterId}`,
      );
      return [`${severity}  ${message}`, ...places, `  ${id}`].join("\n");
    })
    .join("\n\n")
    .concat(isBlind ? `\n\n${NO_CAST}` : "");
}
