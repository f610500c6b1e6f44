import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { holdsReview, readReviews } from "../../../files/import.ts";
import { BadRequest, PayloadTooLarge } from "../../../refusals.ts";
import { hasBook } from "../../../service/guards.ts";
import { importComments } from "../../../service/interchange/import-comments.ts";
import { counted, sized } from "../../../text/columns.ts";
import { placeOf } from "../../input/arguments.ts";
import { resolveBook } from "../../input/resolve.ts";
import { type Call, replyWrite, would } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import type { CommandAnswer } from "../../rows/answers.ts";

/** Comments are short: so many bytes are more than anybody has written. */
const MOST_BYTES = 16 * 1024 * 1024;

/** True if a JSON file holds the comments of a reader. */
export function isReview(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(200);
    return holdsReview(start.toString("utf8", 0, readSync(file, start)));
  } finally {
    closeSync(file);
  }
}

/** Takes the comments of a reader in, as notes on their paragraphs. */
export async function importReview(
  call: Call,
  path: string,
  {
    book,
    dryRun: _,
    ...others
  }: { book?: string | undefined; dryRun?: boolean | undefined; [option: string]: unknown },
): Promise<void> {
  const [given] = Object.keys(others).filter((option) => others[option] !== undefined);
  if (given !== undefined) throw new BadRequest(`Comments are taken as they are: leave out --${given}.`);
  const file = placeOf(call, path, "PATH");
  const { bookId, readers, notes } = await readReviews([{ name: basename(file), text: readFile(file) }]);
  const [reader = ""] = readers;
  const manuscript = await call.open();
  const isKnown = book === undefined && hasBook(manuscript, bookId);
  if (!isKnown && book === undefined)
    throw new BadRequest(
      `${basename(file)} comments on a book that is not in ${manuscript.store.path}; name another with --book.`,
    );
  const into = isKnown ? bookId : resolveBook(manuscript, book).id;
  const done = importComments(manuscript, into, { readers, notes }, { dryRun: call.isDry });
  const answer: CommandAnswer<"import FILE.comments.json"> = {
    ...{ bookId: done.bookId, reader, act: done.act },
    notes: done.notes.map(({ kind, id, status, lost }) => ({
      ...{ kind, id, status: status === "same" ? "same" : "created" },
      ...(lost === undefined ? {} : { lost }),
    })),
  };
  const made = answer.notes.filter(({ status }) => status === "created");
  await replyWrite(call, answer, () => {
    const known = counted(answer.notes.length - made.length, "comment");
    return `${would(call, "add", "Added ")}${counted(made.length, "comment")} of ${reader || "a reader"}; ${known} were here already`;
  });
  for (const { lost } of answer.notes)
    if (lost !== undefined)
      await talk(call.terminal, `On its chapter, for no paragraph there says "${lost.slice(0, 60)}".`);
}

function readFile(file: string): string {
  const { size } = statSync(file);
  if (size > MOST_BYTES)
    throw new PayloadTooLarge(
      `${basename(file)} has ${sized(size)}; comments are read up to ${sized(MOST_BYTES)}.`,
    );
  return readFileSync(file, "utf8");
}
