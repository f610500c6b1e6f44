import { BadRequest } from "../../../refusals.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { readText } from "../../input/arguments.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite, type WriteOptions } from "../../io/call.ts";
import { tellCost } from "../../output/report.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

interface SynopsisOptions extends WriteOptions {
  book?: string;
  draft?: boolean;
  save?: boolean;
}

/** Prints a chapter's synopsis, drafts one, or saves another. */
export async function synopsis(
  call: Call,
  [chapter, text]: [string, string?],
  options: SynopsisOptions,
): Promise<void> {
  assertTogether(text, options);
  const given = text === "-" ? (await readText(call.terminal)).trimEnd() : text;
  const manuscript = await call.open();
  const { id, title, synopsis: saved } = resolveChapter(manuscript, chapter, options.book);
  if (options.draft) return await draft(call, manuscript, id, options);
  if (given !== undefined) {
    const done = given === "" ? "cleared" : "saved";
    const told = `${title}: synopsis ${options.dryRun ? "would be " : ""}${done}`;
    return await save(call, manuscript, { id, text: given, told }, options);
  }
  const answer: CommandAnswer<"synopsis"> = { id, synopsis: saved };
  await reply(call, answer, () => saved);
}

function assertTogether(text: string | undefined, { draft, save: isSaved, dryRun }: SynopsisOptions): void {
  if (draft && text !== undefined) throw new BadRequest("Give a text or --draft, not both.");
  if (isSaved && !draft)
    throw new BadRequest("--save goes with --draft; a text that is given is saved anyway.");
  if (draft && dryRun && !isSaved)
    throw new BadRequest("--dry-run goes with --save; --draft alone writes nothing.");
}

/** Prints what the engine drafts; with `--save` it becomes the chapter's synopsis. */
async function draft(
  call: Call,
  manuscript: Manuscript,
  id: string,
  options: SynopsisOptions,
): Promise<void> {
  const { draftSynopsis } = await import("../../../service/ai/metered-call.ts");
  const paid = await draftSynopsis(manuscript, id);
  const { synopsis: text } = paid.answer;
  if (options.save && text === "") throw new BadRequest("The chapter has no prose to draft a synopsis from.");
  if (options.save) await save(call, manuscript, { id, text, told: text }, options);
  else await reply(call, paid.answer, () => text);
  await tellCost(call, paid);
}

async function save(
  call: Call,
  manuscript: Manuscript,
  { id, text, told }: { id: string; text: string; told: string },
  { dryRun = false }: SynopsisOptions,
): Promise<void> {
  const { saveSynopsis } = await import("../../../service/books/chapter-fields.ts");
  const body = { synopsis: checkText("The synopsis", text, TEXTS.synopsis) };
  const answer = saveSynopsis(manuscript, id, body, { source: "cli", dryRun });
  await replyWrite(call, answer, () => told);
}
