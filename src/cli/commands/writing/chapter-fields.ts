import { BadRequest, Conflict, Refusal } from "../../../refusals.ts";
import { tagOf } from "../../../service/entity-tags.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import type { Caller, Manuscript } from "../../../service/manuscript.ts";
import { once } from "../../../text/once.ts";
import { readText } from "../../input/arguments.ts";
import { draftsFolder } from "../../input/manuscript-file.ts";
import { type FoundChapter, resolveChapter, resolveChapters } from "../../input/resolve.ts";
import { type Call, reply, replyWrite } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import { tellCost } from "../../output/report.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";

type SynopsisOptions = OptionsOf<(typeof ROWS)["synopsis"]>;

// A status is set without what drafts a synopsis.
const loadFields = once(() => import("../../../service/books/chapter-fields.ts"));

/** The commands on what is said of a chapter besides its prose and its title. */
export const COMMANDS: CommandsOf<typeof ROWS, "status" | "synopsis"> = {
  status: async (call, { chapter, value, book }) => {
    const manuscript = await call.open();
    const found = resolveChapters(manuscript, chapter, book);
    const { setStatus, setStatuses } = await loadFields();
    const describe = ({ title, previousStatus }: { title: string; previousStatus: string }) => {
      if (previousStatus === value) return `“${title}” is ${value} already.`;
      const [lead, to] = call.isDry ? ["would go from ", "to"] : ["", "→"];
      return `${title}: ${lead}${previousStatus} ${to} ${value}`;
    };
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) {
      const answer = setStatus(manuscript, only.id, { status: value }, call.caller);
      return await replyWrite(call, answer, (done) => describe({ ...done, title: only.title }));
    }
    const ids = found.map(({ id }) => id);
    const answer: CommandAnswer<"status 3-7"> = setStatuses(manuscript, ids, value, call.caller);
    await replyWrite(call, answer, ({ chapters }) => chapters.map(describe).join("\n"));
  },

  synopsis: async (call, { chapter, text, ...options }) => {
    assertTogether(text, options);
    const given = text === "-" ? (await readText(call.terminal)).trimEnd() : text;
    const manuscript = await call.open();
    const found = resolveChapter(manuscript, chapter, options.book);
    const { id, title, synopsis: saved } = found;
    if (options.draft) return await draft(call, manuscript, found, options);
    if (given !== undefined) {
      const done = `${call.isDry ? "would be " : ""}${given === "" ? "cleared" : "saved"}`;
      const answer = await save(call, manuscript, { id, text: given });
      return await replyWrite(call, answer, () => `${title}: synopsis ${done}`);
    }
    const answer: CommandAnswer<"synopsis"> = { id, synopsis: saved };
    await reply(call, answer, () => saved);
  },
};

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
  { save: isSaved }: SynopsisOptions,
): Promise<void> {
  const { draftSynopsis } = await import("../../../service/ai/metered-call.ts");
  const paid = await draftSynopsis(manuscript, found.id);
  const { answer, fallback } = paid;
  const text = answer.synopsis;
  if (isSaved) {
    if (text === "") throw new BadRequest("The chapter has no prose to draft a synopsis from.");
    const saved = await keeping(call, { id: found.id, text }, () =>
      saveDrafted(call, manuscript, found, text),
    );
    await replyWrite(call, saved, () => text);
  } else await reply(call, { ...answer, ...(fallback === undefined ? {} : { fallback }) }, () => text);
  await tellCost(call, paid);
}

/** Saves what was drafted from `found`. Throws `Conflict` if the synopsis is another by now: drafting may take minutes. */
async function saveDrafted(
  call: Call,
  manuscript: Manuscript,
  { id, title, synopsis: before }: FoundChapter,
  text: string,
) {
  const seen = tagOf(manuscript, "chapter", id);
  const { synopsis: now } = resolveChapter(manuscript, id, undefined);
  if (now === before || now === text) return await save(call, manuscript, { id, text, seen });
  throw new Conflict(
    `The synopsis of “${title}” was written by another hand while this one was drafted; that one stays.`,
    { synopsis: now },
  );
}

async function save(
  call: Call,
  manuscript: Manuscript,
  { id, text, seen }: { id: string; text: string; seen?: Caller["seen"] },
) {
  const { saveSynopsis } = await loadFields();
  const body = { synopsis: checkText("The synopsis", text, TEXTS.synopsis) };
  return saveSynopsis(manuscript, id, body, { ...call.caller, seen });
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
