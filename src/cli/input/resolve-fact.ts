import { listFacts, theFact } from "../../service/annotations/facts.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { type FoundInBook, resolveInBook } from "./resolve.ts";

// Apart from the others, which every short command loads.

/** The same as `resolveChapter`, for a fact: by its name or an alias. */
export function resolveFact(manuscript: Manuscript, wanted: string, book: string | undefined): FoundInBook {
  if (/^fa_[0-9a-z]+$/.test(wanted)) {
    const { id, name: title, bookId } = theFact(manuscript, wanted);
    return { id, title, bookId };
  }
  return resolveInBook(manuscript, wanted, {
    book,
    what: "fact",
    listedBy: "facts list",
    list: (bookId) =>
      listFacts(manuscript, bookId).facts.map(({ id, name, aliases }) => ({ id, title: name, aliases })),
  });
}
