import type { TrackedChanges } from "../contract/enums.ts";
import type { LocalAnswer } from "../contract/local-answers.ts";
import type { BookId } from "../ids.ts";
import { BadRequest, NotFound } from "../refusals.ts";
import { hasBook } from "../service/guards.ts";
import { nameBefore } from "../service/history/milestones.ts";
import type { ImportAnswer } from "../service/interchange/import-book.ts";
import { keepPicture, keptPictures, linkedPlace } from "../service/interchange/pictures.ts";
import { readBook } from "../service/interchange/read-book.ts";
import { bookOfFiles } from "../service/interchange/working-copy.ts";
import { type Act, type Caller, type Manuscript, write } from "../service/manuscript.ts";
import { type ProposedProse, proposeProse } from "../service/review/propose-prose.ts";
import { proposeRest } from "../service/review/propose-rest.ts";
import type { BookFiles, ChapterSource, ReturnedFiles } from "./book-files.ts";
import { glanceAt } from "./folder/chapter-texts.ts";
import type { LayoutName } from "./layout-names.ts";
import { linkFinder, picturesOf } from "./pictures.ts";
import type { PathBook } from "./read-path.ts";
import type { Reviews } from "./reviews/read-reviews.ts";
import { loadYaml, planImport, type TakeOptions, takeIn } from "./sync/take-in.ts";

/** Target of an import, and whether it is a dry run. */
export interface ImportOptions extends TakeOptions, Pick<Caller, "once"> {
  dryRun?: boolean;
}

/** Result of an import. */
export interface Imported extends ImportAnswer {
  /** Pictures in chapters that came in or changed, relative to the folder, each once; `left` says why one was not kept. */
  pictures: { file: string; from: string | null; isThere: boolean; left?: string }[];
}

/**
 * Imports files into the manuscript as one act, or none if nothing changes. `beside` adds to the answer. Throws
 * `BadRequest` and `PayloadTooLarge` naming the file, `NotFound`, `WouldLose`.
 */
export async function importFiles<Beside extends object = object>(
  manuscript: Manuscript,
  files: BookFiles,
  { dryRun = false, once, ...options }: ImportOptions,
  beside: (pictures: Imported["pictures"]) => Beside = () => ({}) as Beside,
): Promise<Imported & Beside> {
  const { folder, missing: [missing] = [] } = files;
  if (options.bookId === undefined && missing !== undefined) {
    throw new NotFound(`file in ${folder}: ${missing}; put it back, or take it off the list`);
  }
  const yaml = await loadYaml(files);
  const caller = { source: "import", dryRun, skipsEmpty: true, once } as const;
  let left: ReadonlyMap<string, string> | undefined;
  const named = <Answer extends Omit<ImportAnswer, "act">>(answer: Answer) => {
    const found = hasBook(manuscript, answer.bookId) ? picturesNamed(manuscript, files, answer) : [];
    const pictures = found.map((picture) => {
      const why = left?.get(picture.file);
      return why === undefined ? picture : { ...picture, left: why };
    });
    return { ...answer, pictures, ...beside(pictures) };
  };
  const done = planImport(manuscript, { files, yaml }, options, (planned) =>
    write(manuscript, "importBook", caller, (act) => {
      const settle = takeIn(manuscript, act, { ready: planned(), files }, options);
      const { bookId } = options;
      const proposed = bookId && files.returned && settleReturned(manuscript, act, bookId, files.returned);
      // A dry run exists only within its act, and an answer that is kept is kept with its act. Any other
      // answer can be completed later, so that nobody waits for it.
      return (): Omit<Imported, "act" | "pictures"> & Partial<Imported> => {
        const taken = settle();
        left = taken.left;
        const answer = { ...taken.answer, ...proposed };
        return dryRun || once !== undefined ? named(answer) : answer;
      };
    }),
  );
  const { pictures } = done;
  return pictures === undefined
    ? manuscript.store.snapshot(() => named(done))
    : { ...done, pictures, ...beside(pictures) };
}

/** Proposes what of a returned book was not written, and names the book as it was before. */
function settleReturned(
  manuscript: Manuscript,
  act: Act,
  bookId: BookId,
  { name, ...wanted }: ReturnedFiles,
): Pick<ImportAnswer, "proposals" | "unsaid"> {
  const { proposals, unsaid } = proposeRest(manuscript, act, { bookId, ...wanted });
  nameBefore(manuscript, act, bookId, `before ${name}`);
  return { proposals, ...(unsaid.length === 0 ? {} : { unsaid }) };
}

function picturesNamed(
  manuscript: Manuscript,
  { folder, chapters: sources, pictures }: BookFiles,
  { bookId, chapters, moved }: Pick<ImportAnswer, "bookId" | "chapters" | "moved">,
): Imported["pictures"] {
  // A new chapter holds its file's text and paragraphs from others. If neither can name a picture it is not read
  // back.
  const mayName = (source: ChapterSource) => moved.length > 0 || glanceAt(source).mayNamePictures;
  const named = new Set(sources.filter(mayName).map(({ file }) => file));
  const files = new Map(
    chapters.flatMap(({ id, file, status }) =>
      status === "updated" || (status === "created" && named.has(file)) ? [[id, file] as const] : [],
    ),
  );
  if (files.size === 0) return [];
  const stored = readBook(manuscript, bookId).chapters.filter(({ id }) => files.has(id));
  const kept = keptPictures(manuscript, bookId);
  const isKept = (file: string) => pictures?.has(file) === true || kept.hashAt(file) !== undefined;
  const found = new Map<string, Imported["pictures"][number]>();
  const find = linkFinder();
  const places = new Map(stored.map(({ id, file }) => [id, file]));
  for (const [id, links] of picturesOf(stored)) {
    const from = files.get(id) ?? null;
    for (const link of links) {
      const own = linkedPlace(from ?? places.get(id) ?? "", link.path);
      const { file, isThere } =
        folder === undefined || pictures?.has(own)
          ? { file: own, isThere: isKept(own) }
          : find(folder, from ?? "", link);
      if (!found.has(file)) found.set(file, { file, from, isThere });
    }
  }
  return [...found.values()];
}

/**
 * Finds the book for an import without a named one: the one that `book.yaml` names if this manuscript has it, else
 * the one that these files were imported for before; undefined for a new book.
 */
export function targetOf(
  manuscript: Manuscript,
  { folder, book, chapters, word }: BookFiles,
): string | undefined {
  const named = book?.exportedFrom ?? word?.bookId;
  if (named !== undefined && hasBook(manuscript, named)) return named;
  if (folder === undefined) return undefined;
  const files = chapters.flatMap(({ file }) => file ?? []);
  return bookOfFiles(manuscript, folder, files);
}

/**
 * Changes to a book's prose, proposed from files, and the parts of the files that are not prose of an existing
 * chapter.
 */
export interface ProposedFiles extends ProposedProse {
  bookId: BookId;
  left: {
    file: string | null;
    title: string;
    what: "new chapter" | "fields" | "conflict" | "gone" | "book";
  }[];
}

/**
 * Proposes the changes that files make to an existing book's prose, by the plan of an import. Nothing is written to
 * the manuscript or the files. Throws `NotFound`, `BadRequest`, `PayloadTooLarge`.
 */
export async function proposeFiles(
  manuscript: Manuscript,
  given: BookFiles,
  { bookId, reason, dryRun = false }: { bookId: BookId; reason: string; dryRun?: boolean },
): Promise<ProposedFiles> {
  const files = await returnedFiles(manuscript, given, { bookId, changes: "accept" });
  const yaml = await loadYaml(files);
  return planImport(manuscript, { files, yaml }, { bookId }, (planned) => {
    const left: ProposedFiles["left"] = [];
    const read = () => {
      left.length = 0;
      const { plan } = planned();
      for (const [file, bytes] of files.pictures ?? []) keepPicture(manuscript, bookId, file, bytes());
      if (plan.outcome.fields.length + plan.outcome.conflicts.length > 0)
        left.push({ file: files.list?.file ?? null, title: plan.title, what: "book" });
      for (const { stored, file } of plan.gone) left.push({ file, title: stored.title, what: "gone" });
      return plan.chapters.flatMap((chapter) => {
        const { file } = chapter.incoming;
        if (chapter.kind === "create") left.push({ file, title: chapter.incoming.name, what: "new chapter" });
        if (chapter.kind === "conflict") left.push({ file, title: chapter.stored.title, what: "conflict" });
        if (chapter.kind !== "write") return [];
        const { stored, fields, prose } = chapter;
        if (Object.keys(fields).length > 0) left.push({ file, title: stored.title, what: "fields" });
        return [{ chapterId: stored.id, prose: { ...prose, bom: stored.bom } }];
      });
    };
    const done = proposeProse(manuscript, read, { source: "import", reason, dryRun });
    return { bookId, ...done, left };
  });
}

/** Answer of an import of files that a layout has read. */
export type TakenFiles = LocalAnswer<"taken"> & { layout: LayoutName };

/**
 * Imports files that a layout has read, as `importFiles` does. An empty file makes no book: it may never have been
 * saved. Throws `BadRequest`.
 */
export async function importRead(
  manuscript: Manuscript,
  given: PathBook,
  { changes, ...options }: ImportOptions & { changes?: TrackedChanges | undefined },
): Promise<TakenFiles> {
  if (options.bookId === undefined) assertHoldsText(given);
  const files = await returnedFiles(manuscript, given, { bookId: options.bookId, changes });
  const { layout, why, metadata } = files;
  // Where both sides changed a paragraph, the document's text is proposed. The rest of the chapter is imported.
  if (files.returned !== undefined) options.force ??= "stored";
  return await importFiles(manuscript, files, options, (pictures) => {
    const skipped = withoutPictures(files.skipped, pictures);
    return {
      ...{ layout, why, skipped: skipped.map(({ file, reason }) => ({ file, reason })) },
      ...(options.bookId === undefined && metadata && { metadata }),
    };
  });
}

/** Returns the files as those of the book that they came from, if they are a Word document for one. */
async function returnedFiles<Files extends BookFiles>(
  manuscript: Manuscript,
  files: Files,
  { bookId, changes }: { bookId: BookId | undefined; changes?: TrackedChanges | undefined },
): Promise<Files> {
  if (bookId === undefined || files.word === undefined) return files;
  const { readReturned } = await import("./layouts/word/back/read-returned.ts");
  return { ...files, ...readReturned(manuscript, files, { word: files.word, bookId, changes }) };
}

function assertHoldsText({ chapters }: PathBook): void {
  if (chapters.some(({ text }) => text.replace(/^\ufeff/, "").trim() !== "")) return;
  const [first, second] = chapters;
  const what = second === undefined ? `${first?.name} is empty` : `All ${chapters.length} files are empty`;
  throw new BadRequest(`${what}; nothing was imported.`);
}

/** Drops pictures that the text refers to from files that were left out: they are reported separately. */
export function withoutPictures<File extends { file: string }>(
  skipped: readonly File[],
  pictures: readonly { file: string }[],
): File[] {
  const isPicture = new Set(pictures.map(({ file }) => file));
  return skipped.filter(({ file }) => !isPicture.has(file));
}

/** True if a JSON file that begins so holds a reader's comments. 200 characters are enough. */
export function holdsReview(start: string): boolean {
  return start.slice(0, 200).includes('"manuscriptReview"');
}

/** Reads comments of readers, each file's under its name. Throws `BadRequest`. */
export async function readReviews(files: readonly { name: string; text: string }[]): Promise<Reviews> {
  return (await import("./reviews/read-reviews.ts")).reviewsOf(files);
}
