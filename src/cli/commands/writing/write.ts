import { readFileSync } from "node:fs";
import { splitFrontMatter } from "../../../files/folder/front-matter.ts";
import { BadRequest, NotFound, WouldLose } from "../../../refusals.ts";
import {
  type Draft,
  type DraftWrite,
  readDraftBase,
  writeDraft,
} from "../../../service/interchange/write-draft.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { decodeUtf8 } from "../../../text/utf8.ts";
import { placeOf, readText } from "../../input/arguments.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { canAsk, confirm } from "../../io/ask.ts";
import { type Call, replyWrite, takeBack, type WriteOptions } from "../../io/call.ts";
import { print, type Terminal, talk } from "../../io/terminal.ts";
import { counted } from "../../output/columns.ts";
import { costOfWrite, showParagraphs } from "../../output/import-report.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

interface WriteChapterOptions extends WriteOptions {
  book?: string;
  yes?: boolean;
}

/** Replaces a chapter's prose by the Markdown on stdin or in a file; mentions stay where the text does. */
export async function writeProse(
  call: Call,
  [chapter, file = "-"]: [string, string?],
  { book, dryRun = false, yes = false }: WriteChapterOptions,
): Promise<void> {
  const given = await readGiven(call, file);
  const manuscript = await call.open();
  const { id } = resolveChapter(manuscript, chapter, book);
  const markdown = await withoutFrontMatter(call, given, readDraftBase(manuscript, id).markdown);
  if (markdown.trim() === "") throw new BadRequest(`${nameOf(file)} has no prose; nothing was written.`);
  const draft = { markdown, mayShrink: yes };
  const done = await writeAsPlanned(call, manuscript, { id, draft }, { isDry: dryRun });
  await replyDraft(call, done, { isDry: dryRun });
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

/** An exported file's front matter is no prose, unless the chapter's own prose begins with it. */
async function withoutFrontMatter(call: Call, text: string, current: string): Promise<string> {
  const { frontMatter, body } = splitFrontMatter(text);
  if (frontMatter === "" || current.startsWith(frontMatter.trimEnd())) return text;
  await talk(
    call.terminal,
    "The front matter was left out: this writes prose; import takes a file's title and the like.",
  );
  return body.replace(/^(?:[ \t]*\r?\n)+/, ""); // what parted the two
}

/**
 * Shows what a draft comes to, then writes it. More than half of a chapter goes only if the writer says so; on a terminal that
 * is asked. Throws what `writeDraft` does.
 */
export async function writeAsPlanned(
  call: Call,
  manuscript: Manuscript,
  { id, draft }: { id: string; draft: Draft },
  { isDry }: { isDry: boolean },
): Promise<DraftWrite> {
  const { terminal, json } = call;
  const rehearse = (text: Draft) => writeDraft(manuscript, id, text, { source: "cli", dryRun: true });
  if (isDry) return rehearse(draft);
  if (json) return writeDraft(manuscript, id, draft, { source: "cli" });
  const asks = canAsk(terminal);
  const planned = rehearse({ ...draft, mayShrink: draft.mayShrink === true || asks });
  if (planned.changed) await print(terminal, `${showPlan(terminal, planned)}\n`);
  const mayShrink = draft.mayShrink || (asks && (await isAgreed(terminal, () => rehearse(draft))));
  return writeDraft(manuscript, id, { ...draft, mayShrink }, { source: "cli" });
}

/** Whether a write that would lose much is meant all the same. Throws `WouldLose` if it is not. */
async function isAgreed(terminal: Terminal, rehearse: () => unknown): Promise<boolean> {
  try {
    rehearse();
    return false;
  } catch (error) {
    if (!(error instanceof WouldLose)) throw error;
    const [loss = ""] = error.message.split(". Nothing");
    if (await confirm(terminal, `${loss}. Write it?`)) return true;
    throw new WouldLose("Nothing was written.");
  }
}

/** Answers a written chapter: what it came to; of a dry run each paragraph. */
export async function replyDraft(call: Call, done: DraftWrite, { isDry }: { isDry: boolean }): Promise<void> {
  const answer: CommandAnswer<"write"> = done;
  const show = () => (isDry ? showPlan(call.terminal, done) : inShort(done, false));
  await replyWrite(call, answer, show, [takeBack(done.act, { isDry })]);
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
  if (!changed) return `${title} says just that already.`;
  const renamed = `; its title, that of its heading, ${isDry ? "would change too" : "has changed too"}`;
  const stays = `; what another hand changed meanwhile ${isDry ? "would stay" : "stays"}`;
  return `${chapterId}  ${title}: ${costOfWrite(done, isDry)}${merged ? stays : ""}${titleChanged ? renamed : ""}`;
}
