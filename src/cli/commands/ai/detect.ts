import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { detectMentions } from "../../../service/ai/metered-call.ts";
import { type Accepted, acceptProposals } from "../../../service/annotations/accept-proposals.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { columns, counted, oneLine } from "../../../text/columns.ts";
import { resolveBook, resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite } from "../../io/call.ts";
import { tellCost } from "../../output/report.ts";
import type { ROWS } from "../../rows/ai.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import { askAll, oneOrAll } from "./whole-book.ts";

type Detected = AnswerOf<"detectMentions">;

type DetectOptions = OptionsOf<(typeof ROWS)["detect"]>;

const TYPES = { mention: "mention", new_fact: "new", new_alias: "alias" } as const;

/** Lists what a chapter, or with `--all` every one, could add to the story map, and writes it with `--apply`. */
export const COMMANDS: CommandsOf<typeof ROWS, "detect"> = {
  detect: async (call, { chapter, ...options }) => {
    const { apply, applyAbove } = options;
    oneOrAll(chapter, options);
    if (apply && applyAbove !== undefined) throw new BadRequest("Give --apply or --apply-above, not both.");
    const above = apply ? 0 : applyAbove;
    if (call.isDry && above === undefined)
      throw new BadRequest("--dry-run goes with --apply; detect alone writes nothing.");
    const manuscript = await call.open();
    if (chapter === undefined) return detectAll(call, manuscript, { ...options, above });
    const { id } = resolveChapter(manuscript, chapter, options.book);
    const paid = await detectMentions(manuscript, id);
    const { answer } = paid;
    if (above === undefined) await reply(call, answer, listed);
    else {
      const { accepted, act } = acceptProposals(manuscript, [answer], { ...call.caller, above });
      const written: CommandAnswer<"detect --apply"> = { ...answer, accepted, act };
      await replyWrite(call, written, () => `${listed(answer)}\n${summed(call, accepted)}`);
    }
    await tellCost(call, paid);
  },
};

/** What is accepted of all chapters is one act: one undo takes it back. */
async function detectAll(
  call: Call,
  manuscript: Manuscript,
  { book, yes, above }: DetectOptions & { above: number | undefined },
): Promise<void> {
  const { id: bookId } = resolveBook(manuscript, book, "name one with --book");
  const asked = { operation: "detectMentions", bookId, yes } as const;
  const { answers, ...paid } = await askAll(call, manuscript, asked, detectMentions);
  const chapters = answers.map(({ answer, title, spent }) => ({ ...answer, title, cost: spent.cost }));
  const all: CommandAnswer<"detect --all"> = { bookId, chapters, ...paid.spent };
  const shown = (): string =>
    chapters.map((chapter) => `${chapter.title}\n${indented(listed(chapter))}`).join("\n\n");
  if (above === undefined) await reply(call, all, shown);
  else {
    const { accepted, act } = acceptProposals(manuscript, chapters, { ...call.caller, above });
    await replyWrite(call, { ...all, accepted, act }, () => `${shown()}\n${summed(call, accepted)}`);
  }
  await tellCost(call, paid);
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
