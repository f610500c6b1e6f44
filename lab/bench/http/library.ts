import { createKey } from "../../../src/service/account/keys.ts";
import { createBook } from "../../../src/service/books/books.ts";
import { saveSynopsis } from "../../../src/service/books/chapter-fields.ts";
import { createChapter } from "../../../src/service/books/chapters.ts";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { chapterOf } from "../report.ts";

/** What is asked of every server. */
export interface Library {
  file: string;
  key: string;
  bookId: string;
  /** The chapter that is read as text, and the longer one that is read as a document. */
  textId: string;
  docId: string;
}

const CHAPTERS = 40;
const WORDS = 80;
/** 28 KB as text, and 70 KB as a document. */
const LONG: readonly number[] = [4640, 8350];
const caller = { source: "cli" } as const;

/** A manuscript with one book of 40 chapters, two of them long; quotes and dashes as novels have them. */
export function makeLibrary(file: string): Library {
  const manuscript = openManuscript(file, { create: true });
  const { id: bookId } = createBook(manuscript, { title: "The Ferryman’s Daughter" }, caller);
  const [textId, docId] = Array.from({ length: CHAPTERS }, (_, at) => {
    const markdown = chapterOf(LONG[at] ?? WORDS, at + 1);
    const { id } = createChapter(
      manuscript,
      bookId,
      { title: `What the tide kept, ${at + 1}`, markdown },
      caller,
    );
    if (at % 4 === 1) saveSynopsis(manuscript, id, { synopsis: "She waits — the lamp isn’t lit." }, caller);
    return id;
  });
  const { key } = createKey(manuscript);
  manuscript.close();
  return { file, key, bookId, textId: textId!, docId: docId! }; // there are forty
}
