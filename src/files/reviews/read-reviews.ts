import * as z from "zod";
import { BadRequest } from "../../refusals.ts";
import type { ForeignNote } from "../../service/interchange/import-notes.ts";

/** A comment as the file for readers saves it. */
const COMMENT = z.object({
  chapterId: z.string().max(64),
  blockId: z.string().max(64),
  quote: z.string().max(2000),
  text: z.string().min(1),
});
const COMMENTS = z.object({
  manuscriptReview: z.literal(1),
  bookId: z.string(),
  reader: z.string().max(200),
  comments: z.array(COMMENT).max(10_000),
});

/** Comments of one or more readers on a book. */
export interface Reviews {
  /** Id of the book that they had; it may not be here. */
  bookId: string;
  /** Names of the readers; one may have none. */
  readers: string[];
  notes: ForeignNote[];
}

/** Returns the comments that the file for readers saved, of one reader or several. Throws `BadRequest` naming the file. */
export function reviewsOf(files: readonly { name: string; text: string }[]): Reviews {
  const read = files.map(readOne);
  const [bookId = "", ...more] = new Set(read.map((one) => one.bookId));
  if (more.length > 0) throw new BadRequest("These comments are on more than one book; take them in apart.");
  const readers = new Set(read.map(({ reader }) => reader).filter((reader) => reader !== ""));
  const notes = read.flatMap(({ reader, comments }) =>
    comments.map(({ chapterId, blockId, quote, text }) => ({
      ...{ chapter: chapterId, block: blockId, quote },
      ...{ text, author: reader },
    })),
  );
  return { bookId, readers: [...readers], notes };
}

function readOne({ name, text }: { name: string; text: string }): z.output<typeof COMMENTS> {
  const read = COMMENTS.safeParse(asJson(text, name));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new BadRequest(
    `${name} is no file of comments that this version knows: ${issue?.path.join("/")} ${issue?.message}.`,
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
