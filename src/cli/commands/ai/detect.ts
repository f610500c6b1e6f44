import type { AnswerOf } from "../../../contract/index.ts";
import { BadRequest } from "../../../refusals.ts";
import { detectMentions } from "../../../service/ai/metered-call.ts";
import { type Accepted, acceptProposals } from "../../../service/annotations/accept-proposals.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite, type WriteOptions } from "../../io/call.ts";
import { columns, counted, oneLine } from "../../output/columns.ts";
import { tellCost } from "../../output/report.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

type Detected = AnswerOf<"detectMentions">;

interface DetectOptions extends WriteOptions {
  book?: string;
  apply?: boolean;
  applyAbove?: number;
}

const TYPES = { mention: "mention", new_fact: "new", new_alias: "alias" } as const;

/** Lists what a chapter could add to the story map, and writes it with `--apply`. */
export async function detect(
  call: Call,
  [chapter]: [string],
  { book, apply = false, applyAbove, dryRun = false }: DetectOptions,
): Promise<void> {
  if (apply && applyAbove !== undefined) throw new BadRequest("Give --apply or --apply-above, not both.");
  const above = apply ? 0 : applyAbove;
  if (dryRun && above === undefined)
    throw new BadRequest("--dry-run goes with --apply; detect alone writes nothing.");
  const manuscript = await call.open();
  const { id } = resolveChapter(manuscript, chapter, book);
  const paid = await detectMentions(manuscript, id);
  const { answer } = paid;
  if (above === undefined) await reply(call, answer, listed);
  else {
    const { accepted, act } = acceptProposals(manuscript, answer, { above, source: "cli", dryRun });
    const written: CommandAnswer<"detect --apply"> = { ...answer, accepted, act };
    await replyWrite(call, written, () => `${listed(answer)}\n${summed(accepted, dryRun)}`);
  }
  await tellCost(call, paid);
}

function listed({ engine, proposals }: Detected): string {
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

function summed({ facts, aliases, mentions }: Accepted, isDry: boolean): string {
  return `${isDry ? "Would accept" : "Accepted"}: ${counted(facts.length, "new fact")}, ${counted(aliases.length, "new alias")}, ${counted(mentions, "mention")}`;
}
