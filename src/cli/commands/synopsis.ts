import type { Manuscript } from "../../service/manuscript.ts";
import { checkText, TEXTS } from "../../service/text.ts";
import { type Call, reply, replyWrite, type WriteOptions, withManuscript } from "../call.ts";
import { readText } from "../read-text.ts";
import { resolveChapter } from "../resolve.ts";
import type { SynopsisAnswer } from "../schemas.ts";

type SynopsisOptions = WriteOptions & { book?: string };

/** Prints a chapter's synopsis, or saves another. */
export async function synopsis(
  call: Call,
  [chapter, text]: [string, string?],
  options: SynopsisOptions,
): Promise<void> {
  const given = text === "-" ? (await readText(call.terminal)).trimEnd() : text;
  await withManuscript(call, async (manuscript) => {
    const { id, title, synopsis: saved } = resolveChapter(manuscript, chapter, options.book);
    if (given !== undefined) return await save(call, manuscript, { id, title, text: given }, options);
    const answer: SynopsisAnswer = { id, synopsis: saved };
    await reply(call, answer, () => saved);
  });
}

async function save(
  call: Call,
  manuscript: Manuscript,
  { id, title, text }: { id: string; title: string; text: string },
  { dryRun = false }: SynopsisOptions,
): Promise<void> {
  const { saveSynopsis } = await import("../../service/chapter-fields.ts");
  const body = { synopsis: checkText("The synopsis", text, TEXTS.synopsis) };
  const answer = saveSynopsis(manuscript, id, body, { source: "cli", dryRun });
  await replyWrite(call, answer, () => `${title}: synopsis ${text === "" ? "cleared" : "saved"}`);
}
