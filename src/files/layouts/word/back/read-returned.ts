import type { TrackedChanges } from "../../../../contract/enums.ts";
import type { BookId } from "../../../../ids.ts";
import { readStored } from "../../../../service/interchange/merge-base.ts";
import { readBook } from "../../../../service/interchange/read-book.ts";
import type { Manuscript } from "../../../../service/manuscript.ts";
import type { BookFiles, ReturnedFiles } from "../../../book-files.ts";
import type { View } from "../changes.ts";
import type { WordDocument } from "../paragraph.ts";
import { returnBook } from "./return.ts";

/**
 * Reads a Word document as the edited text of a book. Tracked changes are proposed unless `changes` says otherwise; what
 * was changed without tracking is merged. Throws `NotFound`.
 */
export function readReturned(
  manuscript: Manuscript,
  { chapters: [first] }: Pick<BookFiles, "chapters">,
  { word, bookId, changes = word.isTracked ? "propose" : "accept" }: Returning,
): Pick<BookFiles, "folder" | "chapters" | "notes" | "skipped" | "returned"> {
  const { store } = manuscript;
  const name = first?.name.replace(/, chapter \d+$/, "") ?? "the document";
  const read = (view: View) =>
    store.snapshot(() =>
      returnBook(word, readBook(manuscript, bookId), {
        name,
        view,
        readAt: (id, revision) => readStored(store, id, revision),
      }),
    );
  const taken = read(changes === "propose" ? "reject" : changes);
  const wanted = changes === "propose" ? read("accept") : taken;
  const isWanted = new Set(wanted.changed.map(({ chapterId }) => chapterId));
  const others = taken.changed.filter(({ chapterId }) => !isWanted.has(chapterId));
  const returned: ReturnedFiles = {
    name,
    chapters: [...wanted.changed, ...others],
    author: authorsOf(word) || name,
    reason: changes === "propose" ? `tracked changes in ${name}` : `changed in ${name} and here`,
  };
  const { chapters, notes, skipped } = taken;
  return { folder: undefined, chapters, notes, skipped, returned };
}

interface Returning {
  word: WordDocument;
  bookId: BookId;
  changes?: TrackedChanges | undefined;
}

/** Returns who has tracked changes, each once. */
function authorsOf({ paragraphs }: WordDocument): string {
  const changes = paragraphs.flatMap(({ runs, inserted, deleted }) => [
    ...runs.flatMap((run) => [run.inserted, run.deleted]),
    inserted,
    deleted,
  ]);
  return [...new Set(changes.flatMap((change) => change?.author || []))].join(", ");
}
