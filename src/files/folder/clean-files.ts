import { BadRequest } from "../../refusals.ts";
import { CONTROL_CHARACTER, placesOf, strayedIn, withoutControl } from "../../text/clean-text.ts";
import type { BookFiles, SkippedFile } from "../book-files.ts";
import { glanceAt } from "./chapter-texts.ts";

type Texts = Pick<BookFiles, "chapters" | "annotations">;

/** Describes the characters dropped from a file, for the plan; undefined if its text holds no control character. */
export function droppedFrom(file: string, text: string): SkippedFile | undefined {
  if (!CONTROL_CHARACTER.test(text)) return undefined;
  const reason = `taken without its control characters (${placesOf(strayedIn(text))})`;
  return { file, reason, isKnown: true, isPartly: true };
}

/** Returns the book without the control characters of its texts, and lists them as left out. */
export function cleanBook<Book extends BookFiles>(book: Book): Book {
  const dropped = textsOf(book).flatMap(({ name, text }) => droppedFrom(name, text) ?? []);
  if (dropped.length === 0) return book;
  const clean = <Named extends { text: string }>(named: Named) => ({
    ...named,
    text: withoutControl(named.text),
  });
  return {
    ...book,
    chapters: book.chapters.map(clean),
    ...(book.annotations === undefined ? {} : { annotations: book.annotations.map(clean) }),
    skipped: [...dropped, ...book.skipped],
  };
}

const MOST_FILES = 100;

/** Throws `BadRequest`, naming every file that holds control characters and where. */
export function assertClean(book: Texts): void {
  const suspects = { ...book, chapters: book.chapters.filter((source) => glanceAt(source).hasControl) };
  const faults = textsOf(suspects).flatMap(({ name, text }) =>
    CONTROL_CHARACTER.test(text) ? `${name}: ${placesOf(strayedIn(text))}` : [],
  );
  if (faults.length === 0) return;
  const more = faults.length > MOST_FILES ? `; and ${faults.length - MOST_FILES} more files` : "";
  throw new BadRequest(
    `${faults.slice(0, MOST_FILES).join("; ")}${more}: control characters, which no text may hold. Nothing was written. Remove them, or let "import --clean" drop them and say where.`,
  );
}

function textsOf({ chapters, annotations = [] }: Texts): { name: string; text: string }[] {
  return [...chapters, ...annotations.map(({ file, text }) => ({ name: file, text }))];
}
