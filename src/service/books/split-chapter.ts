import type { BlockId, ChapterId } from "../../ids.ts";
import { listHeadings } from "../../prose/document/heading.ts";
import { leavesOf } from "../../prose/document/leaves.ts";
import { addDefinitions, definitionsOf, widen } from "../../prose/markdown/definitions.ts";
import { joinBlocks } from "../../prose/markdown/join-blocks.ts";
import { parted, relabelled } from "../../prose/plan/footnotes.ts";
import type { NewProse, StoredBlock, StoredProse } from "../../prose/plan/plan.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
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
import { TEXTS } from "../field-rules.ts";
import { assertUnchanged, theChapter } from "../guards.ts";
import { type WriteOn, write } from "../manuscript.ts";
import { toChapterMeta } from "../present.ts";
import { replaceIn } from "../prose/replace-prose.ts";
import { storedProse } from "../prose/stored-prose.ts";
import { BLANK, rankAt } from "./chapters.ts";

/** Makes a chapter two: what begins with a block is a chapter of its own, right behind. Throws `NotFound`, `BadRequest`. */
export const splitChapter: WriteOn<"splitChapter", ChapterId> = (
  manuscript,
  chapterId,
  { blockId, title, ifRevision },
  caller,
) =>
  write(manuscript, "splitChapter", caller, (act, store) => {
    const chapter = theChapter(manuscript, chapterId);
    const { blocks, ...prose } = storedProse(chapter, listBlocks(store, chapterId));
    const at = placeOf(blocks, blockId);
    assertUnchanged(chapter, caller, { ifRevision, prose: true });
    const { bookId, partId, status, position } = chapter;
    const [before, second] = parted(blocks, at);
    if (before.length === 0 || second.length === 0) throw nothingLeft();
    const anchored = anchoredTo(store, chapterId, second);
    const first = standing({ ...prose, blocks: closed(before, blocks) });
    move(store, act, chapter, { prose: first, moved: [] });
    const id = store.mint("chapter");
    const rank = rankAt(manuscript, bookId, { partId, position: position + 1 });
    const named = title ?? listHeadings([second[0]!.node])[0]?.title ?? chapter.title; // one at least
    const fields = { ...BLANK, id, bookId, partId, rank, title: named, status };
    stored.insertChapter(store, { ...fields, createdAt: act.at });
    const rest = standing({ bom: false, eol: prose.eol, head: "", blocks: closed(second, blocks) });
    move(store, act, theChapter(manuscript, id), { prose: rest, moved: second });
    bringAlong(store, id, anchored);
    return () => ({
      id,
      chapter: toChapterMeta(theChapter(manuscript, id)),
      first: toChapterMeta(theChapter(manuscript, chapterId)),
    });
  });

/** Puts the next chapter of the book behind this one's prose; only its title goes. Throws `NotFound`, `BadRequest`. */
export const joinChapters: WriteOn<"joinChapters", ChapterId> = (
  manuscript,
  chapterId,
  { ifRevision },
  caller,
) =>
  write(manuscript, "joinChapters", caller, (act, store) => {
    const chapter = theChapter(manuscript, chapterId);
    const next = stored
      .listChapters(store, chapter.bookId)
      .find(({ position }) => position === chapter.position + 1);
    if (next === undefined) throw new NotFound("chapter behind this one: it is the last of its book");
    assertUnchanged(chapter, caller, { ifRevision, prose: true });
    const [one, other] = [chapter, next].map((row) => storedProse(row, listBlocks(store, row.id))) as [
      StoredProse,
      StoredProse,
    ]; // one each
    const anchored = {
      mentions: listChapterMentions(store, next.id),
      snippets: listChapterSnippets(store, next.id),
    };
    const prose = standing(chained(one, other));
    deleteMentions(store, anchored.mentions);
    for (const snippet of anchored.snippets) updateSnippet(store, { ...snippet, chapterId });
    stored.deleteChapter(store, next.id);
    move(store, act, chapter, { prose, moved: other.blocks });
    bringAlong(store, chapterId, anchored);
    const synopsis = [chapter.synopsis, next.synopsis].filter((text) => text.trim() !== "").join("\n\n");
    if (synopsis.length <= TEXTS.synopsis.most) stored.updateChapter(store, chapterId, { synopsis });
    return () => ({
      chapter: toChapterMeta(theChapter(manuscript, chapterId)),
      joined: { id: next.id, title: next.title },
    });
  });

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

function move(
  store: Store,
  act: Act,
  chapter: stored.ChapterRow,
  { prose, moved }: { prose: NewProse; moved: readonly StoredBlock[] },
): void {
  const ids = moved.flatMap(({ node }) => leavesOf(node)).map(({ attrs }) => String(attrs?.blockId));
  replaceIn(store, act, chapter, { kind: "markdown", prose, mentions: "keep", moved: new Set(ids) });
}

/** What stands beside paragraphs, as it is stored. */
interface Anchored {
  mentions: readonly MentionRow[];
  snippets: readonly SnippetRow[];
}

function anchoredTo(store: Store, chapterId: ChapterId, blocks: readonly StoredBlock[]): Anchored {
  const ids = new Set(blocks.flatMap(({ node }) => leavesOf(node)).map(({ attrs }) => attrs?.blockId));
  const isThere = ({ blockId }: { blockId: BlockId | null }) => ids.has(blockId);
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
