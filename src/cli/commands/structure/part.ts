import { BadRequest } from "../../../refusals.ts";
import { createPart, deletePart, updatePart } from "../../../service/books/parts.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { counted } from "../../../text/columns.ts";
import { outlineOf, resolveBook, resolvePart } from "../../input/resolve.ts";
import { type Call, replyWrite, type WriteOptions } from "../../io/call.ts";
import { type PlaceOptions, placeAmong } from "./place.ts";

interface PartOptions extends PlaceOptions, WriteOptions {
  book?: string;
}

/** Adds a part, without chapters. */
export async function partAdd(
  call: Call,
  [title]: [string],
  { book, dryRun = false, ...options }: PartOptions,
): Promise<void> {
  const fields = { title: checkText("The title", title, TEXTS.title) };
  const manuscript = await call.open();
  const { id } = resolveBook(manuscript, book, "name one with --book");
  const body = { ...fields, ...placeOf(manuscript, id, undefined, options) };
  const answer = createPart(manuscript, id, body, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ part }) =>
    dryRun ? `Would add ${part.position}  ${part.title}` : `${part.position}  ${part.id}  ${part.title}`,
  );
}

/** Gives a part another title. */
export async function partRename(
  call: Call,
  [wanted, title]: [string, string],
  { book, dryRun = false }: PartOptions,
): Promise<void> {
  const body = { title: checkText("The title", title, TEXTS.title) };
  const manuscript = await call.open();
  const { id, title: before } = resolvePart(manuscript, wanted, book);
  const answer = updatePart(manuscript, id, body, { source: "cli", dryRun });
  await replyWrite(
    call,
    answer,
    ({ part }) => `${dryRun ? "Would rename " : ""}${part.id}  ${before} → ${part.title}`,
  );
}

/** Puts a part elsewhere in its book, with its chapters. */
export async function partMove(
  call: Call,
  [wanted]: [string],
  { book, dryRun = false, ...options }: PartOptions,
): Promise<void> {
  const manuscript = await call.open();
  const { id, bookId } = resolvePart(manuscript, wanted, book);
  const answer = manuscript.store.together(
    () => {
      const place = placeOf(manuscript, bookId, id, options);
      if (place.position === undefined)
        throw new BadRequest("Say where to: --before, --after, --first, --last or --position.");
      return updatePart(manuscript, id, place, { source: "cli", dryRun });
    },
    { dryRun },
  );
  await replyWrite(
    call,
    answer,
    ({ part }) =>
      `${dryRun ? "Would stand at " : ""}${part.position}  ${part.id}  ${part.title}: ${counted(part.chapterIds.length, "chapter")}`,
  );
}

/** Removes a part; its chapters stay, so nothing is asked. */
export async function partDelete(
  call: Call,
  [wanted]: [string],
  { book, dryRun = false }: PartOptions,
): Promise<void> {
  const manuscript = await call.open();
  const { id, title, bookId } = resolvePart(manuscript, wanted, book);
  const { parts } = outlineOf(manuscript, bookId);
  const kept = parts.find((part) => part.id === id)?.chapterIds.length ?? 0;
  const stay =
    kept === 0 ? "" : `; ${counted(kept, "chapter")} ${kept === 1 ? "stays" : "stay"} where it was`;
  const answer = deletePart(manuscript, id, { source: "cli", dryRun });
  await replyWrite(call, answer, () => `${dryRun ? "Would delete" : "Deleted"} ${title}${stay}`);
}

function placeOf(
  manuscript: Manuscript,
  bookId: string,
  moved: string | undefined,
  options: PlaceOptions,
): { position?: number } {
  const { parts } = outlineOf(manuscript, bookId);
  const others = parts.filter(({ id }) => id !== moved);
  const place = placeAmong(others, options, (wanted) => resolvePart(manuscript, wanted, bookId).id);
  return place === undefined ? {} : { position: place + 1 };
}
