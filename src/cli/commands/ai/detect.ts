import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { detectMentions } from "../../../service/ai/metered-call.ts";
import { type Accepted, acceptProposals } from "../../../service/annotations/accept-proposals.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { columns, counted, oneLine } from "../../../text/columns.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite } from "../../io/call.ts";
import { tellCost } from "../../output/report.ts";
import type { ROWS } from "../../rows/ai.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import { askAll, oneOrAll, type WholeBookOptions } from "./whole-book.ts";

type Detected = AnswerOf<"detectMentions">;

const TYPES = { mention: "mention", new_fact: "new", new_alias: "alias" } as const;

/** Lists what a chapter, or with `--all` every one, could add to the story map, and writes it with `--apply`. */
export const COMMANDS: CommandsOf<typeof ROWS, "detect"> = {
  detect: async (call, { chapter, book, apply, applyAbove, all, yes }) => {
    oneOrAll(chapter, { all, yes });
    if (apply && applyAbove !== undefined) throw new BadRequest("Give --apply or --apply-above, not both.");
    const above = apply ? 0 : applyAbove;
    if (call.isDry && above === undefined)
      throw new BadRequest("--dry-run goes with --apply; detect alone writes nothing.");
    const manuscript = await call.open();
    const { answer, chapters, shown, paid } =
      chapter === undefined
        ? await detectAll(call, manuscript, { book, yes })
        : await detectOne(manuscript, resolveChapter(manuscript, chapter, book).id);
    if (above === undefined) await reply(call, answer, () => shown);
    else {
      // One act for all chapters, so that one undo takes it back.
      const { accepted, act } = acceptProposals(manuscript, chapters, { ...call.caller, above });
      await replyWrite(call, { ...answer, accepted, act }, () => `${shown}\n${summed(call, accepted)}`);
    }
    await tellCost(call, paid);
  },
};

async function detectOne(manuscript: Manuscript, chapterId: string) {
  const paid = await detectMentions(manuscript, chapterId);
  return { answer: paid.answer, chapters: [paid.answer], shown: listed(paid.answer), paid };
}

async function detectAll(
  call: Call,
  manuscript: Manuscript,
  options: { book: string | undefined } & WholeBookOptions,
) {
  const asked = { ...options, operation: "detectMentions" } as const;
  const { bookId, answers, ...paid } = await askAll(call, manuscript, asked, detectMentions);
  const chapters = answers.map(({ answer, title, spent }) => ({ ...answer, title, cost: spent.cost }));
  const answer: CommandAnswer<"detect --all"> = { bookId, chapters, ...paid.spent };
  const shown = chapters.map((chapter) => `${chapter.title}\n${indented(listed(chapter))}`).join("\n\n");
  return { answer, chapters, shown, paid };
}

function indented(text: string): string {
  return text.replace(/^/gm, "  ");
}

function listed({ engine, proposals }: Pick<Detected, "engine" | "proposals">): string {
  const note = engine.includes("(") ? `\n${engine}` : "";
  if (proposals.length === 0) return `Nothing to add to the story map.${note}`;
  const rows = proposals.map(({ type, confidence, name, kind, aliases = [], occurrences, reason }) => [
    confidence.toFixed(2),
    TYPES[type],
    oneLine([name, ...aliases].join(", "), 50),
    kind,
    counted(occurrences.length, "place"),
    oneLine(reason, 70),
  ]);
  return `${columns(rows, [4])}${note}`;
}

function summed({ isDry }: Call, { facts, aliases, mentions }: Accepted): string {
  return `${isDry ? "Would accept" : "Accepted"}: ${counted(facts.length, "new fact")}, ${counted(aliases.length, "new alias")}, ${counted(mentions, "mention")}`;
}
