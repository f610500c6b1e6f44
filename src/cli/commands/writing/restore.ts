import { restoreRevision } from "../../../service/prose/replace-prose.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, replyWrite, takeBack, type WriteOptions } from "../../io/call.ts";
import { changedParagraphs, lossesOf } from "../../output/import-report.ts";

/** Makes an older revision of a chapter the newest. */
export async function restore(
  call: Call,
  [chapter, revision]: [string, number],
  { book, dryRun = false }: WriteOptions & { book?: string },
): Promise<void> {
  const manuscript = await call.open();
  const { id, title } = resolveChapter(manuscript, chapter, book);
  const caller = { source: "cli", dryRun, skipsEmpty: true } as const;
  const answer = restoreRevision(manuscript, id, { revision }, caller);
  await replyWrite(
    call,
    answer,
    ({ changed, blocks, removed, ...done }) => {
      if (!changed) return `${title} is as it was at revision ${revision} already.`;
      const counts = { edited: 0, new: 0, moved: 0, kept: 0, removed: removed.length };
      for (const { status } of blocks) counts[status]++;
      const cost = [...changedParagraphs(counts, dryRun), ...lossesOf(done, dryRun)].map(
        (part) => `, ${part}`,
      );
      return `${title}: revision ${revision} ${dryRun ? "would be" : "is"} the newest again, as revision ${done.revision}${cost.join("")}`;
    },
    [takeBack(answer.act, { isDry: dryRun })],
  );
}
