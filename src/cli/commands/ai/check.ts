import type { AnswerOf } from "../../../contract/index.ts";
import { NotFound } from "../../../refusals.ts";
import { checkChapter, dismissFindings } from "../../../service/ai/check.ts";
import { readOutline } from "../../../service/books/outline.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { parseReady } from "../../../service/present.ts";
import { counted } from "../../../text/columns.ts";
import { type FoundChapter, resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite, would } from "../../io/call.ts";
import { tellCost } from "../../output/report.ts";
import type { ROWS } from "../../rows/ai.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import { askAll, oneOrAll, type WholeBookOptions } from "./whole-book.ts";

type Checked = AnswerOf<"checkConsistency">;

/** Lists the plainly worded slips of a chapter, or with `--all` in the whole book, and dismisses what is named. */
export const COMMANDS: CommandsOf<typeof ROWS, "check"> = {
  check: async (call, { chapter, book, dismiss = [], all, yes }) => {
    oneOrAll(chapter, { all, yes });
    const manuscript = await call.open();
    const { bookId, answer, chapters, paid } =
      chapter === undefined
        ? await checkAll(call, manuscript, { book, yes })
        : await checkOne(manuscript, resolveChapter(manuscript, chapter, book));
    const findings = chapters.flatMap((one) => one.findings);
    if (dismiss.length === 0)
      await reply(call, answer, () => listed(manuscript, bookId, findings, chapters[0]?.engine));
    else {
      assertFound(dismiss, findings, chapter === undefined ? "book" : "chapter");
      const { dismissed, act } = dismissFindings(manuscript, bookId, dismiss, call.caller);
      for (const one of chapters) one.findings = one.findings.filter(({ id }) => !dismissed.includes(id));
      const done = `${would(call, "dismiss", "Dismissed ")}${counted(dismissed.length, "finding")}.`;
      await replyWrite(call, { ...answer, dismissed, act }, () => done);
    }
    await tellCost(call, paid);
  },
};

async function checkOne(manuscript: Manuscript, { id, bookId }: FoundChapter) {
  const paid = await checkChapter(manuscript, id);
  return { bookId, answer: paid.answer, chapters: [paid.answer], paid };
}

/** A finding that is seen from several chapters is listed once, with the first of them. */
async function checkAll(
  call: Call,
  manuscript: Manuscript,
  options: { book: string | undefined } & WholeBookOptions,
) {
  const asked = { ...options, operation: "checkConsistency" } as const;
  const { bookId, answers, ...paid } = await askAll(call, manuscript, asked, checkChapter);
  const seen = new Set<string>();
  const chapters = answers.map(({ answer, title, spent }) => {
    const findings = answer.findings.filter(({ id, evidence }) => {
      const places = evidence.map(({ blockId, from, to }) => `${blockId} ${from} ${to}`);
      const key = [id, ...places.sort()].join("\n"); // the same slip in two chapters has one id
      return !seen.has(key) && seen.add(key);
    });
    return { ...answer, findings, title, cost: spent.cost };
  });
  const answer: CommandAnswer<"check --all"> = { bookId, chapters, ...paid.spent };
  return { bookId, answer, chapters, paid };
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
