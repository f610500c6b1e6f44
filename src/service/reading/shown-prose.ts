import type { ChapterId } from "../../ids.ts";
import { mapLeaves, nodeOf } from "../../prose/document/leaves.ts";
import { partsScenes, shownLeaves, toOwn, toShown, withoutMarkup } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import {
  finish,
  type ReadingBlock,
  type ReadingChapter,
  type ReadingMention,
  type Span,
} from "../../reading/reading.ts";
import type { Store } from "../../store/file/store.ts";
import { listNodes } from "../../store/rows/blocks.ts";
import { type ChapterRow, findChapter } from "../../store/rows/chapters.ts";

/** The places in each block's shown text of what is not its own; blocks of which there are none are left out. */
export type Added = ReadonlyMap<string, readonly number[]>;

/** A chapter's prose as it is read: spans in it are of shown texts, which `added` leads back to the blocks' own. */
export interface ShownProse {
  chapter: ReadingChapter;
  added: Added;
}

/** The chapter's prose as engines and reports read it. */
export function readShownProse(store: Store, row: ChapterRow): ShownProse {
  return finish(proseSteps(store, row));
}

/** The same, a block a step: the rows are read when it is called, so all is of one moment. */
export function proseSteps(store: Store, row: ChapterRow): Generator<void, ShownProse> {
  return readBlocks(row, listNodes(store, row.id));
}

function* readBlocks(
  { id, revision, title }: ChapterRow,
  nodes: readonly string[],
): Generator<void, ShownProse> {
  const blocks: ReadingBlock[] = [];
  const places = new Map<string, readonly number[]>();
  for (const node of nodes) {
    for (const { leaf, text, added } of shownLeaves(mapLeaves(nodeOf({ node }), blankMarkup))) {
      const blockId = String(leaf.attrs?.blockId);
      const type = partsScenes(leaf) ? "scene_break" : leaf.type;
      blocks.push(type === "paragraph" ? { blockId, text } : { blockId, text, type });
      if (added.length > 0) places.set(blockId, added);
    }
    yield;
  }
  return { chapter: { chapterId: id, revision, title, blocks }, added: places };
}

/** A leaf with blanks for what no reader sees, so that all else stays where it is. */
function blankMarkup(leaf: DocNode): DocNode {
  const content = withoutMarkup(leaf, " ");
  return content === leaf.content ? leaf : { ...leaf, content: [...content] };
}

/** Mentions as they lie in shown texts. */
export function shownMentions(mentions: readonly ReadingMention[], added: Added): ReadingMention[] {
  return mentions.map((mention) => toShown(mention, added.get(mention.blockId) ?? []));
}

/** The span in its block's own text; what is only shown goes from its words, too. */
export function ownSpan<Place extends Span>(span: Place, added: readonly number[] = []): Place {
  if (added.length === 0) return span;
  const units = span.text.split("").filter((_, index) => !added.includes(span.from + index));
  return { ...toOwn(span, added), text: units.join("") };
}

/**
 * The same of a chapter that is read to be learnt and not soon again: its pages need not stay. The prose may have changed
 * since the row was read: then its revision has, too.
 */
export function readToLearn(store: Store, row: ChapterRow): ShownProse {
  const read = store.snapshot(() => readShownProse(store, findChapter(store, row.id) ?? row));
  store.shrink();
  return read;
}

/** What is read in a chapter's blocks beyond their own texts. */
export function addedIn(store: Store, id: ChapterId): Added {
  const row = findChapter(store, id);
  return row === undefined ? new Map() : readShownProse(store, row).added;
}
