import type { StoredChapter } from "../../../../book/book.ts";
import type { StoredBook } from "../../../../book/merge-book.ts";
import type { ChapterId } from "../../../../ids.ts";
import { insertBlockIds } from "../../../../prose/block-ids.ts";
import { leafIds } from "../../../../prose/document/leaves.ts";
import { joinMarkdown } from "../../../../prose/join-chapter.ts";
import type { NewProse, StoredProse } from "../../../../prose/plan.ts";
import { readBookmark } from "../../../../publish/bookmarks.ts";
import type { ForeignNote } from "../../../../service/interchange/import-notes.ts";
import { foldText } from "../../../../text/fold.ts";
import type { ChapterSource, SkippedFile } from "../../../book-files.ts";
import { documentOf, titleText } from "../blocks.ts";
import { type ShownParagraph, showPlain, type View } from "../changes.ts";
import { noteOf } from "../comments.ts";
import { cutDocument } from "../cut.ts";
import type { ImageOf } from "../inline.ts";
import { isEmpty, paragraphText, type WordDocument, type WordParagraph } from "../paragraph.ts";
import type { PictureReader } from "../pictures.ts";
import { markdownOf, noteOn } from "../word.ts";
import { assemble } from "./assemble.ts";
import { type Baseline, baselineOf, keyOfParagraph } from "./baseline.ts";
import { claimsOf, identifyParagraphs, matchTexts, type SentLeaves } from "./identify.ts";
import { nameNotes } from "./notes.ts";
import { ReturnedPictures } from "./own-pictures.ts";

/** A chapter of the book, and its prose as the document was given it. */
interface SentChapter {
  stored: StoredChapter;
  revision: number;
  base: StoredProse;
  baseline: Baseline;
}

/** Paragraphs of the document from the start of a chapter to the next. */
interface Stretch {
  /** Undefined for a chapter that the book does not have. */
  chapter: SentChapter | undefined;
  from: number;
  to: number;
}

/** A chapter of the book as the edited document has it. */
export interface ReturnedChapter {
  chapterId: ChapterId;
  base: StoredProse;
  prose: NewProse;
}

/** A document as chapters of the book that it came from. */
export interface ReturnedBook {
  chapters: ChapterSource[];
  notes: ForeignNote[];
  skipped: SkippedFile[];
  /** Chapters that the document changes. */
  changed: ReturnedChapter[];
}

/** Reads a chapter's prose at a revision; undefined if it is not known any more. */
export type ReadRevision = (id: ChapterId, revision: number) => StoredProse | undefined;

/**
 * Returns an edited document as chapters of the book that it came from. Each has the ids of its paragraphs and names the
 * revision that the document was given, so that the import merges both sides' edits.
 */
export function returnBook(
  word: WordDocument,
  book: StoredBook,
  {
    name,
    view,
    pictures,
    readAt,
  }: { name: string; view: View; pictures: PictureReader; readAt: ReadRevision },
): ReturnedBook {
  const paragraphs = showPlain(word.paragraphs, view);
  const skipped: SkippedFile[] = [];
  const leave = (reason: string) => skipped.push({ file: name, reason, isKnown: true, isPartly: true });
  const stretches = findStretches(word, paragraphs, { book, readAt, leave });
  const sent: SentLeaves = new Map(
    stretches.flatMap(
      ({ chapter }) => chapter?.baseline.leaves.map((leaf) => [leaf.id, leaf] as const) ?? [],
    ),
  );
  const blockOf = (bookmark: string) => {
    const found = readBookmark(bookmark);
    return found !== undefined && "blockId" in found ? found.blockId : undefined;
  };
  const claims = claimsOf(word.bookmarks, paragraphs, blockOf);
  const ids = identifyParagraphs(paragraphs, claims, sent);
  const noteTexts = stretches.flatMap(({ chapter }) =>
    [...(chapter?.baseline.notes.values() ?? [])].map(({ text }) => text),
  );
  const reader = new ReturnReader({ word, view, book, name, pictures, noteTexts, leave });
  for (const { chapter, from, to } of withoutJoined(stretches, ids)) {
    const own = paragraphs.slice(from, to);
    if (chapter === undefined) reader.addNew(own);
    else reader.add(chapter, own, ids.slice(from, to));
  }
  const { chapters, changed } = reader;
  return { chapters, notes: reader.notes(), skipped, changed };
}

/** A chapter's mark in the last paragraph of the one before: its title was joined to that. */
function withoutJoined(stretches: readonly Stretch[], ids: readonly (string | undefined)[]): Stretch[] {
  const isJoined = (stretch: Stretch | undefined, before: Stretch | undefined) =>
    stretch?.chapter !== undefined &&
    before?.chapter?.baseline.leaves.some(({ id }) => id === ids[stretch.from]) === true;
  return stretches.map((stretch, at) => ({
    ...stretch,
    from: stretch.from + (isJoined(stretch, stretches[at - 1]) ? 1 : 0),
    to: stretch.to + (isJoined(stretches[at + 1], stretch) ? 1 : 0),
  }));
}

interface Reading {
  word: WordDocument;
  view: View;
  book: StoredBook;
  name: string;
  pictures: PictureReader;
  /** Texts of all footnotes that the document was given. */
  noteTexts: readonly string[];
  leave: (reason: string) => void;
}

/** Reads stretch by stretch, and remembers which leaf each paragraph has become. */
class ReturnReader {
  readonly chapters: ChapterSource[] = [];
  readonly changed: ReturnedChapter[] = [];
  readonly #reading: Reading;
  readonly #leaves = new Map<WordParagraph, Parameters<typeof noteOn>[0]>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Adds a chapter that the book does not have. */
  addNew(paragraphs: readonly ShownParagraph[]): void {
    const { word, view, name, pictures } = this.#reading;
    const imageOf: ImageOf = (picture) => pictures.imageOf(picture, null);
    const text = markdownOf(documentOf(paragraphs, word, { view, imageOf }).nodes);
    if (text.trim() === "") return;
    for (const paragraph of paragraphs) this.#note(paragraph);
    const chapter = `${name}, chapter ${this.chapters.length + 1}`;
    this.chapters.push({ file: null, name: chapter, text, isForeign: true });
  }

  add(
    chapter: SentChapter,
    paragraphs: readonly ShownParagraph[],
    ids: readonly (string | undefined)[],
  ): void {
    const { stored, revision, base } = chapter;
    const { named, prose, title } = readChapter(chapter, paragraphs, { ids, ...this.#reading });
    for (const { paragraph, id } of named) this.#note(paragraph, id);
    const markdown = joinMarkdown(prose);
    const isSame = markdown === joinMarkdown(base);
    this.chapters.push({
      file: null,
      name: `${this.#reading.name}, ${stored.title}`,
      id: stored.id,
      revision,
      ...(title === undefined ? {} : { title }),
      text: isSame ? markdown : insertBlockIds(markdown, leafIds(prose.blocks)),
    });
    if (!isSame) this.changed.push({ chapterId: stored.id, base, prose });
  }

  #note(paragraph: ShownParagraph, block?: string): void {
    const place = { at: this.chapters.length, block, text: paragraphText(paragraph) };
    for (const source of paragraph.sources) this.#leaves.set(source, place);
  }

  /** Returns the comments as notes on their paragraphs. */
  notes(): ForeignNote[] {
    const { word } = this.#reading;
    return word.comments.flatMap((comment): ForeignNote[] => {
      const thread = noteOf(comment, word);
      const place = comment.from && this.#leaves.get(comment.from);
      return thread === undefined ? [] : [place === undefined ? thread : noteOn(place, thread)];
    });
  }
}

interface Finding {
  book: StoredBook;
  readAt: ReadRevision;
  leave: (reason: string) => void;
}

/** Finds where chapters begin: by their bookmarks, else by their titles, else by their texts. */
function findStretches(
  word: WordDocument,
  paragraphs: readonly ShownParagraph[],
  finding: Finding,
): Stretch[] {
  const marked = findMarked(word, paragraphs, finding);
  if (marked.length > 0) return marked;
  const { chapters } = cutDocument(paragraphs, undefined, "");
  const places = new Map(
    paragraphs.flatMap(({ sources }, at) => sources.map((source) => [source, at] as const)),
  );
  const taken = new Set<string>();
  const starts = chapters.map(({ paragraphs: own }) => {
    const stored = matchChapter(own, finding.book, taken);
    if (stored !== undefined) taken.add(stored.id);
    const [first] = own.flatMap(({ sources }) => sources);
    return { at: first === undefined ? 0 : (places.get(first) ?? 0), stored };
  });
  return starts.map(({ at, stored }, index) => ({
    chapter: stored && sentAt(stored, stored.revision, finding.readAt),
    from: at,
    to: starts[index + 1]?.at ?? paragraphs.length,
  }));
}

function findMarked(
  { bookmarks }: WordDocument,
  paragraphs: readonly ShownParagraph[],
  { book, readAt, leave }: Finding,
): Stretch[] {
  const places = new Map(
    paragraphs.flatMap(({ sources }, at) => sources.map((source) => [source, at] as const)),
  );
  const stored = new Map(book.chapters.map((chapter) => [chapter.id, chapter]));
  const seen = new Set<string>();
  const starts = bookmarks.flatMap(({ name, from }) => {
    const found = readBookmark(name);
    const at = places.get(from);
    if (found === undefined || !("chapterId" in found) || at === undefined || seen.has(found.chapterId))
      return [];
    seen.add(found.chapterId);
    return [{ at, ...found }];
  });
  const inOrder = starts.toSorted((one, other) => one.at - other.at);
  return inOrder.flatMap(({ at, chapterId, revision }, index): Stretch[] => {
    const chapter = stored.get(chapterId);
    const title = titleText(paragraphs[at]!); // a chapter's place
    const known = chapter && sentAt(chapter, revision, readAt);
    if (chapter === undefined || known === undefined) {
      leave(`the book has no chapter of this document's “${title}” any more; nothing of it was taken in`);
      return [];
    }
    return [{ chapter: known, from: at, to: inOrder[index + 1]?.at ?? paragraphs.length }];
  });
}

/** Returns a chapter as it was sent; at the next revision that is known, if that one is not any more. */
function sentAt(stored: StoredChapter, revision: number, readAt: ReadRevision): SentChapter | undefined {
  for (let at = Math.min(revision, stored.revision); at <= stored.revision; at++) {
    const base = readAt(stored.id, at);
    if (base !== undefined) return { stored, revision: at, base, baseline: baselineOf(stored, base) };
  }
  return undefined;
}

// Share of a stretch's paragraphs that have to be a chapter's own, word for word.
const SHARE = 0.3;

function matchChapter(
  paragraphs: readonly ShownParagraph[],
  { chapters }: StoredBook,
  taken: ReadonlySet<string>,
): StoredChapter | undefined {
  const [first] = paragraphs.filter((paragraph) => !isEmpty(paragraph));
  const title = first === undefined ? "" : foldText(titleText(first));
  const free = chapters.filter(({ id }) => !taken.has(id));
  const titled = free.filter((chapter) => foldText(chapter.title) === title);
  if (titled.length === 1 && title !== "") return titled[0];
  const texts = paragraphs.map(paragraphText).filter((text) => text.trim().length > 20);
  return (titled.length > 1 ? titled : free).find((chapter) => {
    const own = new Set(baselineOf(chapter, chapter.prose()).leaves.map(({ text }) => text));
    return texts.length > 0 && texts.filter((text) => own.has(text)).length >= texts.length * SHARE;
  });
}

/** Reads the stretch of a chapter that the book has. */
function readChapter(
  { stored, base, baseline }: SentChapter,
  stretch: readonly ShownParagraph[],
  { ids, word, view, book, pictures, noteTexts, leave }: Reading & { ids: readonly (string | undefined)[] },
) {
  const parts = new Set(book.parts);
  const [first] = stretch;
  const hasTitle = beginsWithTitle(baseline, first, ids[0]);
  const isTitle = (paragraph: ShownParagraph) => hasTitle && paragraph === first;
  const all = stretch.map((paragraph, at) => ({ paragraph, id: ids[at] }));
  const prose = all.filter(({ paragraph, id }) => {
    if (paragraph.cell !== undefined || isTitle(paragraph)) return false;
    if (paragraph.style === "part title" || (id === undefined && parts.has(titleText(paragraph))))
      return false;
    return id !== undefined || paragraph.hasRule || !isEmpty(paragraph);
  });
  const last = prose.at(-1);
  const isEnd = last?.id === undefined && /^END$/.test(titleText(last?.paragraph ?? ({ runs: [] } as never)));
  const kept = isEnd ? prose.slice(0, -1) : prose;
  tellTables(stretch, baseline, stored.title, leave);
  const shown = kept.map(({ paragraph }) => paragraph);
  const found = matchTexts(
    shown,
    kept.map(({ id }) => id),
    baseline.leaves,
  );
  const named = shown.map((paragraph, at) => ({ paragraph, id: found[at] }));
  const isLeft = ({ paragraph, id }: (typeof named)[number]) => id !== undefined || !isEmpty(paragraph);
  const notes = nameNotes(named.filter(isLeft), { base, baseline, word, view, noteTexts });
  const title = first !== undefined && hasTitle ? titleText(first) : "";
  return {
    named,
    prose: assemble(base, baseline, named, {
      ...notes,
      pictures: new ReturnedPictures(pictures, stored.file),
    }),
    title: title === "" ? undefined : title,
  };
}

/** True if a stretch begins with its title. Where that was deleted, its mark stands at a paragraph of the text. */
function beginsWithTitle(
  { isTitleApart, leaves }: Baseline,
  first: ShownParagraph | undefined,
  id: string | undefined,
): boolean {
  if (!isTitleApart || first === undefined || id !== undefined) return false;
  const key = keyOfParagraph(first);
  return !leaves.some(({ keys }) => keys.includes(key));
}

/** Says that a table was edited: the book keeps its own. */
function tellTables(
  stretch: readonly ShownParagraph[],
  { tables }: Baseline,
  title: string,
  leave: (reason: string) => void,
): void {
  const cells = new Map<object, string[]>();
  for (const { cell, runs } of stretch) {
    if (cell === undefined) continue;
    cells.set(cell.table, [...(cells.get(cell.table) ?? []), paragraphText({ runs })]);
  }
  const known = new Set(tables);
  for (const texts of cells.values())
    if (!known.has(texts.join(" ").replace(/\s+/g, " ").trim()))
      leave(`a table in “${title}” was changed, and stays as the book has it`);
}
