import type { BookFiles } from "../../../files/book-files.ts";
import type { ProposedFiles } from "../../../files/import.ts";
import type { FolderWork } from "../../../files/own-folder.ts";
import type { BookId } from "../../../ids.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { locksFolder } from "../../input/manuscript-file.ts";
import type { Call } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import { replyProposed } from "../../output/proposals.ts";

/** How long a command waits for another that works in the same folder, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Works in a folder while no other command does, and says what was brought back of one that was stopped. Throws `Unavailable`
 * if another goes on working there.
 */
export async function inOwnFolder<Result>(
  call: Call,
  manuscript: Manuscript,
  { path, ...work }: Pick<FolderWork, "who" | "isDry"> & { path: string },
  run: () => Promise<Result>,
): Promise<Result> {
  const { inFolder } = await import("../../../files/own-folder.ts");
  const asked = { ...work, locks: locksFolder(call.terminal), patienceMs: PATIENCE_MS };
  return await inFolder(manuscript, path, asked, async (recovered) => {
    for (const { file, as } of recovered) {
      const where = as === undefined ? "is in its place again" : `is kept as ${as}`;
      await talk(call.terminal, `${file}: a run was stopped while it replaced this; what it said ${where}.`);
    }
    return await run();
  });
}

const LEFT = {
  "new chapter": "is a new chapter, which cannot be proposed; import it",
  fields: "says another title, status, synopsis or part, which cannot be proposed; its prose alone is",
  gone: "is gone from the folder, which cannot be proposed; its chapter stays",
  book: "says another title, order or goal of the book, which cannot be proposed",
  conflict: "and the manuscript have both changed the same; nothing of it is proposed",
} as const;

/** Proposes what files say otherwise of a book's prose; the files stay as they are. */
export async function proposeRead(
  call: Call,
  manuscript: Manuscript,
  files: BookFiles,
  given: { bookId: BookId; reason: string },
): Promise<void> {
  const { proposeFiles } = await import("../../../files/import.ts"); // it loads a parser
  const answer = await proposeFiles(manuscript, files, { ...given, dryRun: call.isDry });
  await replyProposed(call, answer, answer.left.map(inWords));
}

function inWords({ file, title, what }: ProposedFiles["left"][number]): string {
  return `${file ?? title} ${LEFT[what]}.`;
}
