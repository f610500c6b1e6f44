import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import { isoTimeOf } from "../../../text/day.ts";
import { collapseSpace } from "../../../text/fold.ts";
import { paragraphText, type WordComment, type WordDocument } from "./paragraph.ts";

// Longer ones say no more about the place than the paragraph itself.
const LONGEST_QUOTE = 200;

/**
 * Returns a thread of comments as a note, with the words that it is about; undefined for an answer, which is told with
 * its thread, and for a thread without words.
 */
export function noteOf(
  comment: WordComment,
  { comments }: Pick<WordDocument, "comments">,
): ForeignNote | undefined {
  if (comments.some(({ id }) => id === comment.parent)) return undefined;
  const answers = comments.filter(({ id, parent }) => parent === comment.id && id !== comment.id);
  const [first, ...replies] = [comment, ...answers].filter(({ text }) => text !== "");
  if (first === undefined) return undefined;
  const quote = collapseSpace(comment.quote);
  const isPart =
    quote !== "" &&
    quote.length <= LONGEST_QUOTE &&
    quote !== (comment.from && collapseSpace(paragraphText(comment.from)));
  return {
    text: first.text,
    author: first.author,
    ...(isPart && { about: quote }),
    replies: replies.map(({ author, text, at }) => ({ author, text, at: isoTimeOf(at) })),
    resolved: comment.isDone,
  };
}
