import { collapseSpace } from "../../../text/fold.ts";
import { paragraphText, type WordComment, type WordDocument } from "./paragraph.ts";

// Longer ones say no more about the place than the paragraph itself.
const LONGEST_QUOTE = 200;

/**
 * Returns a thread of comments as the text of a note, with who said what and the words that it is about; undefined for
 * an answer, which is told with its thread, and for a comment without words.
 */
export function noteText(
  comment: WordComment,
  { comments }: Pick<WordDocument, "comments">,
): string | undefined {
  if (comments.some(({ id }) => id === comment.parent)) return undefined;
  const answers = comments.filter(({ id, parent }) => parent === comment.id && id !== comment.id);
  const lines = [comment, ...answers]
    .filter(({ text }) => text !== "")
    .map(({ author, text }) => (author === "" ? text : `${author}: ${text}`));
  if (lines.length === 0) return undefined;
  const quote = collapseSpace(comment.quote);
  const isPart =
    quote !== "" &&
    quote.length <= LONGEST_QUOTE &&
    quote !== (comment.from && collapseSpace(paragraphText(comment.from)));
  return [...lines, ...(isPart ? [`“${quote}”`] : []), ...(comment.isDone ? ["(resolved)"] : [])].join("\n");
}
