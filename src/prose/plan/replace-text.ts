import { BadRequest } from "../../refusals.ts";
import { append } from "../../text/extremes.ts";
import { leafText, leavesOf, mapLeaves } from "../document/leaves.ts";
import { joinTexts, sameMark } from "../document/marks.ts";
import { applyTextEdits, closeUp, type TextEdit } from "../document/text-edit.ts";
import type { DocMark, DocNode } from "../document/types.ts";
import { definitionsOf } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import type { NewProse } from "./plan.ts";
import { withNode } from "./rewrite-leaf.ts";

/** Start of a searched text: its leaf, and the offset in the leaf's text. */
export interface Spot {
  blockId: string;
  from: number;
}

/** Finds what to replace in each text, ascending and apart. One call for all texts of a chapter. */
export type FindEdits = (
  texts: readonly string[],
  spots: readonly Spot[],
) => readonly (readonly TextEdit[])[];

/** A paragraph with replacements; offsets in its present text. */
export interface EditedLeaf {
  blockId: string;
  type: string;
  edits: readonly TextEdit[];
  /** The leaf before the replacement. */
  node: DocNode;
}

/** Result of replacing text in a chapter. */
export interface TextReplacement {
  leaves: readonly EditedLeaf[];
  /** Number of finds in code, tables, HTML and addresses, which stay as they are. */
  skipped: number;
  /** The chapter after it; undefined if there is nothing to replace. */
  prose: NewProse | undefined;
}

/** A stretch of a leaf's text that one find may cover, without a break, picture, code or address inside it. */
interface Run {
  /** Index of its leaf in the chapter. */
  leaf: number;
  /** Offset in its leaf's text. */
  from: number;
  text: string;
  isProse: boolean;
}

function textsOf(leaves: readonly DocNode[], runs: readonly Run[]): { texts: string[]; spots: Spot[] } {
  return {
    texts: runs.map(({ text }) => text),
    spots: runs.map(({ leaf, from }) => ({ blockId: String(leaves[leaf]?.attrs?.blockId), from })),
  };
}

/**
 * Replaces text in a chapter. A replacement has the marks that all of the replaced text has. Link destinations, code
 * and finds that are not wanted stay, and every block without a find keeps its bytes. Pure; O(text). Throws
 * `BadRequest` if a paragraph would be empty, or Markdown cannot say the result.
 */
export function replaceText(
  stored: NewProse,
  find: FindEdits,
  isWanted: (leaf: DocNode, edit: TextEdit) => boolean = () => true,
): TextReplacement {
  const leaves = stored.blocks.flatMap(({ node }) => leavesOf(node));
  const runs = leaves.flatMap((leaf, index) => readRuns(leaf, index));
  const { texts, spots } = textsOf(leaves, runs);
  const found = find(texts, spots);
  const editsOf = new Map<number, TextEdit[]>();
  let skipped = 0;
  runs.forEach(({ leaf, from, text, isProse }, index) => {
    const all = found[index]!; // one list a text
    const edits = all.filter((edit) => text.slice(edit.from, edit.to) !== edit.insert); // else it stands there already
    if (!isProse) skipped += all.length;
    else if (edits.length > 0) {
      const moved = closeUp(text, edits)
        .map((edit) => ({ ...edit, from: from + edit.from, to: from + edit.to }))
        .filter((edit) => isWanted(leaves[leaf]!, edit)); // a run is of a leaf
      if (moved.length === 0) return;
      const own = editsOf.get(leaf) ?? [];
      append(own, moved);
      editsOf.set(leaf, own);
    }
  });
  return {
    leaves: [...editsOf].map(([index, edits]) => editedLeaf(leaves[index]!, edits)), // counted from the same list
    skipped,
    prose: editsOf.size === 0 ? undefined : rewrite(stored, editsOf),
  };
}

function editedLeaf(leaf: DocNode, edits: readonly TextEdit[]): EditedLeaf {
  if (
    applyTextEdits(leafText(leaf), edits).trim() === "" &&
    leaf.content?.every(({ text }) => text !== undefined)
  ) {
    throw new BadRequest(
      `Nothing would be left of paragraph ${leaf.attrs?.blockId}; delete that paragraph first, or replace less.`,
    );
  }
  return { blockId: String(leaf.attrs?.blockId), type: leaf.type, edits, node: leaf };
}

function readRuns(leaf: DocNode, index: number): Run[] {
  const isProse = leaf.type === "paragraph" || leaf.type === "heading";
  if (leaf.type === "raw_block" && leaf.attrs?.kind === "front_matter") return [];
  const runs: Run[] = [];
  let open: Run | undefined;
  let offset = 0;
  for (const child of leaf.content ?? []) {
    if (child.text === undefined) {
      open = undefined;
      continue;
    }
    const isOpen = isProse && !isFixed(child);
    if (open?.isProse !== isOpen || !isOpen) {
      open = { leaf: index, from: offset, text: "", isProse: isOpen };
      runs.push(open);
    }
    open.text += child.text;
    offset += child.text.length;
  }
  return runs;
}

/** True for inline code, and for a link whose text is its address: `<https://example.org>`. */
function isFixed({ marks = [], text }: DocNode): boolean {
  return marks.some(
    ({ type, attrs }) =>
      type === "code" || (type === "link" && (attrs?.href === text || attrs?.href === `mailto:${text}`)),
  );
}

function rewrite(stored: NewProse, editsOf: ReadonlyMap<number, readonly TextEdit[]>): NewProse {
  const definitions = definitionsOf(stored);
  let ordinal = 0;
  const blocks = stored.blocks.map((block) => {
    const edits = new Map<number, readonly TextEdit[]>();
    const node = mapLeaves(block.node, (leaf, at) => {
      const own = trimEdits(leaf, editsOf.get(ordinal++) ?? []);
      if (own.length > 0) edits.set(at, own);
      return own.length === 0 ? leaf : editLeaf(leaf, own);
    });
    return node === block.node ? block : withNode(block, node, definitions, { edits });
  });
  const mended = joinBlocks({ head: stored.head, blocks });
  if (mended === undefined) {
    throw new BadRequest(
      "The new text would change how the paragraphs next to it read; choose another text.",
    );
  }
  return { bom: stored.bom, eol: stored.eol, ...mended };
}

/** Trims edits by letters that stay, so that these keep their marks. One letter is left to each for its marks. */
function trimEdits(leaf: DocNode, edits: readonly TextEdit[]): readonly TextEdit[] {
  const text = edits.length === 0 ? "" : leafText(leaf);
  return edits.map(({ from, to, insert }) => {
    let start = 0;
    while (start < to - from - 1 && start < insert.length && text[from + start] === insert[start]) start++;
    if (start > 0 && isHighSurrogate(text[from + start - 1])) start--;
    let end = 0;
    const most = Math.min(to - from - start - 1, insert.length - start);
    while (end < most && text[to - 1 - end] === insert[insert.length - 1 - end]) end++;
    if (end > 0 && isHighSurrogate(text[to - 1 - end])) end--;
    return { from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) };
  });
}

function isHighSurrogate(unit: string | undefined): boolean {
  return unit !== undefined && /[\ud800-\udbff]/.test(unit);
}

/** Returns the leaf with its edits done. */
function editLeaf(leaf: DocNode, edits: readonly TextEdit[]): DocNode {
  const content: DocNode[] = [];
  let offset = 0;
  let next = 0;
  for (const child of leaf.content ?? []) {
    if (child.text === undefined) {
      content.push(child);
      continue;
    }
    const end = offset + child.text.length;
    let at = offset;
    for (; (edits[next]?.from ?? end) < end; next++) {
      const edit = edits[next]!; // below the length
      if (edit.from >= at) {
        append(content, textOf(child, child.text.slice(at - offset, edit.from - offset)));
        append(content, insertion(leaf, edit));
      }
      at = Math.min(edit.to, end);
      if (edit.to > end) break; // it goes on in the next text
    }
    append(content, textOf(child, child.text.slice(at - offset)));
    offset = end;
  }
  return { ...leaf, content: joinTexts(content) };
}

function textOf(child: DocNode, text: string): DocNode[] {
  return text === "" ? [] : [{ ...child, text }];
}

function insertion(leaf: DocNode, { from, to, insert }: TextEdit): DocNode[] {
  if (insert === "") return [];
  const marks = sharedMarks(leaf, from, to);
  return [{ type: "text", ...(marks.length === 0 ? {} : { marks }), text: insert }];
}

/** Returns the marks that every text between the offsets has. */
function sharedMarks(leaf: DocNode, from: number, to: number): DocMark[] {
  let shared: readonly DocMark[] | undefined;
  let offset = 0;
  for (const { text, marks = [] } of leaf.content ?? []) {
    const end = offset + (text?.length ?? 0);
    if (end > from && offset < to) {
      shared = shared?.filter((mark) => marks.some((other) => sameMark(mark, other))) ?? marks;
    }
    offset = end;
  }
  return [...(shared ?? [])];
}
