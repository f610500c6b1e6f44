import { collapseSpace } from "../../../text/fold.ts";
import { paragraphText, type WordComment, type WordDocument } from "./paragraph.ts";

// Longer ones say no more about the place than the paragraph itself.
const LONGEST_QUOTE = 200;

/** A thread of comments as the text of a note. */
export interface ThreadNote {
  text: string;
  /** The first comment as a note that was sent out would read, and what was answered to it. */
  sent: { text: string; answers: string };
}

/**
 * Returns a thread of comments as a note, with who said what and the words that it is about; undefined for an answer,
 * which is told with its thread, and for a comment without words.
 */
export function noteOf(
  comment: WordComment,
  { comments }: Pick<WordDocument, "comments">,
): ThreadNote | undefined {
  if (comments.some(({ id }) => id === comment.parent)) return undefined;
  const answers = comments.filter(({ id, parent }) => parent === comment.id && id !== comment.id);
  const said = [comment, ...answers].filter(({ text }) => text !== "").map(sayingOf);
  if (said.length === 0) return undefined;
  const quote = collapseSpace(comment.quote);
  const isPart =
    quote !== "" &&
    quote.length <= LONGEST_QUOTE &&
    quote !== (comment.from && collapseSpace(paragraphText(comment.from)));
  const text = [...said, ...(isPart ? [`“${quote}”`] : []), ...(comment.isDone ? ["(resolved)"] : [])].join(
    "\n",
  );
  return { text, sent: { text: comment.text, answers: answers.map(sayingOf).join("\n") } };
}

function sayingOf({ author, text }: WordComment): string {
  return author === "" ? text : `${author}: ${text}`;
}
