import type { BlockId, ChapterId } from "../../ids.ts";
import { listHeadings } from "../../prose/document/heading.ts";
import { leavesOf } from "../../prose/document/leaves.ts";
import { addDefinitions, definitionsOf, widen } from "../../prose/markdown/definitions.ts";
import { joinBlocks } from "../../prose/markdown/join-blocks.ts";
import { parted, relabelled } from "../../prose/plan/footnotes.ts";
import type { NewProse, StoredBlock, StoredProse } from "../../prose/plan/plan.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Store } from "../../store/file/store.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import * as stored from "../../store/rows/chapters.ts";
import {
  deleteMentions,
  insertMentions,
  listChapterMentions,
  type MentionRow,
} from "../../store/rows/mentions.ts";
import { listChapterSnippets, type SnippetRow, updateSnippet } from "../../store/rows/snippets.ts";
import { ahead } from "../ahead.ts";
import { TEXTS } from "../field-rules.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type WriteOn, write } from "../manuscript.ts";
import { toChapterMeta } from "../present.ts";
import { type MarkdownRequest, type PlannedRequest, replaceIn, withPlan } from "../prose/replace-prose.ts";
import { storedProse } from "../prose/stored-prose.ts";
import { BLANK, rankAt } from "./chapters.ts";

/** Makes a chapter two: what begins with a block is a chapter of its own, right behind. Throws `NotFound`, `BadRequest`. */
export const splitChapter: WriteOn<"splitChapter", ChapterId> = (
  manuscript,
  chapterId,
  { blockId, title, ifRevision },
  caller,
) => {
  const { store } = manuscript;
  const make = () => halve(store, theChapter(manuscript, chapterId), blockId);
  return ahead(
    store,
    () => [chapterId],
    make,
    (recall) =>
      write(manuscript, "splitChapter", caller, (act) => {
        const chapter = theChapter(manuscript, chapterId);
        const { first, rest, moved } = recall(chapterId);
        assertUnchanged(chapter, caller, { ifRevision, prose: true });
        const { bookId, partId, status, position } = chapter;
        const anchored = anchoredTo(store, chapterId, moved);
        replaceIn(store, act, chapter, first);
        const id = store.mint("chapter");
        const rank = rankAt(manuscript, bookId, { partId, position: position + 1 });
        const named = title ?? listHeadings([moved[0]!.node])[0]?.title ?? chapter.title; // one at least
        const fields = { ...BLANK, id, bookId, partId, rank, title: named, status };
        stored.insertChapter(store, { ...fields, createdAt: act.at });
        replaceIn(store, act, theChapter(manuscript, id), asMoved(rest, moved));
        bringAlong(store, id, anchored);
        return () => ({
          id,
          chapter: toChapterMeta(theChapter(manuscript, id)),
          first: toChapterMeta(theChapter(manuscript, chapterId)),
        });
      }),
  );
};

/** Puts the next chapter of the book behind this one's prose; only its title goes. Throws `NotFound`, `BadRequest`. */
export const joinChapters: WriteOn<"joinChapters", ChapterId> = (
  manuscript,
  chapterId,
  { ifRevision },
  caller,
) => {
  const { store } = manuscript;
  const both = () => [chapterId, nextOf(store, chapterId)?.id ?? chapterId];
  const make = (id: ChapterId) => (id === chapterId ? joint(store, chapterId) : undefined);
  return ahead(store, both, make, (recall) =>
    write(manuscript, "joinChapters", caller, (act) => {
      const chapter = theChapter(manuscript, chapterId);
      const next = nextOf(store, chapterId);
      if (next === undefined) throw new NotFound("chapter behind this one: it is the last of its book");
      const known = recall(chapterId);
      recall(next.id); // its prose is in there, too
      const { prose, moved } = known?.nextId === next.id ? known : joint(store, chapterId)!; // there is a next one
      assertUnchanged(chapter, caller, { ifRevision, prose: true });
      const anchored = anchoredTo(store, next.id);
      deleteMentions(store, anchored.mentions);
      for (const snippet of anchored.snippets) updateSnippet(store, { ...snippet, chapterId });
      stored.deleteChapter(store, next.id);
      replaceIn(store, act, chapter, asMoved(prose, moved));
      bringAlong(store, chapterId, anchored);
      const synopsis = [chapter.synopsis, next.synopsis].filter((text) => text.trim() !== "").join("\n\n");
      if (synopsis.length <= TEXTS.synopsis.most) stored.updateChapter(store, chapterId, { synopsis });
      return () => ({
        chapter: toChapterMeta(theChapter(manuscript, chapterId)),
        joined: { id: next.id, title: next.title },
      });
    }),
  );
};

/** What becomes of a chapter that is split, planned, the other's prose, and the blocks that go there. */
interface Halves {
  first: PlannedRequest;
  rest: NewProse;
  moved: readonly StoredBlock[];
}

function halve(store: Store, chapter: stored.ChapterRow, blockId: BlockId): Halves {
  const { blocks, ...prose } = storedProse(chapter, listBlocks(store, chapter.id));
  const [before, moved] = parted(blocks, placeOf(blocks, blockId));
  if (before.length === 0 || moved.length === 0) throw nothingLeft();
  const first = standing({ ...prose, blocks: closed(before, blocks) });
  const rest = standing({ bom: false, eol: prose.eol, head: "", blocks: closed(moved, blocks) });
  return { first: withPlan(store, chapter, asMoved(first, [])), rest, moved };
}

function nextOf(store: Store, chapterId: ChapterId): stored.ChapterRow | undefined {
  const chapter = stored.findChapter(store, chapterId);
  const all = chapter === undefined ? [] : stored.listChapters(store, chapter.bookId);
  return all[all.findIndex(({ id }) => id === chapterId) + 1];
}

/** A chapter's prose with the next one's behind it; undefined without a next one. */
function joint(
  store: Store,
  chapterId: ChapterId,
): { nextId: ChapterId; prose: NewProse; moved: readonly StoredBlock[] } | undefined {
  const chapter = stored.findChapter(store, chapterId);
  const next = nextOf(store, chapterId);
  if (chapter === undefined || next === undefined) return undefined;
  const read = (row: stored.ChapterRow) => storedProse(row, listBlocks(store, row.id));
  const other = read(next);
  return { nextId: next.id, prose: standing(chained(read(chapter), other)), moved: other.blocks };
}

/** Which block the second chapter begins with. */
function placeOf(blocks: readonly StoredBlock[], blockId: BlockId): number {
  const idsOf = ({ node }: StoredBlock) => leavesOf(node).map(({ attrs }) => attrs?.blockId);
  const at = blocks.findIndex((block) => idsOf(block).includes(blockId));
  const block = blocks[at];
  if (block === undefined) throw new NotFound("paragraph in this chapter");
  const [first] = idsOf(block);
  if (first !== blockId)
    throw new BadRequest(
      `Paragraph ${blockId} is inside a list, quote or footnote, which stays whole; split at its first paragraph, ${first}.`,
    );
  if (at === 0) throw nothingLeft();
  return at;
}

function nothingLeft(): BadRequest {
  return new BadRequest(
    "Both chapters need a paragraph: split at one that is not the first, and no footnote.",
  );
}

/**
 * Blocks of a chapter that stand by themselves now: the last ends with its line, not with the blank one that parted it from
 * what came next, and others that got another neighbour have one.
 */
function closed(blocks: readonly StoredBlock[], all: readonly StoredBlock[]): StoredBlock[] {
  const followers = new Map(all.map((block, at) => [block, all[at + 1]]));
  return blocks.map((block, at) => {
    const next = blocks[at + 1];
    if (followers.get(block) === next) return block;
    const end = next === undefined ? (/\r?\n/.exec(block.gap)?.[0] ?? "") : undefined;
    return { ...block, gap: end === undefined ? widen(block.gap) : block.gap.trimEnd() + end };
  });
}

/** One chapter's prose and another's behind it, with the line ends of the first. */
function chained(one: StoredProse, other: StoredProse): StoredProse {
  const plain = (text: string) => (one.eol === "mixed" ? text : text.replace(/\r\n?/g, "\n"));
  const own = other.blocks.map((block) => ({
    ...block,
    source: plain(block.source),
    gap: plain(block.gap),
  }));
  const blocks = relabelled(own, one.blocks, definitionsOf(other));
  const last = one.blocks.at(-1);
  if (last === undefined) return { ...one, head: one.head + plain(other.head), blocks };
  const definitions = other.head.trim() === "" ? [] : [plain(other.head).trim()];
  const gap = addDefinitions(last.gap, definitions);
  const ended = { ...last, gap: blocks.length === 0 ? gap : widen(gap) };
  return { ...one, blocks: [...one.blocks.slice(0, -1), ended, ...blocks] };
}

/** The prose so that it reads as its blocks by itself: a link whose definition is elsewhere now is spelt out. */
function standing({ bom, eol, head, blocks }: StoredProse): NewProse {
  const joined = joinBlocks({ head, blocks });
  if (joined === undefined)
    throw new BadRequest(
      "Markdown cannot say what would come of it; part or join the two by hand with PUT /chapters/{chapterId}/prose.",
    );
  return { bom, eol, ...joined };
}

/** Prose with blocks that stood in another chapter. */
function asMoved(prose: NewProse, moved: readonly StoredBlock[]): MarkdownRequest {
  const ids = moved.flatMap(({ node }) => leavesOf(node)).map(({ attrs }) => String(attrs?.blockId));
  return { kind: "markdown", prose, mentions: "keep", moved: new Set(ids) };
}

/** What stands beside paragraphs, as it is stored. */
interface Anchored {
  mentions: readonly MentionRow[];
  snippets: readonly SnippetRow[];
}

/** What stands beside these blocks of a chapter, or beside any and the chapter itself. */
function anchoredTo(store: Store, chapterId: ChapterId, blocks?: readonly StoredBlock[]): Anchored {
  const leaves = blocks?.flatMap(({ node }) => leavesOf(node));
  const ids = leaves && new Set(leaves.map(({ attrs }) => attrs?.blockId));
  const isThere = ({ blockId }: { blockId: BlockId | null }) => ids?.has(blockId) ?? true;
  return {
    mentions: listChapterMentions(store, chapterId).filter(isThere),
    snippets: listChapterSnippets(store, chapterId).filter(isThere),
  };
}

/** Puts mentions and notes back beside their paragraphs, which are in this chapter now. */
function bringAlong(store: Store, chapterId: ChapterId, { mentions, snippets }: Anchored): void {
  insertMentions(
    store,
    mentions.map((mention) => ({ ...mention, chapterId })),
  );
  for (const snippet of snippets) updateSnippet(store, { ...snippet, chapterId });
}
