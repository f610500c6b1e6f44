import type { AnswerOf } from "../../contract/index.ts";
import type { ChapterId } from "../../ids.ts";
import { type Leaf, nodeOf, readLeaves } from "../../prose/document/leaves.ts";
import { sameNode } from "../../prose/document/same-node.ts";
import { shownText } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { writeBlock } from "../../prose/write.ts";
import { listRevisions, noRevision, readRevision, revisionAfter } from "../../store/journal/history.ts";
import { countWords } from "../../text/count-words.ts";
import { longestIncreasing } from "../../text/increasing-run.ts";
import { theChapter } from "../guards.ts";
import type { Manuscript } from "../manuscript.ts";
import { findPoint } from "../points.ts";
import { type Change, type DiffWords, diffAmong } from "./word-diff.ts";

/** One paragraph that two revisions do not share. `changes` is its text in both, word by word. */
export type ComparedParagraph = Comparison["paragraphs"][number];

/** What changed in a chapter between two revisions, in the later one's order; unchanged paragraphs are left out. */
export type Comparison = AnswerOf<"compareRevisions">;

/**
 * Compares two revisions of a chapter, each by its number or a moment of its book, paragraph by paragraph as their ids go
 * on: by default the newest with the one before it. Throws `NotFound` for a chapter or revision that does not exist, and
 * `BadRequest` for a name of no moment.
 */
export function compareRevisions(
  manuscript: Manuscript,
  id: ChapterId,
  range: { from?: number | string | undefined; to?: number | string | undefined } = {},
): Comparison {
  const { store } = manuscript;
  return store.snapshot(() => {
    const { title, revision, bookId } = theChapter(manuscript, id);
    const revisionOf = (named: number | string) =>
      typeof named === "number"
        ? named
        : (revisionAfter(store, id, findPoint(store, bookId, named).seq) ?? 0);
    const to = revisionOf(range.to ?? revision);
    const [before] = listRevisions(store, id, { before: to, limit: 1 }).revisions;
    const from = revisionOf(range.from ?? before?.revision ?? 1);
    const compared = compareNodes(nodesAt(manuscript, id, from), nodesAt(manuscript, id, to));
    return { chapterId: id, title, from, to, ...compared };
  });
}

/** What changed between two versions of a chapter's blocks, their leaves with ids. */
export function compareNodes(
  before: readonly DocNode[],
  after: readonly DocNode[],
): Pick<Comparison, "words" | "paragraphs"> {
  const paragraphs = compareLeaves(before.flatMap(readLeaves), after.flatMap(readLeaves));
  return { words: countChanges(paragraphs), paragraphs };
}

function nodesAt({ store }: Manuscript, id: ChapterId, revision: number): DocNode[] {
  if (revision === 0) return []; // it was not there yet
  const prose = readRevision(store, id, revision);
  if (prose === undefined) throw noRevision(store, id, revision);
  return prose.blocks.map(nodeOf);
}

/** A leaf that differs between the sides, with what it was if both have it. */
interface Differing {
  status: ComparedParagraph["status"];
  leaf: Leaf;
  old?: Leaf;
}

/** Every paragraph that differs between the sides, removed ones at their old place. */
function compareLeaves(before: readonly Leaf[], after: readonly Leaf[]): ComparedParagraph[] {
  const differing = findDiffering(before, after);
  const edited = differing.flatMap(({ leaf, old }) => (old === undefined ? [] : [old, leaf]));
  const diff = diffAmong(lengthOf(edited));
  return differing.map(({ status, leaf, old }) => ({
    blockId: String(leaf.blockId),
    status,
    changes: old === undefined ? wholly(status, textOf(leaf)) : changesOf(old, leaf, diff),
  }));
}

function findDiffering(before: readonly Leaf[], after: readonly Leaf[]): Differing[] {
  const places = new Map(before.map(({ blockId }, index) => [blockId, index]));
  const from = Int32Array.from(after, ({ blockId }) => places.get(blockId) ?? -1);
  const inOrder = new Set(longestIncreasing(from, -1));
  const fixed = new Set([...inOrder].map((index) => from[index]));
  const present = new Set(after.map(({ blockId }) => blockId));
  const differing: Differing[] = [];
  let next = 0;
  const passRemoved = () => {
    for (; next < before.length && !fixed.has(next); next++) {
      const leaf = before[next]!; // next < before.length
      if (!present.has(leaf.blockId)) differing.push({ status: "removed", leaf });
    }
  };
  passRemoved();
  after.forEach((leaf, index) => {
    const old = before[from[index]!]; // one entry a leaf
    if (old === undefined) differing.push({ status: "new", leaf });
    else if (!sameNode(old.node, leaf.node)) differing.push({ status: "edited", leaf, old });
    else if (!inOrder.has(index)) differing.push({ status: "moved", leaf });
    if (inOrder.has(index)) {
      next = from[index]! + 1; // one entry a leaf
      passRemoved();
    }
  });
  return differing;
}

const OPS = { new: "added", removed: "removed", moved: "same", edited: "same" } as const;

/** A text that is new, gone or moved as a whole. */
function wholly(status: ComparedParagraph["status"], text: string): Change[] {
  return text === "" ? [] : [{ op: OPS[status], text }];
}

/** How many characters leaves have together. */
export function lengthOf(leaves: readonly Leaf[]): number {
  return leaves.reduce((sum, { text }) => sum + text.length, 0);
}

/** What changed in a leaf: by its text, or by its Markdown if only the formatting differs. */
export function changesOf(old: Leaf, leaf: Leaf, diff: DiffWords): Change[] {
  const [before, after] = [textOf(old), textOf(leaf)];
  if (before !== after) return diff(before, after);
  return diff(writeBlock(old.node), writeBlock(leaf.node));
}

function textOf({ node }: Leaf): string {
  return shownText(node).text;
}

function countChanges(paragraphs: readonly ComparedParagraph[]): Comparison["words"] {
  const count = (op: Change["op"]) =>
    paragraphs
      .flatMap(({ changes }) => changes)
      .filter((change) => change.op === op)
      .reduce((sum, { text }) => sum + countWords(text), 0);
  return { added: count("added"), removed: count("removed") };
}
