import { dirname } from "node:path/posix";
import type { BookId, ChapterId } from "../ids.ts";
import { bareMarkdown } from "../prose/markdown/join-chapter.ts";
import type { StoredProse } from "../prose/plan/plan.ts";
import type { Side } from "../three-way.ts";
import {
  type BaseChapter,
  CHAPTER_FIELDS,
  type ChapterFields,
  type ChapterFile,
  type Description,
  type IncomingChapter,
  type StoredChapter,
} from "./book.ts";
import { withOwnIds } from "./incoming-prose.ts";
import {
  type KnownFolder,
  type LastFile,
  type MatchedChapter,
  matchChapters,
  placeChapters,
} from "./match-chapters.ts";
import { mergeChapter } from "./merge-chapter.ts";
import { mergeDescription, type StoredDescription } from "./merge-description.ts";
import type { BookPlan, ChapterPlan } from "./plan.ts";

/** A book as files bring it, its facts and notes apart. */
export interface IncomingBook {
  /** What its folder's own list says of it. */
  description?: Description | undefined;
  chapters: readonly ChapterFile[];
}

/** The same book as the manuscript has it; `order` of the description is not its own. */
export interface StoredBook extends Omit<StoredDescription, "order"> {
  id: BookId;
  chapters: readonly StoredChapter[];
}

/** What a folder had of a chapter when the two last met. */
export interface LastChapter extends LastFile, ChapterFields {
  revision: number;
  /** The chapter held more than the file then. */
  isMerged: boolean;
}

/** What a folder and the manuscript last had in common. Its costly parts are read when they are asked for. */
export interface BookBase {
  description: Description | undefined;
  /** The book's chapters that have been in this folder, those that were deleted since among them. */
  last: ReadonlyMap<ChapterId, LastChapter>;
  /** A chapter's prose at a revision; undefined if that is not known any more. */
  proseAt(id: ChapterId, revision: number): StoredProse | undefined;
  /** The base of a file that has changed: that of the exchange which the file itself proves. */
  chapter(stored: StoredChapter, incoming: IncomingChapter): BaseChapter | undefined;
  /** Whether a chapter's file in this folder was this very one at some time. */
  hasHad(id: ChapterId, hash: string): boolean;
}

/** What decides besides the three sides. */
export interface MergeOptions {
  /** The new book's title, or the word of the caller that the folder's title does not count. */
  title?: string | undefined;
  force?: Side | undefined;
}

/**
 * What an import comes to: each file's chapter, the book's description, and the chapters' order. Pure. Without `stored`
 * all is new; without `base` nothing is known to have been in common. A file that is as its folder last had it is never
 * read. Throws `BadRequest`, `PayloadTooLarge`.
 */
export function mergeBook(
  {
    base,
    incoming,
    stored,
  }: { base?: BookBase | undefined; incoming: IncomingBook; stored?: StoredBook | undefined },
  { title, force }: MergeOptions,
): BookPlan {
  const isOwn = stored === undefined || incoming.description?.exportedFrom === stored.id;
  const description = isOwn ? incoming.description : undefined;
  const all = matchChapters(incoming.chapters, stored?.chapters ?? [], base && knownFolder(base));
  // Only the book that the folder is of can have lost a chapter of it.
  const isOfBook = stored !== undefined && (incoming.description?.exportedFrom ?? stored.id) === stored.id;
  const deleted =
    isOfBook && force !== "incoming"
      ? all.flatMap((match) => lostChapter(match, base, stored.chapters) ?? [])
      : [];
  const gone = new Set(deleted.map(({ match }) => match));
  const matched = all.filter((match) => !gone.has(match));
  const states = new Map(matched.map((match) => [match, stateOf(match, base)]));
  const wanted = matched.flatMap((match) =>
    states.get(match) === undefined ? (match.incoming.read().fields.part ?? []) : [],
  );
  const files = new Map(matched.map(({ stored: chapter, incoming: file }) => [chapter, file.file]));
  const present: StoredDescription = {
    title: stored?.title ?? "",
    goal: stored?.goal ?? null,
    manifest: stored?.manifest ?? {},
    parts: stored?.parts ?? [],
    order: (stored?.chapters ?? []).flatMap((chapter) => files.get(chapter) ?? []),
  };
  const { plan, outcome } = mergeDescription(
    { base: isOwn ? base?.description : undefined, incoming: description, stored: present },
    { wanted, isNamed: title !== undefined, isNew: stored === undefined, force },
  );
  const renamed = inRenamedParts(stored?.chapters ?? [], plan.parts);
  const placed = matched.map((match) => ({
    ...match,
    stored: match.stored && (renamed.get(match.stored) ?? match.stored),
    state: states.get(match),
  }));
  const order = placeChapters([...renamed.values()], placed, plan.order);
  const chapters = placed.map((match) => planChapter(match, base, force));
  const plans = new Map(placed.map((match, index) => [match as MatchedChapter, chapters[index]]));
  return {
    bookId: stored?.id,
    title:
      stored?.title ?? title ?? description?.title ?? incoming.chapters[0]?.read().newTitle ?? "Untitled",
    description: plan,
    outcome,
    chapters,
    order: order.flatMap((entry) => ("rank" in entry ? entry : (plans.get(entry) ?? []))),
    deleted: deleted.map(({ id, match }) => ({ id, file: match.incoming.file ?? "" })),
  };
}

function knownFolder({ last, proseAt }: BookBase): KnownFolder {
  const lastProse = (id: ChapterId) => {
    const met = last.get(id);
    return met && proseAt(id, met.revision);
  };
  return { last, lastProse };
}

/** The chapter of a file that the manuscript has deleted since, if nobody has edited the file: it is not one to make again. */
function lostChapter(
  match: MatchedChapter,
  base: BookBase | undefined,
  chapters: readonly StoredChapter[],
): { id: ChapterId; match: MatchedChapter } | undefined {
  const { incoming, stored } = match;
  if (stored !== undefined || base === undefined || incoming.file === null) return undefined;
  const present = new Set(chapters.map(({ id }) => id));
  const alike = [...base.last.values()].filter(
    ({ chapterId, hash }) =>
      hash === incoming.hash || (!present.has(chapterId) && base.hasHad(chapterId, incoming.hash)),
  );
  // A file that got another name still says whose it is.
  const last =
    alike.find(({ file }) => file === incoming.file) ??
    (alike.length === 0 ? undefined : alike.find(({ chapterId }) => chapterId === incoming.read().fields.id));
  if (last === undefined || present.has(last.chapterId)) return undefined;
  return { id: last.chapterId, match };
}

/** What a file that has not changed since the last exchange comes to; undefined for one that has, or is new. */
function stateOf(
  { incoming, stored }: MatchedChapter,
  base: BookBase | undefined,
): "same" | "left" | undefined {
  if (stored === undefined) return undefined;
  const last = base?.last.get(stored.id);
  if (last === undefined || last.hash !== incoming.hash || last.file !== incoming.file) return undefined;
  if (CHAPTER_FIELDS.some((key) => incoming.said[key] !== undefined && incoming.said[key] !== last[key]))
    return undefined;
  if (last.isMerged || CHAPTER_FIELDS.some((key) => stored[key] !== last[key])) return "left";
  return last.revision === stored.revision ? "same" : "left";
}

/** The chapters, those of a part that gets another title with it. */
function inRenamedParts(
  chapters: readonly StoredChapter[],
  parts: BookPlan["description"]["parts"],
): Map<StoredChapter, StoredChapter> {
  const titles = new Map(
    parts.flatMap(({ title, was }) => (was === undefined || was === title ? [] : [[was, title]])),
  );
  return new Map(
    chapters.map((chapter) => {
      const part = chapter.part === null ? undefined : titles.get(chapter.part);
      return [chapter, part === undefined ? chapter : { ...chapter, part }];
    }),
  );
}

function planChapter(
  { incoming: file, stored, state }: MatchedChapter & { state: "same" | "left" | undefined },
  base: BookBase | undefined,
  force: Side | undefined,
): ChapterPlan {
  const last = stored && base?.last.get(stored.id);
  const isRenamed = stored !== undefined && isNewName(file, stored, last);
  if (stored !== undefined && state !== undefined) {
    const kind = state === "left" && isAsBefore(file, stored, last, base) ? "same" : state;
    return { kind, incoming: file, stored, isRenamed };
  }
  const incoming = withOwnIds(withOwnPart(file.read(), stored, last), stored);
  if (stored === undefined) return { kind: "create", incoming };
  const verdict = mergeChapter({ base: base?.chapter(stored, incoming), incoming, stored }, force);
  if (verdict.kind === "leave") return { kind: "left", incoming: file, stored, isRenamed };
  return { ...verdict, incoming, stored };
}

/** Whether a file has another name than its chapter had, in its folder or when it was imported. */
function isNewName({ file }: ChapterFile, stored: StoredChapter, last: LastChapter | undefined): boolean {
  return file !== null && stored.file !== null && file !== stored.file && file !== last?.file;
}

/** Whether a chapter that has changed since says what its file does: by an edit that was taken back, say. */
function isAsBefore(
  file: ChapterFile,
  stored: StoredChapter,
  last: LastChapter | undefined,
  base: BookBase | undefined,
): boolean {
  if (last === undefined || last.isMerged) return false;
  if (CHAPTER_FIELDS.some((key) => stored[key] !== last[key])) {
    const { fields } = withOwnPart(file.read(), stored, last);
    if (CHAPTER_FIELDS.some((key) => fields[key] !== undefined && fields[key] !== stored[key])) return false;
  }
  const before = base?.proseAt(stored.id, last.revision);
  return before !== undefined && bareMarkdown(before) === bareMarkdown(stored.prose());
}

/** A file that got another name in its folder says nothing of its part by that; one that was moved does. */
function withOwnPart(
  incoming: IncomingChapter,
  stored: StoredChapter | undefined,
  last: LastChapter | undefined,
): IncomingChapter {
  if (!incoming.isFound || stored === undefined || incoming.file === null || last?.file == null)
    return incoming;
  if (dirname(last.file) !== dirname(incoming.file)) return incoming;
  const { part: _, ...fields } = incoming.fields;
  return { ...incoming, fields };
}
