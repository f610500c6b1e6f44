import { readFileSync, realpathSync } from "node:fs";
import { relative } from "node:path";
import { writeAlone } from "../../../files/atomic-write.ts";
import { chapterSaid, headerOf, revisionSaid, splitFrontMatter } from "../../../files/front-matter.ts";
import { BadRequest, Conflict, NotFound, WouldLose } from "../../../refusals.ts";
import {
  type ChapterDraft,
  type DraftBase,
  type DraftWrite,
  planDraftProse,
  readDraftBase,
  writeDraft,
} from "../../../service/interchange/write-draft.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { proposeProse } from "../../../service/review/propose-prose.ts";
import { counted } from "../../../text/columns.ts";
import { decodeUtf8 } from "../../../text/utf8.ts";
import { placeOf, readText } from "../../input/arguments.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { canAsk, confirm } from "../../io/ask.ts";
import { type Call, replyWrite, talkUnlessJson } from "../../io/call.ts";
import { print, type Terminal, talk } from "../../io/terminal.ts";
import { costOfWrite, showParagraphs, sidesOf } from "../../output/import-report.ts";
import { replyProposed } from "../../output/proposals.ts";
import { shellWord } from "../../output/shell-word.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";

/**
 * Replaces a chapter's prose by the Markdown on stdin or in a file, merged with what was written since the revision that the
 * text was made from; mentions stay where the text does. Or proposes it.
 */
export const COMMANDS: CommandsOf<typeof ROWS, "write"> = {
  write: async (call, { chapter, file = "-", book, base, force = false, propose, yes = false }) => {
    const given = await readGiven(call, file);
    const manuscript = await call.open();
    const { id } = resolveChapter(manuscript, chapter, book);
    const current = readDraftBase(manuscript, id);
    const { markdown, revision, header } = await withoutFrontMatter(call, given, current, { id, force });
    if (markdown.trim() === "") throw new BadRequest(`${nameOf(file)} has no prose; nothing was written.`);
    const from = base ?? revision;
    const draft: ChapterDraft = {
      markdown,
      base: from === undefined ? undefined : { revision: from },
      force: force ? "incoming" : undefined,
      mayShrink: yes,
    };
    if (propose) {
      const read = () => [{ chapterId: id, prose: planDraftProse(manuscript, id, draft) }];
      const reason = `write ${nameOf(file)}`;
      return await replyProposed(call, proposeProse(manuscript, read, { ...call.caller, reason }));
    }
    const done = await orNameForce(() => writeAsPlanned(call, manuscript, id, draft));
    await replyDraft(call, done);
    if ((header !== undefined || done.merged) && file !== "-" && done.act !== null)
      await follow(call, placeOf(call, file, "FILE"), { given, header: header ?? "", done });
  },
};

/** Runs a write; where the chapter was changed in the same place, the refusal names `--force`. */
async function orNameForce(run: () => Promise<DraftWrite>): Promise<DraftWrite> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Conflict && "conflicts" in error.extra)
      error.message += " Take what was written since into your text, or take your text there with --force.";
    throw error;
  }
}

/** A file whose front matter says its revision is of the new one, if that is its text word for word. */
async function follow(
  call: Call,
  path: string,
  {
    given,
    header,
    done: { merged, revision, chapterId },
  }: { given: string; header: string; done: DraftWrite },
): Promise<void> {
  const name = shellWord(relative(call.terminal.cwd, path));
  const bytes = readFileSync(path);
  if (merged) {
    const line = `${name} lacks what stays. Get the whole with: manuscript show ${chapterId} -f markdown --header > ${name}`;
    return await talkUnlessJson(call, line);
  }
  const text = bytes.toString();
  if (!text.endsWith(given)) return; // somebody saved it meanwhile
  const stamped = header.replace(/^(revision: *)\d+/m, `$1${revision}`);
  await writeAlone(realpathSync(path), Buffer.from(text.replace(header, stamped)));
}

async function readGiven(call: Call, file: string): Promise<string> {
  if (file === "-") {
    if (call.terminal.stdin.isTTY)
      await talk(call.terminal, "Type the chapter; Ctrl-D ends it, Ctrl-C leaves it.");
    const text = await readText(call.terminal);
    // What was to write it may have failed.
    if (text.trim() === "") throw new BadRequest("stdin gave nothing; nothing was written.");
    return text;
  }
  const path = placeOf(call, file, "FILE");
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new NotFound(`file at ${path}`);
    throw error;
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new BadRequest(`${file} is not valid UTF-8; nothing was written.`);
  return text.replace(/^\ufeff/, "");
}

const nameOf = (file: string) => (file === "-" ? "stdin" : file);

/**
 * The prose of a text, and the revision that its front matter says it was made from. Front matter is no prose, unless the
 * chapter's own prose begins with it.
 */
async function withoutFrontMatter(
  call: Call,
  text: string,
  current: DraftBase,
  { id, force }: { id: string; force: boolean },
): Promise<{ markdown: string; revision?: number; header?: string }> {
  const { frontMatter, body } = splitFrontMatter(text);
  if (frontMatter === "" || current.markdown.startsWith(frontMatter.trimEnd())) return { markdown: text };
  const markdown = body.replace(/^(?:[ \t]*\r?\n)+/, ""); // what parted the two
  const other = chapterSaid(frontMatter);
  if (other !== undefined && other !== id && !force)
    throw new WouldLose(
      `The text says that it is of ${other}, and this is ${id}. Nothing was written; "manuscript write ${other}" writes it there, --force here.`,
    );
  const revision = revisionSaid(frontMatter, id);
  if (revision === undefined || frontMatter.trimEnd() !== headerOf(id, revision).trimEnd())
    await talk(
      call.terminal,
      "The front matter was left out: this writes prose; import takes a file's title and the like.",
    );
  return revision === undefined ? { markdown } : { markdown, revision, header: frontMatter };
}

/**
 * Shows what a draft comes to, then writes it; where that is refused for what both sides changed, shows both. More than half
 * of a chapter goes only if the writer says so; on a terminal that is asked. Throws what `writeDraft` does.
 */
export async function writeAsPlanned(
  call: Call,
  manuscript: Manuscript,
  id: string,
  draft: ChapterDraft,
): Promise<DraftWrite> {
  const { terminal } = call;
  const rehearse = (text: ChapterDraft) => writeDraft(manuscript, id, text, { source: "cli", dryRun: true });
  try {
    if (call.isDry) return rehearse(draft);
    if (call.json) return writeDraft(manuscript, id, draft, call.caller);
    const asks = canAsk(terminal);
    const planned = rehearse({ ...draft, mayShrink: draft.mayShrink === true || asks });
    if (planned.changed) await print(terminal, `${showPlan(terminal, planned)}\n`);
    const mayShrink = draft.mayShrink || (asks && (await isAgreed(terminal, () => rehearse(draft))));
    return writeDraft(manuscript, id, { ...draft, mayShrink }, call.caller);
  } catch (error) {
    if (error instanceof Conflict) await talkUnlessJson(call, ...sidesOfAll(error));
    throw error;
  }
}

/** What each side made of the paragraphs that both changed. */
function sidesOfAll({ extra }: Conflict): string[] {
  const { conflicts = [] } = extra as { conflicts?: { mine: string | null; theirs: string | null }[] };
  return conflicts.flatMap(sidesOf);
}

/** Whether a write that would lose much is meant all the same. Throws `WouldLose` if it is not. */
async function isAgreed(terminal: Terminal, rehearse: () => unknown): Promise<boolean> {
  try {
    rehearse();
    return false;
  } catch (error) {
    if (!(error instanceof WouldLose)) throw error;
    if (await confirm(terminal, `${error.loss} Write it?`)) return true;
    throw new WouldLose("Nothing was written.");
  }
}

/** Answers a written chapter: what it came to; of a dry run each paragraph. */
export async function replyDraft(call: Call, done: DraftWrite): Promise<void> {
  const answer: CommandAnswer<"write"> = done;
  await replyWrite(call, answer, () => (call.isDry ? showPlan(call.terminal, done) : inShort(done, false)));
  if (done.unmarked === 0) return;
  const lost = `The text has no emphasis and no link, which ${counted(done.unmarked, "paragraph")} had.`;
  await talk(
    call.terminal,
    `${lost} To keep them, begin with: manuscript show ${done.chapterId} -f markdown`,
  );
}

const MOST_SHOWN = 40;

function showPlan(terminal: Terminal, done: DraftWrite): string {
  const { changed, paragraphs } = done;
  if (!changed) return inShort(done, true);
  const more = paragraphs.length - MOST_SHOWN;
  return [
    inShort(done, true),
    ...showParagraphs(terminal, paragraphs.slice(0, MOST_SHOWN), true),
    ...(more > 0 ? [`  and ${counted(more, "more paragraph")}; --json lists them all`] : []),
  ].join("\n");
}

function inShort(done: DraftWrite, isDry: boolean): string {
  const { chapterId, title, changed, merged, titleChanged } = done;
  if (!changed) return `“${title}” says just that already.`;
  const renamed = `; its title, that of its heading, ${isDry ? "would change too" : "has changed too"}`;
  const stays = `; what another hand changed meanwhile ${isDry ? "would stay" : "stays"}`;
  return `${chapterId}  ${title}: ${costOfWrite(done, isDry)}${merged ? stays : ""}${titleChanged ? renamed : ""}`;
}
