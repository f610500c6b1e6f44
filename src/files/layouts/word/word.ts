import { leafText } from "../../../prose/document/leaves.ts";
import type { DocNode } from "../../../prose/document/types.ts";
import { joinMarkdown } from "../../../prose/join-chapter.ts";
import { writeChapter } from "../../../prose/write.ts";
import { BadRequest } from "../../../refusals.ts";
import type { ForeignNote } from "../../../service/interchange/import-notes.ts";
import { collapseSpace } from "../../../text/fold.ts";
import type { ChapterSource, SkippedFile } from "../../book-files.ts";
import type { LayoutBook, LayoutOptions } from "../layout.ts";
import { type ChapterDocument, documentOf } from "./blocks.ts";
import { showPlain, type View } from "./changes.ts";
import { noteOf } from "./comments.ts";
import { cutDocument } from "./cut.ts";
import type { ImageOf } from "./inline.ts";
import { paragraphText, type WordDocument } from "./paragraph.ts";
import { PictureReader } from "./pictures.ts";
import { readWord } from "./read-word.ts";

/**
 * Reads a Word document as a new book: chapters, their notes, and comments as notes of the writer's. Tracked changes
 * count as accepted, unless they are to be rejected. Throws `BadRequest` for a document without text, and `PayloadTooLarge`.
 */
export function bookOfWord(
  bytes: Buffer,
  { file, name }: Pick<ChapterSource, "file" | "name">,
  { split, changes, isReturn, isOneOfMany = false, adapt = (word) => word }: WordReading,
): LayoutBook {
  const word = adapt(readWord(bytes, name));
  if (isReturn?.(word.bookId) === true) {
    const chapters = [{ file, name, text: "", isForeign: true }];
    return {
      folder: undefined,
      book: undefined,
      word,
      chapters,
      skipped: [],
      used: [],
      fallbackTitle: word.title,
      returns: true,
    };
  }
  const view = changes === "reject" ? "reject" : "accept";
  const pictures = new PictureReader(word, { isOneOfMany });
  return newBook(word, { file, name, split, view, pictures, mayBeEmpty: isOneOfMany });
}

/** How a document is read. */
interface WordReading extends Pick<LayoutOptions, "split" | "changes" | "isReturn"> {
  /** True if each of several documents is a chapter; one of them may be empty. */
  isOneOfMany?: boolean;
  /** Changes what was read before a book is made of it. */
  adapt?: (word: WordDocument) => WordDocument;
}

/** How a document is read as a new book. */
interface NewBookOptions extends Pick<ChapterSource, "file" | "name">, Pick<LayoutOptions, "split"> {
  view: View;
  pictures: PictureReader;
  mayBeEmpty: boolean;
}

/** Returns a document as a new book. Throws `BadRequest` for one without text. */
function newBook(
  word: WordDocument,
  { file, name, split, view, pictures, mayBeEmpty }: NewBookOptions,
): LayoutBook {
  const cut = cutDocument(showPlain(word.paragraphs, view), split, name);
  const imageOf: ImageOf = (picture) => pictures.imageOf(picture, file);
  const none = mayBeEmpty && cut.chapters.length === 0;
  const made = (none ? [{ part: undefined, paragraphs: [] }] : cut.chapters).map(({ part, paragraphs }) => ({
    part,
    ...documentOf(paragraphs, word, { view, imageOf }),
  }));
  const texts = made.map(({ nodes }) => markdownOf(nodes));
  if (!mayBeEmpty && texts.every((text) => text.trim() === ""))
    throw new BadRequest(`${name} holds no text; nothing was imported.`);
  const isOne = texts.length === 1 && cut.why === undefined;
  const chapters = texts.map((text, at): ChapterSource => {
    const { part } = made[at]!; // one a text
    const own = isOne ? { file, name } : { file: null, name: `${name}, chapter ${at + 1}` };
    return { ...own, text, isForeign: true, ...(part === undefined ? {} : { part }) };
  });
  return {
    folder: undefined,
    book: undefined,
    word,
    chapters,
    notes: notesOn(word, made),
    pictures: pictures.taken,
    skipped: [...leftOut(cut.left, word, name), ...leftPictures(pictures, name)],
    used: [],
    fallbackTitle: cut.title ?? word.title ?? (isOne ? undefined : name.replace(/\.[^.]*$/, "")),
    ...(cut.why === undefined ? {} : { guess: cut.why }),
  };
}

/** Returns a chapter's document as Markdown. */
export function markdownOf(nodes: readonly DocNode[]): string {
  return joinMarkdown({ bom: false, eol: "lf", head: "", blocks: writeChapter(nodes) });
}

/** Returns the comments as notes of their paragraphs, each named by its text. */
function notesOn(word: WordDocument, chapters: readonly ChapterDocument[]): ForeignNote[] {
  return word.comments.flatMap((comment): ForeignNote[] => {
    const note = noteOf(comment, word);
    if (note === undefined) return [];
    const at = chapters.findIndex(({ leaves }) => comment.from !== undefined && leaves.has(comment.from));
    const leaf = at < 0 ? undefined : chapters[at]?.leaves.get(comment.from!); // it was found by it
    if (leaf === undefined) return [note];
    const quote = quoteOf(leaf);
    const alike = [...new Set(chapters[at]?.leaves.values())].filter((other) => quoteOf(other) === quote);
    return [{ ...note, at, quote, nth: alike.indexOf(leaf) + 1 }];
  });
}

/** Returns a note on a paragraph: by its id, else by its text. */
export function noteOn(
  { at, block, text: words }: { at: number; block?: string | undefined; text: string },
  note: ForeignNote,
): ForeignNote {
  return { ...note, at, block, quote: collapseSpace(words) };
}

function quoteOf(leaf: DocNode): string {
  return collapseSpace(leafText(leaf));
}

/** Names text of the document that is in no chapter. */
function leftOut(
  left: ReadonlyMap<string, readonly string[]>,
  { paragraphs, notes, hidden }: WordDocument,
  name: string,
): SkippedFile[] {
  const all = [...paragraphs, ...[...notes.values()].flat()];
  const referred = new Set(
    all.flatMap(({ runs }) => runs.flatMap((run) => (run.type === "note" ? run.key : []))),
  );
  const lost = [...notes].flatMap(([key, body]) => (referred.has(key) ? [] : body.map(paragraphText)));
  return [...left, ["hidden text", hidden] as const, ["notes without a place", lost] as const].flatMap(
    ([what, texts]) => {
      const text = texts.join("\n").trim();
      return text === "" ? [] : [{ ...partly(name, `${what} (${quoted(text)})`), text }];
    },
  );
}

const MOST_QUOTED = 40;

function quoted(text: string): string {
  const line = collapseSpace(text);
  return `“${line.length > MOST_QUOTED ? `${line.slice(0, MOST_QUOTED).toWellFormed()}…` : line}”`;
}

function leftPictures(pictures: PictureReader, name: string): SkippedFile[] {
  return pictures.left().map((what) => partly(name, what));
}

function partly(file: string, what: string): SkippedFile {
  return { file, reason: `taken without what is no prose: ${what}`, isKnown: true, isPartly: true };
}
