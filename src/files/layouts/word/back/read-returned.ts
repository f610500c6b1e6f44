import type { TrackedChanges } from "../../../../contract/enums.ts";
import type { BookId } from "../../../../ids.ts";
import { readStored } from "../../../../service/interchange/merge-base.ts";
import { keptPictures } from "../../../../service/interchange/pictures.ts";
import { readBook } from "../../../../service/interchange/read-book.ts";
import type { Manuscript } from "../../../../service/manuscript.ts";
import type { BookFiles, ReturnedFiles, SkippedFile } from "../../../book-files.ts";
import type { View } from "../changes.ts";
import type { WordDocument } from "../paragraph.ts";
import { PictureReader } from "../pictures.ts";
import { returnBook } from "./return.ts";

/**
 * Reads a Word document as the edited text of a book. Tracked changes are proposed unless `changes` says otherwise; what
 * was changed without tracking is merged. Throws `NotFound`.
 */
export function readReturned(
  manuscript: Manuscript,
  { chapters: [first] }: Pick<BookFiles, "chapters">,
  { word, bookId, changes = word.isTracked ? "propose" : "accept" }: Returning,
): Pick<BookFiles, "folder" | "chapters" | "notes" | "pictures" | "skipped" | "returned"> {
  const { store } = manuscript;
  const name = first?.name.replace(/, chapter \d+$/, "") ?? "the document";
  const pictures = new PictureReader(word, { kept: keptPictures(manuscript, bookId) });
  const read = (view: View) =>
    store.snapshot(() =>
      returnBook(word, readBook(manuscript, bookId), {
        name,
        view,
        pictures,
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
  const { chapters, notes } = taken;
  const skipped = [...taken.skipped, ...picturesLeft(pictures, name)];
  return { folder: undefined, chapters, notes, pictures: pictures.taken, skipped, returned };
}

/** Names the pictures that are not taken as they came. */
function picturesLeft(pictures: PictureReader, name: string): SkippedFile[] {
  const reasons = [
    ...pictures.left().map((what) => `taken without a picture: ${what}`),
    ...[...pictures.altered].map(
      (path) => `${path} came back with other bytes, and stays as the book has it`,
    ),
  ];
  return reasons.map((reason) => ({ file: name, reason, isKnown: true, isPartly: true }));
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
