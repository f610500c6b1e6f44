import { NotFound } from "../refusals.ts";
import { hasBook } from "../service/guards.ts";
import type { ImportAnswer } from "../service/interchange/import-book.ts";
import { readBook } from "../service/interchange/read-book.ts";
import { bookOfFiles } from "../service/interchange/working-copy.ts";
import { type Caller, type Manuscript, write } from "../service/manuscript.ts";
import type { BookFiles, ChapterSource } from "./folder/book-files.ts";
import { glanceAt } from "./folder/chapter-texts.ts";
import { findLinked, picturesOf } from "./pictures.ts";
import { loadYaml, planImport, type TakeOptions, takeIn } from "./take-in.ts";

/** Where an import goes, and whether it only says what it would do. */
export interface ImportOptions extends TakeOptions, Pick<Caller, "once"> {
  dryRun?: boolean;
}

/** What an import came to. */
export interface Imported extends ImportAnswer {
  /** The pictures that chapters refer to which came in or changed, relative to the folder; each once. They stay where they are. */
  pictures: { file: string; from: string | null; isThere: boolean }[];
}

/**
 * Takes files into the manuscript, as one act; one that changes nothing is none. `beside` says what else the answer is to
 * hold. Throws `BadRequest` and `PayloadTooLarge`
 * naming the file, `NotFound`, `WouldLose`.
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
  const named = <Answer extends Omit<ImportAnswer, "act">>(answer: Answer) => {
    const pictures = hasBook(manuscript, answer.bookId) ? picturesNamed(manuscript, files, answer) : [];
    return { ...answer, pictures, ...beside(pictures) };
  };
  const done = planImport(manuscript, { files, yaml }, options, (planned) =>
    write(manuscript, "importBook", caller, (act) => {
      const settle = takeIn(manuscript, act, { ready: planned(), files }, options);
      // What a dry run wrote is there within its act alone, and what is kept of an answer is kept with it; else nobody has
      // to wait for what can be read later.
      return (): Omit<Imported, "act" | "pictures"> & Partial<Imported> => {
        const { answer } = settle();
        return dryRun || once !== undefined ? named(answer) : answer;
      };
    }),
  );
  const { pictures } = done;
  return pictures === undefined
    ? manuscript.store.snapshot(() => named(done))
    : { ...done, pictures, ...beside(pictures) };
}

function picturesNamed(
  manuscript: Manuscript,
  { folder, chapters: sources }: BookFiles,
  { bookId, chapters, moved }: Pick<ImportAnswer, "bookId" | "chapters" | "moved">,
): Imported["pictures"] {
  // A new chapter holds what its file does, and what came from others: one that can name no picture is not read back.
  const mayName = (source: ChapterSource) => moved.length > 0 || glanceAt(source).mayNamePictures;
  const named = new Set(sources.filter(mayName).map(({ file }) => file));
  const files = new Map(
    chapters.flatMap(({ id, file, status }) =>
      status === "updated" || (status === "created" && named.has(file)) ? [[id, file] as const] : [],
    ),
  );
  if (files.size === 0) return [];
  const stored = readBook(manuscript, bookId).chapters.filter(({ id }) => files.has(id));
  const found = new Map<string, Imported["pictures"][number]>();
  for (const [id, links] of picturesOf(stored)) {
    const from = files.get(id) ?? null;
    for (const link of links) {
      const { file, isThere } =
        folder === undefined ? { file: link.path, isThere: false } : findLinked(folder, from ?? "", link);
      if (!found.has(file)) found.set(file, { file, from, isThere });
    }
  }
  return [...found.values()];
}

/**
 * The book that an import of these files goes into if none was named: the one that their `book.yaml` names, else, even
 * if that is another manuscript's, the one that they were imported for before; undefined for a new one.
 */
export function targetOf(manuscript: Manuscript, { folder, book, chapters }: BookFiles): string | undefined {
  const named = book?.exportedFrom;
  if (named !== undefined && hasBook(manuscript, named)) return named;
  if (folder === undefined) return undefined;
  const files = chapters.flatMap(({ file }) => file ?? []);
  return bookOfFiles(manuscript, folder, files);
}
