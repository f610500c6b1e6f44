import type { Description } from "../book/book.ts";
import { mergeBook } from "../book/merge-book.ts";
import type { BookPlan, ChapterPlan } from "../book/plan.ts";
import type { BookId } from "../ids.ts";
import {
  type ApplyOptions,
  applyImport,
  type OwnSides,
  readOwnSides,
  type Taken,
} from "../service/interchange/import-book.ts";
import { baseOf } from "../service/interchange/merge-base.ts";
import type { Act, Manuscript } from "../service/manuscript.ts";
import type { BookFiles } from "./folder/book-files.ts";
import { updatedBlock } from "./folder/front-matter-fields.ts";
import { BOOK_YAML, readBookYaml } from "./folder/manifest-files.ts";
import { isPartOf } from "./folder/render-chapter.ts";
import { incomingOf, withOrder } from "./incoming.ts";
import type { Yaml } from "./yaml/open.ts";

/** How files are taken into a book. */
export interface TakeOptions extends Omit<ApplyOptions, "step"> {
  /** Into this book; without it a new one is made. */
  bookId?: BookId | undefined;
  /** The new book's title. */
  title?: string | undefined;
  /** Called as files are parsed and written: so many of so many steps are done. */
  step?: ((done: number, total: number) => void) | undefined;
}

/** An import within its act: what it came to once the act is derived, and what stood before it. */
export interface TakenIn {
  own: OwnSides;
  settle: () => Taken;
}

/**
 * Takes files in within an act: what they bring, what the manuscript has, and what both had in common are merged into a
 * plan, and the plan is written. Throws `NotFound`, `BadRequest`, `PayloadTooLarge`, `WouldLose`.
 */
export function takeIn(
  manuscript: Manuscript,
  act: Act,
  { files, yaml }: { files: BookFiles; yaml: Yaml | undefined },
  { bookId, title, step, ...options }: TakeOptions,
): TakenIn {
  const total = 2 * files.chapters.length; // each may be parsed, and each is written
  let parsed = 0;
  const incoming = incomingOf(files, yaml, () => step?.(parsed++, total));
  const own = readOwnSides(manuscript, bookId, files.folder);
  const base = own.copy && baseOf(manuscript, own.copy, lastList(own, files, incoming, yaml));
  const named = title ?? (files.book?.title === undefined ? files.fallbackTitle : undefined);
  const merged = mergeBook({ base, incoming, stored: own.stored }, { title: named, force: options.force });
  const plan = yaml === undefined ? merged : withKeptBlocks(merged, yaml);
  const written = (done: number) => step?.(incoming.chapters.length + done, total);
  return {
    own,
    settle: applyImport(manuscript, act, { plan, files: incoming, own }, { ...options, step: written }),
  };
}

/** What the folder's list said when the two last met: what it says now, if it has not changed. */
function lastList(
  { copy }: OwnSides,
  { isPart }: BookFiles,
  { list, description }: ReturnType<typeof incomingOf>,
  yaml: Yaml | undefined,
): Description | undefined {
  const last = list?.file === BOOK_YAML ? copy?.texts.get(BOOK_YAML) : undefined;
  if (last === undefined || yaml === undefined) return undefined;
  return last.text === list?.text ? description : withOrder(readBookYaml(yaml, last.text), isPart);
}

/** A file whose front matter is what an export would write changes nothing of the block that its chapter came with. */
function withKeptBlocks(plan: BookPlan, yaml: Yaml): BookPlan {
  const titles = plan.description.parts.map((part) => part.title);
  const keep = (chapter: ChapterPlan): ChapterPlan => {
    if (chapter.kind !== "write" || chapter.stored.frontMatter === "") return chapter;
    const { stored, incoming } = chapter;
    if (incoming.frontMatter === "" || incoming.frontMatter === stored.frontMatter) return chapter;
    const fields = { ...stored, revision: incoming.revision ?? stored.revision };
    if (updatedBlock(yaml, stored.frontMatter, fields, isPartOf(titles)) !== incoming.frontMatter)
      return chapter;
    return { ...chapter, incoming: { ...incoming, keptBlock: stored.frontMatter } };
  };
  return { ...plan, chapters: plan.chapters.map(keep) };
}
