import { BadRequest } from "../../refusals.ts";
import { saveSynopsis, setStatus } from "../../service/books/chapter-fields.ts";
import { findChapterNamed } from "../answers/names.ts";
import type { ToolInput } from "../rows/inputs.ts";
import type { ToolAsking } from "../tool/tool.ts";

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
