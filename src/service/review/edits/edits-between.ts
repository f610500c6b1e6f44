import { applyEdits } from "../../../prose/apply-edits.ts";
import {
  type HeldLeaf,
  heldLeaves,
  isLeaf,
  leafIds,
  leavesOf,
  mapLeaves,
} from "../../../prose/document/leaves.ts";
import { sameNode } from "../../../prose/document/same-node.ts";
import type { DocNode } from "../../../prose/document/types.ts";
import { bareMarkdown } from "../../../prose/join-chapter.ts";
import type { NewProse, PlannedBlock, ProsePlan, StoredProse } from "../../../prose/plan.ts";
import { type NewDocument, planReplace } from "../../../prose/plan-chapter.ts";
import { writeBlock } from "../../../prose/write.ts";
import { BadRequest } from "../../../refusals.ts";
import type { ProposedEdit } from "../../../store/rows/proposals.ts";
import { append } from "../../../text/extremes.ts";
import { longestIncreasing } from "../../../text/increasing-run.ts";
import { textsOf } from "./grounds.ts";

type Edit = Omit<ProposedEdit, "status">;

/** The same as `findEdits`; throws `BadRequest` if nothing changes, too. */
export function editsBetween(old: StoredProse, incoming: NewProse | NewDocument): Edit[] {
  const edits = findEdits(old, incoming);
  if (edits.length > 0) return edits;
  throw new BadRequest("This is what the chapter says already; there is nothing to propose.");
}

/**
 * The edits that make of a chapter's prose another, by what a PUT would find to be the same: what moved, and what became
 * something else than a paragraph can, is deleted and inserted. Throws `BadRequest` for other front matter, and where edits
 * of paragraphs cannot say it.
 */
export function findEdits(old: StoredProse, incoming: NewProse | NewDocument): Edit[] {
  const plan = planOf(old, incoming);
  const [before, after] = [old.blocks, plan.blocks].map((blocks) => blocks.find(isFrontMatter)?.source);
  if (before !== after)
    throw new BadRequest("Front matter cannot be proposed; propose the prose behind it alone.");
  const fine = readEdits(old, plan.blocks, true);
  if (fine.length === 0 || makes(old, fine, plan)) return fine;
  const edits = readEdits(old, plan.blocks, false);
  if (!makes(old, edits, plan))
    throw new BadRequest(
      "Edits of paragraphs cannot say what is to become of this chapter. Propose a part of it.",
    ).helpedBy({ call: "replaceProse" });
  return edits;
}

function planOf(old: StoredProse, incoming: NewProse | NewDocument): ProsePlan {
  const known = { foreign: new Set<string>(), former: new Set<string>() };
  return planReplace(
    old,
    incoming,
    { mentions: [], snippets: [] },
    { ...known, policy: "keep", mintBlock: () => "" },
  );
}

const isFrontMatter = ({ node }: { node: DocNode }) => node.attrs?.kind === "front_matter";

/** `isFine` looks into lists and quotes, whose paragraphs came or went. */
function readEdits(old: StoredProse, blocks: readonly PlannedBlock[], isFine: boolean): Edit[] {
  const places = new Map(old.blocks.map(({ row }, index) => [row, index]));
  const from = Int32Array.from(blocks, ({ row }) => places.get(String(row)) ?? -1);
  const steady = new Set(longestIncreasing(from, -1));
  const [before, after] = [textsOf(old), textsOf({ ...old, blocks: blocks.map(named) })];
  const kept = new Set<number>();
  const edits: Edit[] = [];
  let anchor: string | null = null;
  let run: PlannedBlock[] = [];
  const close = () => {
    const markdown = bareMarkdown({ eol: "lf", head: "", blocks: run }).trimEnd();
    const beside = anchor === null ? "" : (before.get(anchor)?.markdown ?? "");
    if (run.length > 0) edits.push({ op: "insert_after", blockId: anchor, before: beside, markdown });
    run = [];
  };
  for (const [index, block] of blocks.entries()) {
    const stored = steady.has(index) ? old.blocks[from[index]!] : undefined; // one entry a block
    if (stored === undefined || !(isFine ? isWithin : isOfShape)(stored.node, block.node)) {
      run.push(block);
      continue;
    }
    close();
    kept.add(from[index]!); // as above
    append(edits, editsWithin(stored.node, block.node, { before, after, anchor }));
    if (!isFrontMatter(stored)) anchor = leafIds([stored]).at(-1) ?? anchor;
  }
  close();
  for (const [index, block] of old.blocks.entries()) {
    if (kept.has(index)) continue;
    for (const id of leafIds([block]).map(String))
      edits.push({ op: "delete", blockId: id, before: before.get(id)!.markdown, markdown: null }); // its own leaf
  }
  return edits;
}

/** Edits of the leaves of a block. `anchor` is the leaf before it. */
function editsWithin(
  old: DocNode,
  next: DocNode,
  { before, after, anchor }: Record<"before" | "after", Texts> & { anchor: string | null },
): Edit[] {
  const textOf = (id: string | null) => before.get(String(id))?.markdown ?? "";
  const gone = new Map(leavesOf(old).map((leaf) => [String(leaf.attrs?.blockId), leaf]));
  const edits: Edit[] = [];
  let beside = anchor;
  for (const held of heldLeaves(next)) {
    const id = String(held.leaf.attrs?.blockId);
    const own = gone.get(id);
    gone.delete(id);
    if (own === undefined) {
      const markdown = writeBlock(alone(held));
      edits.push({ op: "insert_after", blockId: beside, before: textOf(beside), markdown });
      continue;
    }
    beside = id;
    if (sameNode(own, held.leaf)) continue;
    edits.push({ op: "replace", blockId: id, before: textOf(id), markdown: after.get(id)?.markdown ?? "" });
  }
  for (const id of gone.keys()) edits.push({ op: "delete", blockId: id, before: textOf(id), markdown: null });
  return edits;
}

type Texts = ReturnType<typeof textsOf>;

const named = (block: PlannedBlock) => ({ ...block, row: String(block.row) });

/** Whether nothing but the text of paragraphs, headings and code within the block is another. */
function isOfShape(old: DocNode, next: DocNode): boolean {
  const [before, after] = [leavesOf(old), leavesOf(next)];
  const frame = (block: DocNode) => mapLeaves(block, () => ({ type: "paragraph" }));
  if (before.length !== after.length || !sameNode(frame(old), frame(next))) return false;
  return before.every((leaf, at) => {
    const other = after[at]!; // of one length
    if (leaf.attrs?.blockId !== other.attrs?.blockId) return false;
    return sameNode(leaf, other) || (isText(leaf) && isText(other));
  });
}

/** Whether the block is a list or quote of the same kind that has some of the same paragraphs, in one order. */
function isWithin(old: DocNode, next: DocNode): boolean {
  if (isOfShape(old, next)) return true;
  if (old.type !== next.type || isLeaf(old)) return false;
  const before = new Map(leavesOf(old).map((leaf) => [leaf.attrs?.blockId, leaf]));
  return leavesOf(next).every((leaf) => {
    const own = before.get(leaf.attrs?.blockId);
    return own === undefined || sameNode(own, leaf) || (isText(own) && isText(leaf));
  });
}

/** Returns a leaf alone in the list or quote that it is in. */
function alone({ leaf, holders }: HeldLeaf): DocNode {
  const around = holders.slice(holders.at(-1)?.type === "list_item" ? -2 : -1);
  return around.reduceRight((inner, holder) => ({ ...holder, content: [inner] }), leaf);
}

function isText({ type, content = [] }: DocNode): boolean {
  return (type === "paragraph" || type === "heading" || type === "code_block") && content.length > 0;
}

/** Whether the edits, done, say what the plan says. */
function makes(old: StoredProse, edits: readonly Edit[], { blocks }: ProsePlan): boolean {
  try {
    const made = applyEdits(old, edits, () => "").blocks;
    return made.length === blocks.length && made.every(({ node }, at) => sameNode(node, blocks[at]!.node)); // of one length
  } catch (error) {
    if (error instanceof BadRequest) return false;
    throw error;
  }
}
