import type { Goal, StoredChapter } from "../../book/book.ts";
import type { StoredBook } from "../../book/merge-book.ts";
import type { BookId, ChapterId, PartId } from "../../ids.ts";
import { leafIds } from "../../prose/document/leaves.ts";
import { joinMarkdown } from "../../prose/join-chapter.ts";
import { BadRequest } from "../../refusals.ts";
import { revisionAfter } from "../../store/journal/history.ts";
import { type BookImage, type Image, imagesInOrder, readPast } from "../../store/journal/past.ts";
import { groupBy } from "../../text/group-by.ts";
import { once } from "../../text/once.ts";
import { countsOf } from "../books/read-chapter.ts";
import { describedIn } from "../field-rules.ts";
import { theBook } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { findPoint } from "../points.ts";
import { storedProse } from "../prose/stored-prose.ts";

/**
 * A book as it was at a moment: its chapters with the revisions that they had, its parts, order and goal. Throws
 * `NotFound`, and `BadRequest` for what names no moment of the book.
 */
export function readPastBook(manuscript: Manuscript, bookId: BookId, moment: string): StoredBook {
  const { store } = manuscript;
  return store.snapshot(() => {
    theBook(manuscript, bookId);
    const point = findPoint(store, bookId, moment);
    const past = readPast(store, bookId, [point.seq])[0]!; // an image a moment
    const book = past.books.get(bookId);
    if (book === undefined)
      throw new BadRequest(`The book was not there yet at ${point.at ?? "that time"}; name a later moment.`);
    const revisionOf = (id: ChapterId) => revisionAfter(store, id, point.seq) ?? 0;
    return {
      id: bookId,
      title: String(book.title),
      goal: goalOf(past),
      manifest: describedIn({ metadata: jsonIn(book.metadata), manifest: jsonIn(book.manifest) }),
      parts: imagesInOrder(past.parts).map(([, { title }]) => String(title)),
      chapters: chaptersOf(past, revisionOf),
    };
  });
}

/** Acts of older versions know fewer columns. */
function jsonIn(cell: Image[string] | undefined): string | null {
  return cell == null ? null : String(cell);
}

function goalOf({ goals }: BookImage): Goal | null {
  const [[, goal] = []] = goals;
  if (goal === undefined) return null;
  const { target_words, deadline, daily_words } = goal;
  return {
    targetWords: Number(target_words),
    deadline: deadline === null ? null : String(deadline),
    dailyWords: daily_words === null ? null : Number(daily_words),
  };
}

function chaptersOf(past: BookImage, revisionOf: (id: ChapterId) => number): StoredChapter[] {
  const blocks = groupBy(past.blocks, ([, image]) => String(image.chapter_id));
  return imagesInOrder(past.chapters).map(([id, image]) => {
    const part = image.part_id === null ? undefined : past.parts.get(String(image.part_id));
    return {
      ...chapterOf(id, image, imagesInOrder(blocks.get(id) ?? [])),
      partId: image.part_id as PartId | null,
      part: part === undefined ? null : String(part.title),
      revision: revisionOf(id),
    };
  });
}

function chapterOf(
  id: ChapterId,
  image: Image,
  blocks: readonly [string, Image][],
): Omit<StoredChapter, "partId" | "part" | "revision"> {
  const frontMatter = String(image.front_matter);
  const bom = image.bom === 1;
  const rows = blocks.map(([row, { node, source, gap }]) => ({
    id: row,
    node: String(node),
    source: String(source),
    gap: String(gap),
  }));
  const eol = image.eol as StoredChapter["eol"]; // as it was stored
  const prose = storedProse({ bom: bom ? 1 : 0, eol, head: String(image.head) }, rows);
  return {
    id,
    rank: String(image.rank),
    title: String(image.title),
    status: image.status as StoredChapter["status"], // as it was stored
    synopsis: String(image.synopsis),
    file: image.file === null ? null : String(image.file),
    frontMatter,
    bom,
    eol,
    ...countsOf(prose.blocks.map(({ node }) => node)),
    prose: () => prose,
    blocksWith: (texts) =>
      prose.blocks.filter(({ source }) =>
        texts.some((text) => source.toLowerCase().includes(text.toLowerCase())),
      ),
    markdown: once(() => Buffer.from(joinMarkdown({ ...prose, bom: bom && frontMatter === "" }))),
    owns: (named) => {
      const own = new Set(leafIds(prose.blocks));
      return new Set(named.filter((leaf) => own.has(leaf)));
    },
  };
}
