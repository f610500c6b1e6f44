import { BadRequest } from "../../../refusals.ts";
import { restoreRevision } from "../../../service/prose/restore-revision.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { resolvePoint } from "../../input/resolve-milestone.ts";
import { type Call, replyWrite, takeBack, type WriteOptions } from "../../io/call.ts";
import { changedParagraphs, lossesOf } from "../../output/import-report.ts";
import type { FileOptions } from "../files/restore-file.ts";

type RestoreOptions = WriteOptions & FileOptions & { book?: string };

/** Makes an older revision of a chapter, by its number or a moment of the book, the newest; without a revision a copy of the whole file is meant. */
export async function restore(
  call: Call,
  [what, revision]: [string?, (number | string)?],
  { book, ...options }: RestoreOptions,
): Promise<void> {
  if (what !== undefined && revision !== undefined && !options.list && options.from === undefined)
    return await restoreChapter(call, { chapter: what, book, revision }, options.dryRun ?? false);
  if (revision !== undefined || book !== undefined)
    throw new BadRequest(
      "A chapter is restored by its name and a revision, the whole manuscript by a copy alone: name one of both.",
    );
  const { restoreFile } = await import("../files/restore-file.ts");
  await restoreFile(call, what, options);
}

async function restoreChapter(
  call: Call,
  { chapter, book, revision }: { chapter: string; book: string | undefined; revision: number | string },
  dryRun: boolean,
): Promise<void> {
  const manuscript = await call.open();
  const { id, title, bookId } = resolveChapter(manuscript, chapter, book);
  const wanted =
    typeof revision === "number" ? { revision } : { to: resolvePoint(manuscript, bookId, revision) };
  const named = typeof revision === "number" ? `revision ${revision}` : revision;
  const caller = { source: "cli", dryRun, skipsEmpty: true } as const;
  const answer = restoreRevision(manuscript, id, wanted, caller);
  await replyWrite(
    call,
    answer,
    ({ changed, blocks, removed, ...done }) => {
      if (!changed) return `${title} is as it was at ${named} already.`;
      const counts = { edited: 0, new: 0, moved: 0, kept: 0, removed: removed.length };
      for (const { status } of blocks) counts[status]++;
      const cost = [...changedParagraphs(counts, dryRun), ...lossesOf(done, dryRun)].map(
        (part) => `, ${part}`,
      );
      return `${title}: ${named} ${dryRun ? "would be" : "is"} the newest again, as revision ${done.revision}${cost.join("")}`;
    },
    [takeBack(answer.act, { isDry: dryRun })],
  );
}
