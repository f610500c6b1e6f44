import type { AnswerOf } from "../../contract/index.ts";
import type { BookId, PartId } from "../../ids.ts";
import type { Leaf } from "../../prose/document/leaves.ts";
import { sameNode } from "../../prose/document/same-node.ts";
import { countBlockWords } from "../../prose/document/words.ts";
import { type BookImage, type Image, imagesInOrder, readPast } from "../../store/journal/past.ts";
import { countWords } from "../../text/count-words.ts";
import { longestIncreasing } from "../../text/increasing-run.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { findPoint, firstPoint, lastPoint, type Point } from "../points.ts";
import { changesOf, lengthOf } from "../prose/compare-revisions.ts";
import { type DiffWords, diffAmong } from "../prose/word-diff.ts";
import { type PastChapter, type PastProse, readPastProse } from "./back/past-prose.ts";

/** What two moments of a book do not share. */
export type BookComparison = Omit<AnswerOf<"compareBooks">, "from" | "to">;
type ChapterComparison = BookComparison["chapters"][number];
type PartComparison = BookComparison["parts"][number];

/**
 * Compares a book at two points, chapter by chapter, as chapters and paragraphs go on by their ids: by default its newest
 * milestone with today. Throws `NotFound`, and `BadRequest` for a name of no point.
 */
export function compareBooks(
  manuscript: Manuscript,
  bookId: BookId,
  range: { from?: string | undefined; to?: string | undefined },
): AnswerOf<"compareBooks"> {
  const { store } = manuscript;
  return store.snapshot(() => {
    theBook(manuscript, bookId);
    const named = (text: string | undefined, otherwise: () => Point) =>
      text === undefined ? otherwise() : findPoint(store, bookId, text);
    const from = named(range.from, () => firstPoint(store, bookId));
    const to = named(range.to, () => lastPoint(store));
    const [before, after] = readPast(store, bookId, [from.seq, to.seq]);
    return { ...compareImages(before!, after!), from: toPoint(from), to: toPoint(to) }; // one image a point
  });
}

/** A point as the contract shows it. */
export function toPoint({ act, at, milestone }: Point): AnswerOf<"compareBooks">["from"] {
  return { act, at, milestone };
}

/** What two images of a book do not share. */
export function compareImages(
  before: BookImage,
  after: BookImage,
  [old, next] = readPastProse([before, after]) as [PastProse, PastProse],
): BookComparison {
  const parts = compareParts(before, after);
  const titles = (image: BookImage) => (id: string) => String(image.parts.get(id)?.title ?? "");
  const compare = chapterComparer(old, next, [titles(before), titles(after)]);
  const chapters = listBoth([...old.chapters.keys()], [...next.chapters.keys()]).map(compare);
  const title = { from: titleOf(before), to: titleOf(after) };
  const [[, goal] = []] = before.goals;
  const [[, later] = []] = after.goals;
  return { title, goalChanged: !isSame(goal, later), chapters, parts, totals: totalsOf(chapters) };
}

function titleOf({ books }: BookImage): string | null {
  const [[, book] = []] = books;
  return book === undefined ? null : String(book.title);
}

function isSame(one: Image | undefined, other: Image | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Object.keys(other).every((column) => one[column] === other[column]);
}

/** Every id of two lists, in the order of the second; those of the first alone behind what they stood behind. */
function listBoth(before: readonly string[], after: readonly string[]): string[] {
  const kept = new Set(after);
  const behind = new Map<string, string[]>();
  let last = "";
  for (const id of before) {
    if (kept.has(id)) last = id;
    else behind.set(last, [...(behind.get(last) ?? []), id]);
  }
  return [...(behind.get("") ?? []), ...after.flatMap((id) => [id, ...(behind.get(id) ?? [])])];
}

/** Those ids of two lists that are not in the same order among those that both have: the fewest that say so. */
function movedIn(before: readonly string[], after: readonly string[]): Set<string> {
  const places = new Map(before.map((id, index) => [id, index]));
  const both = after.filter((id) => places.has(id));
  const from = Int32Array.from(both, (id) => places.get(id)!); // those are all there
  const inOrder = new Set(longestIncreasing(from, -1));
  return new Set(both.filter((_, index) => !inOrder.has(index)));
}

/** Makes the comparison of a chapter that either side has. */
function chapterComparer(
  old: PastProse,
  next: PastProse,
  partTitles: [before: (id: string) => string, after: (id: string) => string],
): (id: string) => ChapterComparison {
  const moved = movedIn([...old.chapters.keys()], [...next.chapters.keys()]);
  const sideOf = (chapter: PastChapter | undefined, titleOfPart: (id: string) => string) => {
    if (chapter === undefined) return null;
    const { image, position, wordCount } = chapter;
    const partId = image.part_id as PartId | null; // as the column is
    const partTitle = partId === null ? null : titleOfPart(partId);
    return { title: String(image.title), position, partId, partTitle, wordCount };
  };
  const diff = diffAmong(lengthOf(listEdited(old, next)));
  return (id) => {
    const [before, after] = [old.chapters.get(id), next.chapters.get(id)];
    const changes = changedFields(before, after);
    if (moved.has(id)) changes.push("place");
    const { words, paragraphs } = compareLeaves(before, after, { old, next, diff });
    if (paragraphs.edited > 0 || outlineOf(before) !== outlineOf(after)) changes.unshift("prose");
    const isBoth = before !== undefined && after !== undefined;
    const change = isBoth ? (changes.length > 0 ? "changed" : "same") : before ? "removed" : "new";
    const sides = { from: sideOf(before, partTitles[0]), to: sideOf(after, partTitles[1]) };
    return { chapterId: id, change, changes: isBoth ? changes : [], ...sides, words, paragraphs };
  };
}

const FIELDS = { title: "title", part: "part_id", status: "status", synopsis: "synopsis" } as const;

function changedFields(
  before: PastChapter | undefined,
  after: PastChapter | undefined,
): ChapterComparison["changes"] {
  return (["title", "part", "status", "synopsis"] as const).filter(
    (name) => before?.image[FIELDS[name]] !== after?.image[FIELDS[name]],
  );
}

/** Which paragraphs a chapter has, and what of its Markdown is in none of them. */
function outlineOf(chapter: PastChapter | undefined): string {
  return JSON.stringify([
    chapter?.image.head,
    chapter?.image.eol,
    chapter?.leaves.map(({ blockId }) => blockId),
  ]);
}

/** The paragraphs that both sides have and that say something else, each as it was and as it is. */
function listEdited(old: PastProse, next: PastProse): Leaf[] {
  return [...next.leaves].flatMap(([id, leaf]) => {
    const known = old.leaves.get(id);
    return known !== undefined && isEdited(known, leaf) ? [known, leaf] : [];
  });
}

function isEdited(known: Leaf, leaf: Leaf): boolean {
  return known.node !== leaf.node && !sameNode(known.node, leaf.node);
}

/** A paragraph counts in the chapter that it stands in, one that is gone in the one that it stood in. */
function compareLeaves(
  before: PastChapter | undefined,
  after: PastChapter | undefined,
  { old, next, diff }: { old: PastProse; next: PastProse; diff: DiffWords },
): Pick<ChapterComparison, "words" | "paragraphs"> {
  const idsOf = (chapter: PastChapter | undefined) =>
    chapter?.leaves.map(({ blockId }) => String(blockId)) ?? [];
  const moved = movedIn(idsOf(before), idsOf(after));
  const words = { added: 0, removed: 0 };
  const paragraphs = { kept: 0, edited: 0, moved: 0, new: 0, removed: 0 };
  for (const leaf of after?.leaves ?? []) {
    const id = String(leaf.blockId);
    const known = old.leaves.get(id);
    if (known === undefined) {
      paragraphs.new++;
      words.added += countBlockWords(leaf.node);
    } else if (isEdited(known, leaf)) {
      paragraphs.edited++;
      for (const { op, text } of changesOf(known, leaf, diff))
        if (op !== "same") words[op] += countWords(text);
    } else if (known.chapterId !== leaf.chapterId || moved.has(id)) paragraphs.moved++;
    else paragraphs.kept++;
  }
  for (const leaf of before?.leaves ?? [])
    if (!next.leaves.has(String(leaf.blockId))) {
      paragraphs.removed++;
      words.removed += countBlockWords(leaf.node);
    }
  return { words, paragraphs };
}

function compareParts(before: BookImage, after: BookImage): PartComparison[] {
  const [old, next] = [imagesInOrder(before.parts), imagesInOrder(after.parts)].map((parts) =>
    parts.map(([id]) => id),
  ) as [string[], string[]];
  const moved = movedIn(old, next);
  const sideOf = ({ parts }: BookImage, ids: readonly string[], id: string) => {
    const part = parts.get(id);
    return part === undefined ? null : { title: String(part.title), position: ids.indexOf(id) + 1 };
  };
  return listBoth(old, next).flatMap((partId) => {
    const [from, to] = [sideOf(before, old, partId), sideOf(after, next, partId)];
    return from?.title === to?.title && !moved.has(partId) ? [] : [{ partId, from, to }];
  });
}

function totalsOf(chapters: readonly ChapterComparison[]): BookComparison["totals"] {
  const sum = (amountOf: (chapter: ChapterComparison) => number) =>
    chapters.reduce((total, chapter) => total + amountOf(chapter), 0);
  const count = (isCounted: (chapter: ChapterComparison) => boolean) => chapters.filter(isCounted).length;
  const of = (key: keyof ChapterComparison["paragraphs"]) => sum(({ paragraphs }) => paragraphs[key]);
  const lengthOf = (side: "from" | "to") => ({
    wordCount: sum((chapter) => chapter[side]?.wordCount ?? 0),
    chapterCount: count((chapter) => chapter[side] !== null),
  });
  return {
    from: lengthOf("from"),
    to: lengthOf("to"),
    words: { added: sum(({ words }) => words.added), removed: sum(({ words }) => words.removed) },
    paragraphs: {
      kept: of("kept"),
      edited: of("edited"),
      moved: of("moved"),
      new: of("new"),
      removed: of("removed"),
    },
    chapters: {
      changed: count(({ change }) => change === "changed"),
      new: count(({ change }) => change === "new"),
      removed: count(({ change }) => change === "removed"),
      moved: count(({ changes }) => changes.includes("place")),
      retitled: count(({ changes }) => changes.includes("title")),
    },
  };
}
