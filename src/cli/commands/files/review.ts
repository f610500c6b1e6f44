import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import * as z from "zod";
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
/** A comment as the file for readers saves it. */
const COMMENT = z.object({
  chapterId: z.string().max(64),
  blockId: z.string().max(64),
  quote: z.string().max(2000),
  text: z.string().min(1),
});
const REVIEW = z.object({
  manuscriptReview: z.literal(1),
  bookId: z.string(),
  reader: z.string().max(200),
  comments: z.array(COMMENT).max(10_000),
});

/** True if a JSON file holds the comments of a reader. */
export function isReview(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(200);
    return start.toString("utf8", 0, readSync(file, start)).includes('"manuscriptReview"');
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
  const { bookId, reader, comments } = readReview(file);
  const manuscript = await call.open();
  const isKnown = book === undefined && hasBook(manuscript, bookId);
  if (!isKnown && book === undefined)
    throw new BadRequest(
      `${basename(file)} comments on a book that is not in ${manuscript.store.path}; name another with --book.`,
    );
  const into = isKnown ? bookId : resolveBook(manuscript, book).id;
  const notes = comments.map(({ chapterId, blockId, quote, text }) => ({
    ...{ chapter: chapterId, block: blockId, quote },
    text: reader === "" ? text : `${reader}: ${text}`,
  }));
  const done = importComments(manuscript, into, notes, { dryRun: call.isDry });
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

function readReview(file: string): z.output<typeof REVIEW> {
  const { size } = statSync(file);
  if (size > MOST_BYTES)
    throw new PayloadTooLarge(
      `${basename(file)} has ${sized(size)}; comments are read up to ${sized(MOST_BYTES)}.`,
    );
  const read = REVIEW.safeParse(asJson(readFileSync(file, "utf8"), basename(file)));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new BadRequest(
    `${basename(file)} is no file of comments that this version knows: ${issue?.path.join("/")} ${issue?.message}.`,
  );
}

function asJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest(
      `${name} is not whole: it does not end as JSON does. Save it again from the file for readers.`,
    );
  }
}
