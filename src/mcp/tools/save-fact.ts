import { ENDPOINTS } from "../../contract/index.ts";
import { validate } from "../../contract/validate.ts";
import { BadRequest } from "../../refusals.ts";
import { createFact, listFacts, updateFact } from "../../service/annotations/facts.ts";
import { saveSynopsis, setStatus } from "../../service/books/chapter-fields.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { foldName } from "../../service/naming/choose.ts";
import { findBookNamed, findChapterNamed, findFactNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

/** A new fact of the story map, or other fields of one. */
export function saveFact(
  { manuscript, caller }: ToolAsking,
  { fact: wanted, book, attributes, ...fields }: ToolInput<"save_fact">,
): string {
  const pairs = attributes && Object.entries(attributes).map(([key, value]) => ({ key, value }));
  if (wanted !== undefined) {
    const { id } = findFactNamed(manuscript, wanted, book);
    const body = { ...fields, ...(pairs === undefined ? {} : { setAttributes: pairs }) };
    const { act } = updateFact(
      manuscript,
      id,
      validate(ENDPOINTS.updateFact.body.json, body, "The fact"),
      caller,
    );
    return `Saved ${id}, act ${act}.`;
  }
  const { id: bookId } = findBookNamed(manuscript, book);
  if (fields.name === undefined)
    throw new BadRequest("A new fact needs its name; or name with fact the one to change.");
  assertNew(manuscript, bookId, fields.name);
  const set = pairs?.filter(({ value }) => value !== null);
  const body = validate(
    ENDPOINTS.createFact.body.json,
    { ...fields, ...(set && { attributes: set }) },
    "The fact",
  );
  const { id, act } = createFact(manuscript, bookId, body, caller);
  return `Added ${id}, act ${act}.`;
}

/** Throws `BadRequest` if a fact has that name: an agent that adds it again has not seen it. */
function assertNew(manuscript: Manuscript, bookId: string, name: string): void {
  const same = listFacts(manuscript, bookId).facts.find((one) => foldName(one.name) === foldName(name));
  if (same !== undefined)
    throw new BadRequest(`There is a fact of that name, ${same.id}: give fact "${same.id}" to change it.`);
}

/** A chapter's status, its synopsis, or both: an act each. */
export function setChapter(
  { manuscript, caller }: ToolAsking,
  { chapter, book, status, synopsis }: ToolInput<"set_chapter">,
): string {
  const { id } = findChapterNamed(manuscript, chapter, book);
  if (status === undefined && synopsis === undefined)
    throw new BadRequest("Nothing to set; give status or synopsis.");
  return manuscript.store.together(() => {
    const done = [
      ...(status === undefined ? [] : [`status, act ${setStatus(manuscript, id, { status }, caller).act}`]),
      ...(synopsis === undefined
        ? []
        : [`synopsis, act ${saveSynopsis(manuscript, id, { synopsis }, caller).act}`]),
    ];
    return `Set of ${id}: ${done.join("; ")}.`;
  });
}
