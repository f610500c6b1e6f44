import { realpathSync } from "node:fs";
import { slug } from "../../../files/file-names.ts";
import {
  changedAt,
  dropDraft,
  findDrafts,
  holdDraft,
  isUnchanged,
  type KeptDraft,
  keepDraft,
  readDraft,
} from "../../../files/kept-draft.ts";
import { BadRequest, Conflict, NotFound, Refusal, WouldLose } from "../../../refusals.ts";
import { type ChapterDraft, readDraftBase, writeDraft } from "../../../service/interchange/write-draft.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { localTime } from "../../../text/columns.ts";
import { decodeUtf8 } from "../../../text/utf8.ts";
import { sideOf } from "../../../three-way.ts";
import { draftsFolder } from "../../input/manuscript-file.ts";
import { editorOf, runEditor } from "../../input/programs.ts";
import { type FoundChapter, resolveChapter } from "../../input/resolve.ts";
import { canAsk, confirm } from "../../io/ask.ts";
import { type Call, talkUnlessJson } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";
import { replyDraft, writeAsPlanned } from "./write.ts";

type EditOptions = OptionsOf<(typeof ROWS)["edit"]>;

/**
 * Opens a chapter's Markdown in the writer's editor and writes what became of it. Until that is written its file stays,
 * whatever fails or is killed, and the next edit of the chapter goes on with it.
 */
export const COMMANDS: CommandsOf<typeof ROWS, "edit"> = {
  edit: async (call, { chapter, ...options }) => {
    if (options.resume && options.fresh) throw new BadRequest("Give --resume or --fresh, not both.");
    const editor = editorOf(call.terminal);
    const manuscript = await call.open();
    const found = resolveChapter(manuscript, chapter, options.book);
    const draft = await draftOf(call, manuscript, found, options);
    try {
      await runEditor(call.terminal, editor, draft.path);
      await takeIn(call, manuscript, { found, draft }, options);
    } catch (error) {
      if (isUnchanged(draft)) dropDraft(draft);
      else holdDraft(draft, null);
      if (!(error instanceof Refusal) && readDraft(draft) !== undefined)
        await talk(call.terminal, `Your text is kept: ${draft.path}`);
      throw naming(draft, error);
    }
  },
};

/** The file to edit: one that was left, if the writer goes on with it, else the chapter as it is. */
async function draftOf(
  { terminal }: Call,
  manuscript: Manuscript,
  { id, title, position }: FoundChapter,
  { resume, fresh }: EditOptions,
): Promise<KeptDraft> {
  const place = draftsFolder(terminal);
  const owner = { manuscript: realpathSync(manuscript.store.path), chapterId: id };
  const [left] = fresh ? [] : findDrafts(place, owner);
  if (left !== undefined) {
    const what = `An edit of “${title}”, saved ${localTime(new Date(changedAt(left)).toISOString())}, was never written: ${left.path}`;
    if (!resume && !canAsk(terminal)) {
      throw new WouldLose(
        `${what}. Go on with it by --resume, or begin anew by --fresh, which leaves that file there.`,
      );
    }
    if (resume || (await confirm(terminal, `${what}\nGo on with it?`, { isYes: true }))) {
      holdDraft(left);
      return left;
    }
    await talk(terminal, "It stays there.");
  } else if (resume) throw new NotFound(`edit of “${title}” that was left; begin one without --resume`);
  const name = `${String(position).padStart(2, "0")}-${slug(title) || "chapter"}.md`;
  return keepDraft(place, owner, name, readDraftBase(manuscript, id));
}

/** Writes what the editor left, after the plan; nothing if it left all as it was, or nothing at all. */
async function takeIn(
  call: Call,
  manuscript: Manuscript,
  { found: { id, title }, draft }: { found: FoundChapter; draft: KeptDraft },
  { yes = false, force }: EditOptions,
): Promise<void> {
  const { base } = draft;
  const text = textOf(draft);
  if (isUnchanged(draft)) {
    const why = text.trim() === "" && base.markdown.trim() !== "" ? "was left empty" : "was not changed";
    await talkUnlessJson(call, `“${title}” ${why}; nothing was written.`);
    const same = writeDraft(manuscript, id, readDraftBase(manuscript, id), { source: "cli", dryRun: true });
    if (call.json) await replyDraft(call, same);
    return dropDraft(draft);
  }
  const wanted: ChapterDraft = { markdown: text, base, mayShrink: yes, force: sideOf(force) };
  const done = await writeAsPlanned(call, manuscript, id, wanted);
  if (call.isDry) holdDraft(draft, null);
  else dropDraft(draft);
  await replyDraft(call, done);
  if (call.isDry) await talkUnlessJson(call, `Your text is kept: ${draft.path}`);
}

/** The draft's text, without a byte order mark; "" if its file is gone. Throws `BadRequest` if it is not valid UTF-8. */
function textOf(draft: KeptDraft): string {
  const text = decodeUtf8(readDraft(draft) ?? Buffer.of());
  if (text === undefined)
    throw new BadRequest("What the editor saved is not valid UTF-8; nothing was written.");
  return text.replace(/^\ufeff/, "");
}

/** The refusal, which also says where the text is and how to go on. */
function naming(draft: KeptDraft, error: unknown): unknown {
  if (!(error instanceof Refusal) || readDraft(draft) === undefined) return error;
  const side =
    error instanceof Conflict ? ", and --force mine or theirs decides where both changed the same" : "";
  error.message += ` Your text is kept: ${draft.path}; "manuscript edit CHAPTER --resume" goes on with it${side}.`;
  return error;
}
