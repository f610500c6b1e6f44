import { BadRequest } from "../../../refusals.ts";
import { restoreRevision } from "../../../service/prose/restore-revision.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { resolvePoint } from "../../input/resolve-milestone.ts";
import { type Call, replyWrite } from "../../io/call.ts";
import { changedParagraphs, lossesOf } from "../../output/losses.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";

/** Puts a revision of a chapter, or a copy of the whole file, in the place of what there is. */
export const COMMANDS: CommandsOf<typeof ROWS, "restore"> = {
  restore: async (call, { what, revision, book, ...options }) => {
    if (what !== undefined && revision !== undefined && !options.list && options.from === undefined)
      return await restoreChapter(call, { chapter: what, book, revision });
    if (revision !== undefined || book !== undefined)
      throw new BadRequest(
        "A chapter is restored by its name and a revision, the whole manuscript by a copy alone: name one of both.",
      );
    const { restoreFile } = await import("../files/restore-file.ts");
    await restoreFile(call, what, options);
  },
};

async function restoreChapter(
  call: Call,
  { chapter, book, revision }: { chapter: string; book: string | undefined; revision: number | string },
): Promise<void> {
  const manuscript = await call.open();
  const { id, title, bookId } = resolveChapter(manuscript, chapter, book);
  const wanted =
    typeof revision === "number" ? { revision } : { to: resolvePoint(manuscript, bookId, revision) };
  const named = typeof revision === "number" ? `revision ${revision}` : revision;
  const answer = restoreRevision(manuscript, id, wanted, call.caller);
  await replyWrite(call, answer, ({ changed, blocks, removed, ...done }) => {
    if (!changed) return `“${title}” is as it was at ${named} already.`;
    const counts = { edited: 0, new: 0, moved: 0, kept: 0, removed: removed.length };
    for (const { status } of blocks) counts[status]++;
    const cost = [...changedParagraphs(counts, call.isDry), ...lossesOf(done, call.isDry)].map(
      (part) => `, ${part}`,
    );
    return `${title}: ${named} ${call.isDry ? "would be" : "is"} the newest again, as revision ${done.revision}${cost.join("")}`;
  });
}
