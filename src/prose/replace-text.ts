import { BadRequest } from "../refusals.ts";
import { append } from "../text/extremes.ts";
import { definitionsOf, looseDefinitions } from "./definitions.ts";
import { asTitle, headingTitle } from "./document/heading.ts";
import { leafText, leavesOf, mapLeaves } from "./document/leaves.ts";
import { joinTexts, sameMark } from "./document/marks.ts";
import { applyTextEdits, closeUp, type TextEdit } from "./document/text-edit.ts";
import type { DocMark, DocNode, SourceBlock } from "./document/types.ts";
import { joinBlocks } from "./join-blocks.ts";
import type { NewProse } from "./plan.ts";
import { withNode } from "./rewrite-leaf.ts";
import { writeBlock } from "./write.ts";

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

/** A chapter with a new heading, and the edits of the heading's text, if they are known. */
export interface Retitled {
  prose: NewProse;
  edits: readonly TextEdit[] | undefined;
}

/**
 * Sets the text of the top-level heading at `index` to a title. Every other byte stays, and so do the heading's
 * level, its id and the marks around unchanged text. If the change crosses a footnote's reference, the reference goes
 * to the end and the marks are lost. Undefined if Markdown cannot say such a heading there. O(text).
 */
export function retitle(prose: NewProse, index: number, title: string): Retitled | undefined {
  const wanted = asTitle(title);
  const block = prose.blocks[index];
  if (block === undefined || wanted === "") return undefined;
  const edits = editsTo(leafText(block.node), wanted);
  const ways = [
    () => ({ changed: spliced(prose, block, edits), edits }),
    () => ({ changed: afresh(block, wanted, definitionsOf(prose)), edits: undefined }),
  ];
  for (const way of ways) {
    const found = orRefused(() => {
      const { changed, edits: known } = way();
      const joined = changed && joinBlocks({ head: prose.head, blocks: prose.blocks.with(index, changed) });
      const heading = joined?.blocks[index]?.node;
      if (heading === undefined || headingTitle(heading) !== wanted) return undefined;
      return { prose: { bom: prose.bom, eol: prose.eol, ...joined! }, edits: known }; // it holds the heading
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function orRefused<Found>(find: () => Found | undefined): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

/**
 * Returns the edit between the equal beginning and the equal end; never an empty stretch, because nothing can be
 * spliced there.
 */
function editsTo(before: string, after: string): TextEdit[] {
  const [old, next] = [[...before], [...after]];
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && isSame(old[start], next[start])) start++;
  let end = 0;
  while (end < most - start && isSame(old.at(-1 - end), next.at(-1 - end))) end++;
  if (start + end === old.length) {
    if (start > 0) start--;
    else if (end > 0) end--;
  }
  const from = old.slice(0, start).join("").length;
  const to = old.slice(0, old.length - end).join("").length;
  return [{ from, to, insert: next.slice(start, next.length - end).join("") }];
}

/** True if two characters are equal in a title, where a line end counts as a blank. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === other || (one === "\n" && other === " ");
}

/** Edits the heading in place; undefined if an edit crosses something other than text. */
function spliced(prose: NewProse, block: SourceBlock, edits: readonly TextEdit[]): SourceBlock | undefined {
  const head = `${looseDefinitions(prose).join("\n\n")}\n\n`;
  const { prose: done } = replaceText({ ...prose, head, blocks: [block] }, (texts) => {
    let end = 0;
    return texts.map((text) => {
      const start = end;
      end += text.length;
      const own = edits.filter(({ from, to }) => from >= start && to <= end);
      return own.map((edit) => ({ ...edit, from: edit.from - start, to: edit.to - start }));
    });
  });
  const [changed] = done?.blocks ?? [];
  return changed && { ...block, node: changed.node, source: changed.source };
}

/** Writes the heading anew: the title, then everything in it that is neither text nor a break. */
function afresh(block: SourceBlock, title: string, definitions: string): SourceBlock {
  const rest = (block.node.content ?? []).filter(
    ({ type, text }) => text === undefined && type !== "hard_break",
  );
  const content: DocNode[] = [{ type: "text", text: title }, ...rest];
  const node = { ...block.node, content };
  return { ...block, node, source: writeBlock(node, definitions) };
}
