import { BadRequest } from "../../../refusals.ts";
import { createPart, deletePart, updatePart } from "../../../service/books/parts.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { counted } from "../../../text/columns.ts";
import { outlineOf, resolveBook, resolvePart } from "../../input/resolve.ts";
import { renamed, replyWrite, would } from "../../io/call.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/structure.ts";
import { type PlaceOptions, placeAmong } from "./place.ts";

/** The commands on parts. */
export const COMMANDS: CommandsOf<typeof ROWS, "part"> = {
  "part add": async (call, { title, book, ...options }) => {
    const fields = { title: checkText("The title", title, TEXTS.title) };
    const manuscript = await call.open();
    const { id } = resolveBook(manuscript, book, "name one with --book");
    const body = { ...fields, ...placeOf(manuscript, id, undefined, options) };
    const answer = createPart(manuscript, id, body, call.caller);
    await replyWrite(call, answer, ({ part }) =>
      call.isDry
        ? `Would add ${part.position}  ${part.title}`
        : `${part.position}  ${part.id}  ${part.title}`,
    );
  },

  "part rename": async (call, { part, title, book }) => {
    const body = { title: checkText("The title", title, TEXTS.title) };
    const manuscript = await call.open();
    const before = resolvePart(manuscript, part, book);
    const answer = updatePart(manuscript, before.id, body, call.caller);
    await replyWrite(call, answer, (done) => renamed(call, before, done.part));
  },

  "part move": async (call, { part: wanted, book, ...options }) => {
    const manuscript = await call.open();
    const { id, bookId } = resolvePart(manuscript, wanted, book);
    const answer = manuscript.store.together(() => {
      const place = placeOf(manuscript, bookId, id, options);
      if (place.position === undefined)
        throw new BadRequest("Say where to: --before, --after, --first, --last or --position.");
      return updatePart(manuscript, id, place, call.caller);
    }, call.caller);
    await replyWrite(call, answer, ({ part: { position, title, chapterIds } }) => {
      const held = counted(chapterIds.length, "chapter");
      return `${would(call, "stand at")}${position}  ${id}  ${title}: ${held}`;
    });
  },

  // Its chapters stay, so nothing is asked.
  "part delete": async (call, { part, book }) => {
    const manuscript = await call.open();
    const { id, title, bookId } = resolvePart(manuscript, part, book);
    const kept = outlineOf(manuscript, bookId).parts.find((one) => one.id === id)?.chapterIds.length ?? 0;
    const stay =
      kept === 0 ? "" : `; ${counted(kept, "chapter")} ${kept === 1 ? "stays" : "stay"} where it was`;
    const answer = deletePart(manuscript, id, call.caller);
    await replyWrite(call, answer, () => `${would(call, "delete", "Deleted ")}“${title}”${stay}`);
  },
};

function placeOf(
  manuscript: Manuscript,
  bookId: string,
  moved: string | undefined,
  options: PlaceOptions,
): { position?: number } {
  const others = outlineOf(manuscript, bookId).parts.filter(({ id }) => id !== moved);
  const place = placeAmong(others, options, (wanted) => resolvePart(manuscript, wanted, bookId).id);
  return place === undefined ? {} : { position: place + 1 };
}
