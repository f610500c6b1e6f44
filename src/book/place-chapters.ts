import type { StoredChapter } from "./book.ts";
import type { MatchedChapter } from "./match-chapters.ts";
import { inOrder } from "./merge-description.ts";

/**
 * The book's chapters in the order that they are to have: what is there keeps its place, unless `order`, the files of the
 * folder's list, puts it into another; a new one stands behind the chapter of the file before it, and if there is none,
 * at the end of its part, else of the book. O(chapters²) for new chapters alone.
 */
export function placeChapters(
  stored: readonly StoredChapter[],
  matched: readonly MatchedChapter[],
  order: readonly string[] | undefined,
): (StoredChapter | MatchedChapter)[] {
  const files = new Map(matched.map((match) => [match.stored, match.incoming.file ?? undefined]));
  const list: (StoredChapter | MatchedChapter)[] =
    order === undefined ? [...stored] : inOrder(stored, (chapter) => files.get(chapter), order);
  let before = -1;
  for (const match of matched) {
    if (match.stored !== undefined) {
      before = list.indexOf(match.stored);
      continue;
    }
    before = before >= 0 ? before + 1 : endOfPart(list, match.incoming.read().fields.part);
    list.splice(before, 0, match);
  }
  return list;
}

function endOfPart(
  list: readonly (StoredChapter | MatchedChapter)[],
  part: string | null | undefined,
): number {
  const last = part == null ? -1 : list.findLastIndex((entry) => "rank" in entry && entry.part === part);
  return last >= 0 ? last + 1 : list.length;
}
