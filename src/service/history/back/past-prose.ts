import type { BlockId, ChapterId } from "../../../ids.ts";
import { type Leaf, nodeOf, readLeaves } from "../../../prose/document/leaves.ts";
import { countBlockWords } from "../../../prose/document/words.ts";
import { type BookImage, type Image, imagesInOrder } from "../../../store/journal/past.ts";
import { groupBy } from "../../../text/group-by.ts";

/** A leaf of a book's past, and the chapter that it stood in. */
export interface PastLeaf extends Leaf {
  chapterId: ChapterId;
}

/** A chapter of a book's past. */
export interface PastChapter {
  id: ChapterId;
  image: Image;
  /** From 1. */
  position: number;
  wordCount: number;
  leaves: readonly PastLeaf[];
}

/** A book's past as it is compared: its chapters in reading order, and every leaf of them by its id. */
export interface PastProse {
  chapters: ReadonlyMap<ChapterId, PastChapter>;
  leaves: ReadonlyMap<BlockId, PastLeaf>;
}

interface ReadBlock {
  leaves: readonly Leaf[];
  wordCount: number;
}

/** Reads images of one book; a block that two of them share is read once, so that its leaves are the same. */
export function readPastProse(images: readonly BookImage[]): PastProse[] {
  const known = new Map<Image, ReadBlock>();
  const read = (image: Image) => {
    let block = known.get(image);
    if (block === undefined) {
      const node = nodeOf({ node: String(image.node) });
      block = { leaves: readLeaves(node), wordCount: countBlockWords(node) };
      known.set(image, block);
    }
    return block;
  };
  return images.map((image) => proseOf(image, read));
}

function proseOf({ chapters, blocks }: BookImage, read: (image: Image) => ReadBlock): PastProse {
  const own = groupBy(blocks, ([, image]) => String(image.chapter_id));
  const all = imagesInOrder(chapters).map(([id, image], index): PastChapter => {
    const prose = imagesInOrder(own.get(id) ?? []).map(([, block]) => read(block));
    return {
      id,
      image,
      position: index + 1,
      wordCount: prose.reduce((sum, { wordCount }) => sum + wordCount, 0),
      leaves: prose.flatMap(({ leaves }) => leaves.map((leaf) => ({ ...leaf, chapterId: id }))),
    };
  });
  return {
    chapters: new Map(all.map((chapter) => [chapter.id, chapter])),
    leaves: new Map(
      all.flatMap(({ leaves }) => leaves.map((leaf): [BlockId, PastLeaf] => [String(leaf.blockId), leaf])),
    ),
  };
}
