import type { ChapterId } from "../../ids.ts";
import { addDefinitions, definitionsOf, widen } from "../../prose/definitions.ts";
import { asTitle, listHeadings } from "../../prose/document/heading.ts";
import { partsScenes } from "../../prose/document/text.ts";
import type { NewProse, StoredBlock, StoredProse } from "../../prose/plan.ts";
import { parted, relabelled } from "../../prose/rewrite-leaf.ts";
import { BadRequest, NotFound } from "../../refusals.ts";
import type { Act } from "../../store/file/sql.ts";
import type { Store } from "../../store/file/store.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import * as stored from "../../store/rows/chapters.ts";
import { moveFromChapter } from "../../store/rows/facts.ts";
import { deleteMentions } from "../../store/rows/mentions.ts";
import { anchorSnippets } from "../../store/rows/snippets.ts";
import { keepInNote } from "../annotations/snippets.ts";
import { TEXTS } from "../field-rules.ts";
import { assertUnchanged, bookOfChapter, theChapter } from "../guards.ts";
import { type Caller, type Manuscript, type WriteOn, write, writeOptimistically } from "../manuscript.ts";
import { toChapterMeta } from "../present.ts";
import { anchoredTo, bringAlong, carry } from "../prose/anchored.ts";
import { type PlannedProse, planProse, replaceIn, writePlanned } from "../prose/replace-prose.ts";
import { storedProse } from "../prose/stored-prose.ts";
import { carryProposals, readCarried } from "../review/carry-proposals.ts";
import { BLANK, rankAt } from "./chapters.ts";
import {
  asArrived,
  asLeft,
  assertOneBook,
  closed,
  idsOf,
  indexOfBlock,
  plainEnds,
  standing,
  withLineEnds,
} from "./moves/moved-blocks.ts";

/** Makes a chapter two: what begins with a block is a chapter of its own, right behind. Throws `NotFound`, `BadRequest`. */
export const splitChapter: WriteOn<"splitChapter", ChapterId> = (
  manuscript,
  chapterId,
  { blockId, title, ifRevision },
  caller,
) => {
  const { store } = manuscript;
  const make = () =>
    halve(store, theChapter(manuscript, chapterId), (blocks) => {
      const at = indexOfBlock(blocks, blockId, "split at");
      return { end: at, at };
    });
  return writeOptimistically(store, bookOfChapter(manuscript, chapterId), make, (planned) =>
    write(manuscript, "splitChapter", caller, (act) => {
      const chapter = theChapter(manuscript, chapterId);
      const halves = planned();
      assertUnchanged(chapter, caller, { ifRevision, prose: true });
      const id = divide(manuscript, act, chapter, {
        ...halves,
        title: title ?? titleOf(halves) ?? chapter.title,
      });
      return () => ({
        id,
        chapter: toChapterMeta(theChapter(manuscript, id)),
        first: toChapterMeta(theChapter(manuscript, chapterId)),
      });
    }),
  );
};

/**
 * Makes a chapter of each scene, as one act; the breaks between them go. A scene without a heading is named by its chapter and
 * number, such as "Calm 2". Throws `NotFound`, `BadRequest`.
 */
export function splitAtScenes(manuscript: Manuscript, chapterId: ChapterId, caller: Caller) {
  const { store } = manuscript;
  return write(manuscript, "splitChapter", caller, (act) => {
    const whole = theChapter(manuscript, chapterId);
    const { title } = whole;
    const made: ChapterId[] = [];
    let number = scenesOf(storedProse(whole, listBlocks(store, chapterId)).blocks).length;
    if (number < 2)
      throw new BadRequest(`“${title}” is one scene: no break such as *** parts it, so it stays as it is.`);
    // From the last on, so that each paragraph moves once.
    for (; number > 1; number--) {
      const chapter = theChapter(manuscript, chapterId);
      const halves = halve(store, chapter, (blocks) => {
        const [before, last] = scenesOf(blocks).slice(-2);
        return { end: before!.to, at: last!.from }; // there are two at least
      });
      const named = titleOf(halves) ?? asTitle(`${title} ${number}`);
      made.unshift(divide(manuscript, act, chapter, { ...halves, title: named }));
    }
    return () => ({
      chapters: [chapterId, ...made].map((id) => toChapterMeta(theChapter(manuscript, id))),
    });
  });
}

/** Writes both halves of a chapter, the second as a new chapter right behind the first; its id. */
function divide(
  manuscript: Manuscript,
  act: Act,
  chapter: stored.ChapterRow,
  { first, rest, moved, title }: Halves & { title: string },
): ChapterId {
  const { store } = manuscript;
  const { bookId, partId, status, position } = chapter;
  const proposals = readCarried(manuscript, chapter.id);
  const id = store.mint("chapter");
  const ids = moved.flatMap(idsOf);
  const bring = carry(
    store,
    ids.map((blockId) => ({ blockId, from: chapter.id, to: () => id, isEdited: false })),
  );
  writePlanned(store, act, chapter, first);
  const rank = rankAt(manuscript, bookId, { partId, position: position + 1 });
  stored.insertChapter(store, { ...BLANK, id, bookId, partId, rank, title, status, createdAt: act.at });
  replaceIn(store, act, theChapter(manuscript, id), asArrived(rest, moved));
  bring();
  carryProposals(manuscript, proposals, { to: id, ids: new Set(ids) });
  return id;
}

/** The title that the heading of a second half gives it, if it begins with one. */
function titleOf({ moved }: Halves): string | undefined {
  return listHeadings([moved[0]!.node])[0]?.title; // one at least
}

/**
 * Puts another chapter of the book, without `chapterId` the next one, behind this one's prose. Its front matter, and a
 * synopsis that is too long to add, become a note on its first paragraph. Throws `NotFound`, `BadRequest`.
 */
export const joinChapters: WriteOn<"joinChapters", ChapterId> = (
  manuscript,
  chapterId,
  { chapterId: otherId, ifRevision },
  caller,
) => {
  const { store } = manuscript;
  const otherOf = () =>
    otherId === undefined ? nextOf(store, chapterId) : stored.findChapter(store, otherId);
  const make = () => joint(store, chapterId, otherOf());
  return writeOptimistically(store, bookOfChapter(manuscript, chapterId), make, (planned) =>
    write(manuscript, "joinChapters", caller, (act) => {
      const chapter = theChapter(manuscript, chapterId);
      const next = otherId === undefined ? nextOf(store, chapterId) : theChapter(manuscript, otherId);
      if (next === undefined) throw new NotFound("chapter behind this one: it is the last of its book");
      assertAnother(chapter, next);
      const { prose, moved } = planned()!; // both are there
      assertUnchanged(chapter, caller, { ifRevision, prose: true });
      const anchored = anchoredTo(store, next.id);
      const proposals = readCarried(manuscript, next.id);
      carryProposals(manuscript, proposals, { to: chapterId });
      deleteMentions(store, anchored.mentions);
      anchorSnippets(
        store,
        anchored.snippets.map((snippet) => ({ ...snippet, chapterId })),
      );
      moveFromChapter(store, next, chapterId);
      stored.deleteChapter(store, next.id);
      replaceIn(store, act, chapter, asArrived(prose, moved));
      bringAlong(store, chapterId, anchored);
      const synopsis = [chapter.synopsis, next.synopsis].filter((text) => text.trim() !== "").join("\n\n");
      const isTooLong = synopsis.length > TEXTS.synopsis.most;
      if (!isTooLong) stored.updateChapter(store, chapterId, { synopsis });
      const texts = [ownFrontMatter(next), isTooLong ? next.synopsis : ""];
      const place = { bookId: next.bookId, chapterId, blockId: moved.flatMap(idsOf)[0] ?? null };
      const snippet = keepInNote(manuscript, act, place, { name: next.title, texts });
      const { id, title, status } = next;
      return () => ({
        chapter: toChapterMeta(theChapter(manuscript, chapterId)),
        joined: { id, title, status },
        snippet: snippet(),
      });
    }),
  );
};

/** Lines of a chapter's front matter; "" if they hold nothing but fields of the chapter. */
function ownFrontMatter({ frontMatter }: stored.ChapterRow): string {
  const lines = frontMatter
    .trim()
    .split(/\r\n?|\n/)
    .slice(1, -1); // without its fences
  return lines.every((line) => FIELD.test(line)) ? "" : lines.join("\n");
}

const FIELD = /^(?:(?:title|part|synopsis|revision):.*|status: (?:draft|revising|done)|id: ch_\w+|)$/;

/** What becomes of a chapter that is split, planned, the other's prose, and the blocks that go there. */
interface Halves {
  first: PlannedProse;
  rest: NewProse;
  moved: readonly StoredBlock[];
}

/** Plans both halves of a chapter. Scene breaks from the index `end` up to `at`, where the second half begins, go. */
function halve(
  store: Store,
  chapter: stored.ChapterRow,
  placeIn: (blocks: readonly StoredBlock[]) => { end: number; at: number },
): Halves {
  const { blocks, ...prose } = storedProse(chapter, listBlocks(store, chapter.id));
  const { end, at } = placeIn(blocks);
  if (at === 0) throw nothingLeft();
  const second = new Set(blocks.slice(at));
  const breaks = new Set(blocks.slice(end, at).filter(({ node }) => partsScenes(node)));
  const [before, moved] = parted(
    blocks.filter((block) => !breaks.has(block)),
    (block) => second.has(block),
  );
  if (before.length === 0 || moved.length === 0) throw nothingLeft();
  const first = standing({ ...prose, blocks: closed(before, blocks) });
  const rest = standing({ bom: false, eol: prose.eol, head: "", blocks: closed(moved, blocks) });
  return { first: planProse(store, chapter, asLeft(first, moved)), rest, moved };
}

/** Where each scene begins and ends among blocks: what stands between scene breaks, footnotes apart. */
function scenesOf(blocks: readonly StoredBlock[]): { from: number; to: number }[] {
  const scenes: { from: number; to: number }[] = [];
  let isOpen = false;
  for (const [index, { node }] of blocks.entries()) {
    if (node.type === "footnote") continue;
    const scene = isOpen ? scenes.at(-1) : undefined;
    isOpen = !partsScenes(node);
    if (scene !== undefined && isOpen) scene.to = index + 1;
    else if (isOpen) scenes.push({ from: index, to: index + 1 });
  }
  return scenes;
}

function nextOf(store: Store, chapterId: ChapterId): stored.ChapterRow | undefined {
  const chapter = stored.findChapter(store, chapterId);
  const all = chapter === undefined ? [] : stored.listChapters(store, chapter.bookId);
  return all[all.findIndex(({ id }) => id === chapterId) + 1];
}

function assertAnother(chapter: stored.ChapterRow, other: stored.ChapterRow): void {
  if (other.id === chapter.id)
    throw new BadRequest(
      "A chapter cannot be joined to itself: chapterId names the one that goes behind it.",
    );
  assertOneBook(chapter, other);
}

/** A chapter's prose with another's behind it; undefined without another. */
function joint(
  store: Store,
  chapterId: ChapterId,
  next: stored.ChapterRow | undefined,
): { prose: NewProse; moved: readonly StoredBlock[] } | undefined {
  const chapter = stored.findChapter(store, chapterId);
  if (chapter === undefined || next === undefined || next.id === chapterId) return undefined;
  const read = (row: stored.ChapterRow) => storedProse(row, listBlocks(store, row.id));
  const other = read(next);
  return { prose: standing(chained(read(chapter), other)), moved: other.blocks };
}

function nothingLeft(): BadRequest {
  return new BadRequest(
    "Both chapters need a paragraph: split at one that is not the first, and no footnote.",
  );
}

/** One chapter's prose and another's behind it, with the line ends of the first. */
function chained(one: StoredProse, other: StoredProse): StoredProse {
  const blocks = relabelled(withLineEnds(other.blocks, one), one.blocks, definitionsOf(other));
  const head = plainEnds(other.head, one.eol);
  const last = one.blocks.at(-1);
  if (last === undefined) return { ...one, head: one.head + head, blocks };
  const definitions = head.trim() === "" ? [] : [head.trim()];
  const gap = addDefinitions(last.gap, definitions);
  const ended = { ...last, gap: blocks.length === 0 ? gap : widen(gap) };
  return { ...one, blocks: [...one.blocks.slice(0, -1), ended, ...blocks] };
}
