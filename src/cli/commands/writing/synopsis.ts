import { BadRequest, Conflict, Refusal } from "../../../refusals.ts";
import { tagOf } from "../../../service/entity-tags.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import type { Caller, Manuscript } from "../../../service/manuscript.ts";
import { shellWord } from "../../../text/columns.ts";
import { readText } from "../../input/arguments.ts";
import { draftsFolder } from "../../input/manuscript-file.ts";
import { type FoundChapter, resolveChapter } from "../../input/resolve.ts";
import { type Call, reply, replyWrite, type WriteOptions } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
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
  const found = resolveChapter(manuscript, chapter, options.book);
  const { id, title, synopsis: saved } = found;
  if (options.draft) return await draft(call, manuscript, found, options);
  if (given !== undefined) {
    const done = given === "" ? "cleared" : "saved";
    const told = `${title}: synopsis ${options.dryRun ? "would be " : ""}${done}`;
    const answer = await save(manuscript, { id, text: given }, options);
    return await replyWrite(call, answer, () => told);
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

/** Prints what the engine drafts; with `--save` it becomes the chapter's synopsis, unless that was written meanwhile. */
async function draft(
  call: Call,
  manuscript: Manuscript,
  found: FoundChapter,
  options: SynopsisOptions,
): Promise<void> {
  const { draftSynopsis } = await import("../../../service/ai/metered-call.ts");
  const paid = await draftSynopsis(manuscript, found.id);
  const {
    answer: { synopsis: text },
    fallback,
  } = paid;
  if (options.save && text === "") throw new BadRequest("The chapter has no prose to draft a synopsis from.");
  if (options.save) {
    const answer = await keeping(call, { id: found.id, text }, () =>
      saveDrafted(manuscript, found, text, options),
    );
    await replyWrite(call, answer, () => text);
  } else await reply(call, { ...paid.answer, ...(fallback === undefined ? {} : { fallback }) }, () => text);
  await tellCost(call, paid);
}

/** Saves what was drafted from `found`. Throws `Conflict` if the synopsis is another by now: drafting may take minutes. */
async function saveDrafted(
  manuscript: Manuscript,
  { id, title, synopsis: before }: FoundChapter,
  text: string,
  options: SynopsisOptions,
) {
  const seen = tagOf(manuscript, "chapter", id);
  const { synopsis: now } = resolveChapter(manuscript, id, undefined);
  if (now !== before && now !== text) {
    throw new Conflict(
      `The synopsis of “${title}” was written by another hand while this one was drafted; that one stays.`,
      { synopsis: now },
    );
  }
  return await save(manuscript, { id, text, seen }, options);
}

async function save(
  manuscript: Manuscript,
  { id, text, seen }: { id: string; text: string; seen?: Caller["seen"] },
  { dryRun = false }: SynopsisOptions,
) {
  const { saveSynopsis } = await import("../../../service/books/chapter-fields.ts");
  const body = { synopsis: checkText("The synopsis", text, TEXTS.synopsis) };
  return saveSynopsis(manuscript, id, body, { source: "cli", dryRun, seen });
}

/** The result of saving a draft; where that fails the draft, which was paid for, stays in a file, and is named. */
async function keeping<Result>(
  call: Call,
  { id, text }: { id: string; text: string },
  saveIt: () => Promise<Result>,
): Promise<Result> {
  try {
    return await saveIt();
  } catch (error) {
    const { keepText } = await import("../../../files/kept-draft.ts");
    const path = keepText(draftsFolder(call.terminal), "synopsis.txt", text);
    const kept = `Your draft is kept: ${path}; save it with: manuscript synopsis ${id} - < ${shellWord(path)}`;
    if (error instanceof Refusal) error.message += ` ${kept}`;
    else await talk(call.terminal, kept);
    throw error;
  }
}
