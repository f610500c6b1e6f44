import { ENDPOINTS } from "../../contract/index.ts";
import { validate } from "../../contract/validate.ts";
import { BadRequest } from "../../refusals.ts";
import {
  createSnippet,
  deleteSnippet,
  theSnippet,
  updateSnippet,
} from "../../service/annotations/snippets.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { rejectProposal } from "../../service/review/reject-proposal.ts";
import { findParagraph, paragraphsAt } from "../answers/edits.ts";
import { findBookNamed, findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

/** A note beside a paragraph, a chapter or the book. */
export function addNote(
  { manuscript, caller }: ToolAsking,
  { text, kind = "note", replyTo, ...place }: ToolInput<"add_note">,
): string {
  const { bookId, ...anchor } =
    replyTo === undefined ? anchorOf(manuscript, place) : repliedIn(manuscript, replyTo, place);
  if (text.trim() === "") throw new BadRequest("The note is empty; give its text.");
  const items = kind === "todo" ? { items: [{ text, done: false }] } : { text };
  const body = validate(ENDPOINTS.createSnippet.body.json, { kind, ...items, ...anchor }, "The note");
  const { id, act } = createSnippet(manuscript, bookId, body, caller);
  return `Noted as ${id}, act ${act}.`;
}

/** A note that is answered says where the answer stands. */
function repliedIn(manuscript: Manuscript, replyTo: string, place: Place) {
  if (place.chapter !== undefined || place.paragraph !== undefined)
    throw new BadRequest("An answer stands where its note does; leave chapter and paragraph out.");
  return { bookId: theSnippet(manuscript, replyTo).bookId, replyTo };
}

interface Place {
  chapter?: string | undefined;
  revision?: number | undefined;
  paragraph?: string | undefined;
  book?: string | undefined;
}

function anchorOf(manuscript: Manuscript, { chapter, revision, paragraph, book }: Place) {
  if (chapter === undefined) {
    if (paragraph !== undefined)
      throw new BadRequest("A paragraph needs its chapter; give chapter and revision.");
    return { bookId: findBookNamed(manuscript, book).id };
  }
  const { id: chapterId, bookId } = findChapterNamed(manuscript, chapter, book);
  if (paragraph === undefined) return { bookId, chapterId };
  if (paragraph.startsWith("b_")) return { bookId, chapterId, blockId: paragraph };
  if (revision === undefined)
    throw new BadRequest("A paragraph's number belongs to a revision; give the one that read_chapter told.");
  return {
    bookId,
    chapterId,
    blockId: findParagraph(paragraphsAt(manuscript, chapterId, revision), paragraph).blockId,
  };
}

/** A note that is dealt with, or a proposal of the agent's own that it takes back. */
export function resolve({ manuscript, caller }: ToolAsking, { id }: ToolInput<"resolve">): string {
  if (id.startsWith("prop_")) {
    const { act } = rejectProposal(manuscript, id, {}, { ...caller, ownOnly: true }); // others are the writer's to decide
    return `Withdrew ${id}, act ${act}.`;
  }
  return manuscript.store.together(() => {
    const { kind, text, url, items, author, resolved } = theSnippet(manuscript, id);
    if (items?.some(({ done }) => !done)) {
      const ticked = items.map((item) => ({ ...item, done: true }));
      const { act } = updateSnippet(manuscript, id, { kind, text, url, items: ticked }, caller);
      return `Ticked off ${id}, act ${act}. Resolve it again to take it away.`;
    }
    if (author !== null && !resolved) {
      const { act } = updateSnippet(manuscript, id, { kind, text, url, resolved: true }, caller);
      return `Resolved ${id} of ${author}, act ${act}. Resolve it again to take it away.`;
    }
    return `Took ${id} away, act ${deleteSnippet(manuscript, id, caller).act}.`;
  });
}
