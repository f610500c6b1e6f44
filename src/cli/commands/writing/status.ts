import type { STATUSES } from "../../../contract/enums.ts";
import { setStatus } from "../../../service/books/chapter-fields.ts";
import { resolveChapter } from "../../input/resolve.ts";
import { type Call, replyWrite, type WriteOptions } from "../../io/call.ts";

type Status = (typeof STATUSES)[number];

/** Sets a chapter's status. */
export async function status(
  call: Call,
  [chapter, value]: [string, Status],
  { book, dryRun = false }: WriteOptions & { book?: string },
): Promise<void> {
  const manuscript = await call.open();
  const { id, title } = resolveChapter(manuscript, chapter, book);
  const answer = setStatus(manuscript, id, { status: value }, { source: "cli", dryRun });
  await replyWrite(
    call,
    answer,
    ({ previousStatus }) =>
      `${title}: ${dryRun ? "would go from " : ""}${previousStatus} ${dryRun ? "to" : "→"} ${value}`,
  );
}
