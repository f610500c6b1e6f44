import type { BookFiles } from "../../../files/book-files.ts";
import { type ProposedFiles, proposeFiles } from "../../../files/import.ts";
import type { BookId } from "../../../ids.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import type { Call } from "../../io/call.ts";
import { replyProposed } from "../../output/proposals.ts";

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
  const answer = await proposeFiles(manuscript, files, { ...given, dryRun: call.isDry });
  await replyProposed(call, answer, answer.left.map(inWords));
}

function inWords({ file, title, what }: ProposedFiles["left"][number]): string {
  return `${file ?? title} ${LEFT[what]}.`;
}
