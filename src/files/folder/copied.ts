import type { Book } from "../../service/interchange/read-book.ts";
import { signatureOfList } from "../../service/interchange/signatures.ts";
import type { Recorded } from "../../service/interchange/working-copy.ts";
import { hash } from "../disk/text-file.ts";
import { BOOK_YAML } from "./manifest-files.ts";
import type { ChapterFileOut } from "./render-folder.ts";
import type { NamedChapter } from "./write-book-yaml.ts";

/** What a working copy is to hold of a chapter's file that says what the manuscript does. */
export function copiedChapter({
  chapter,
  file,
  bytes,
}: Omit<ChapterFileOut, "isPlain">): NonNullable<Recorded["chapters"]>[number] {
  const { id: chapterId, revision, title, status, synopsis, part } = chapter;
  return {
    chapterId,
    file,
    hash: hash(bytes),
    isWritten: 1,
    revision,
    title,
    status,
    synopsis,
    part,
    text: null,
  };
}

/** The same of the folder's list; `common` is what both sides have of it, if they disagree in something. */
export function copiedList(
  book: Book,
  chapters: readonly Pick<NamedChapter, "chapter" | "file">[],
  text: string,
  common = text,
): NonNullable<Recorded["texts"]>[number] {
  return {
    file: BOOK_YAML,
    hash: common === text ? hash(text) : "",
    isWritten: 1,
    text: common,
    stored: signatureOfList(book, chapters, text),
  };
}
