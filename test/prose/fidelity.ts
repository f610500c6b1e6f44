import { isLeaf, mapLeaves, readLeaves } from "../../src/prose/document/leaves.ts";
import type { TextEdit } from "../../src/prose/document/text-edit.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { readPage } from "../../src/prose/markdown/leaf-lines.ts";
import { ownMarkdown, readSpellings } from "../../src/prose/markdown/leaf-spelling.ts";
import { mergeProse } from "../../src/prose/merge.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import type { NewProse, ProsePlan, StoredProse } from "../../src/prose/plan.ts";
import { type NewDocument, planReplace } from "../../src/prose/plan-chapter.ts";
import { planParagraph } from "../../src/prose/plan-paragraph.ts";
import { replaceText } from "../../src/prose/replace-text.ts";
import { editLeaves } from "../../src/prose/rewrite-leaf.ts";
import { BadRequest } from "../../src/refusals.ts";

/** A word that no text has: without it an edited text is the text that it was. */
export const WORD = "Zqx";

const NONE = { mentions: [], snippets: [] };
const UNKNOWN = { foreign: new Set<string>(), former: new Set<string>(), policy: "keep" as const };

/** A chapter as it is stored after a write over `old`. */
export function store(incoming: NewProse | NewDocument, old?: StoredProse): StoredProse {
  let minted = old === undefined ? 0 : 10_000_000;
  const empty: StoredProse = { bom: false, eol: "lf", head: "", blocks: [] };
  const plan = planReplace(old ?? empty, incoming, NONE, { ...UNKNOWN, mintBlock: () => `b_${++minted}` });
  return withRows(plan);
}

function withRows({
  bom,
  eol,
  head,
  blocks,
}: NewProse & { blocks: readonly { row: string | null }[] }): StoredProse {
  const named = (blocks as readonly (StoredProse["blocks"][number] & { row: string | null })[]).map(
    (block, at) => ({
      ...block,
      row: block.row ?? `new${at}`,
    }),
  );
  return { bom, eol, head, blocks: named };
}

const textOf = (prose: NewProse): string => joinMarkdown(prose);

/** A paragraph, heading or code block of a chapter, and how a client of each way sees it. */
export interface Target {
  blockId: string;
  /** The index of its top-level block. */
  block: number;
  node: DocNode;
  /** Its own Markdown, as `map` hands it out. */
  markdown: string;
}

/** The paragraphs and headings with text. */
export function targetsOf(chapter: StoredProse): Target[] {
  return chapter.blocks.flatMap((block, index) => {
    const spellings = isLeaf(block.node) ? [] : readSpellings(block.source);
    return readLeaves(block.node).flatMap(({ node, blockId, text }, at) => {
      const markdown = isLeaf(block.node) ? block.source : ownMarkdown(spellings?.[at]);
      const isText = (node.type === "paragraph" || node.type === "heading") && text.trim() !== "";
      return isText && markdown !== undefined
        ? [{ blockId: String(blockId), block: index, node, markdown: markdown.replace(/\r\n?/g, "\n") }]
        : [];
    });
  });
}

/** Where a word is put: before the first, within one in the middle, or behind the last. */
export type Spot = "start" | "middle" | "end";

/** The document of the chapter with the word put into the text of one leaf, its ids as they are. */
export function withWord(chapter: StoredProse, target: Target, spot: Spot): NewDocument {
  return withLeaf(chapter, target.blockId, (leaf) => insertWord(leaf, spot));
}

/** The document of the chapter with one leaf changed. */
export function withLeaf(
  chapter: StoredProse,
  blockId: string,
  change: (leaf: DocNode) => DocNode,
): NewDocument {
  const nodes = chapter.blocks.map(({ node }) =>
    mapLeaves(node, (leaf) => (leaf.attrs?.blockId === blockId ? change(leaf) : leaf)),
  );
  return { nodes };
}

function insertWord(leaf: DocNode, spot: Spot): DocNode {
  const content = leaf.content ?? [];
  const texts = content.flatMap(({ text }, at) =>
    text === undefined || text.trim() === "" || isAddress(content[at]!) ? [] : [at],
  );
  const at = texts[spot === "start" ? 0 : spot === "end" ? texts.length - 1 : texts.length >> 1] ?? 0;
  const changed = content.map((child, index) => {
    if (index !== at || child.text === undefined) return child;
    const { text } = child;
    if (spot === "start") return { ...child, text: WORD + text };
    if (spot === "end") return { ...child, text: text.trimEnd() + WORD + text.slice(text.trimEnd().length) };
    const letters = [...text.matchAll(/(?<=\p{L})(?=\p{L})/gu)];
    const middle = letters[letters.length >> 1]?.index ?? text.length;
    return { ...child, text: text.slice(0, middle) + WORD + text.slice(middle) };
  });
  return { ...leaf, content: changed };
}

/** A link that is its own address cannot keep its spelling with another text. */
function isAddress({ text, marks = [] }: DocNode): boolean {
  return marks.some(({ attrs }) => attrs?.href === text || attrs?.href === `mailto:${text}`);
}

/** What PUT of a document leaves of the chapter. */
export function byDocument(chapter: StoredProse, document: NewDocument): string {
  return textOf(store(document, chapter));
}

/** The plan of a PATCH, made of the blocks next to the paragraph as the service gives them. */
export function paragraphPlan(chapter: StoredProse, target: Target, markdown: string): ProsePlan {
  const { blocks } = chapter;
  const { blockId, block: at } = target;
  const [before, after] = [blocks.slice(Math.max(at - 1, 0), at), blocks.slice(at + 1, at + 2)];
  const further = {
    definingBefore: blocks.slice(0, Math.max(at - 1, 0)),
    definingAfter: blocks.slice(at + 2),
  };
  const around = { before, after, isStart: at <= 1, ...further };
  return planParagraph(chapter, { block: blocks[at]!, blockId, markdown, mentions: [], ...around });
}

/** What PATCH of a paragraph leaves of the chapter. */
export function byParagraph(chapter: StoredProse, target: Target, markdown: string): string {
  const block = chapter.blocks[target.block]!;
  const [before, after] = [chapter.blocks.slice(0, target.block), chapter.blocks.slice(target.block + 1)];
  const around = { before, after, isStart: true, definingBefore: [], definingAfter: [] };
  const plan = planParagraph(chapter, { block, blockId: target.blockId, markdown, mentions: [], ...around });
  const written = new Map(plan.blocks.map((one) => [one.row, one]));
  return textOf({ ...chapter, blocks: chapter.blocks.map((one) => written.get(one.row) ?? one) });
}

/** What `map` leaves of the chapter when the filter answers this for some paragraphs. */
export function byMap(chapter: StoredProse, texts: ReadonlyMap<string, string>): string {
  const exact = new Map([...texts].map(([id, markdown]) => [id, { markdown, isExact: true }]));
  return textOf(store(editLeaves(chapter, exact), chapter));
}

/** What `replace` leaves that puts the word behind every word of the choice; without one that takes it off again. */
export function byReplace(chapter: StoredProse, isChosen?: (index: number) => boolean): string {
  let index = 0;
  const edit = ({ index: from, 0: word }: RegExpMatchArray & { index: number }): TextEdit[] => {
    const insert = isChosen === undefined ? word.replaceAll(WORD, "") : word + WORD;
    return insert !== word && (isChosen === undefined || isChosen(index++))
      ? [{ from, to: from + word.length, insert }]
      : [];
  };
  const find = (texts: readonly string[]) =>
    texts.map((text) => [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(edit));
  const { prose } = replaceText(chapter, find);
  return textOf(prose === undefined ? chapter : store(prose, chapter));
}

/** What an import leaves of the chapter, when the file and the chapter have changed since both were `base`. */
export function byImport(base: StoredProse, file: string, chapter: StoredProse): string {
  const merged = mergeProse(base, parseMarkdown(file), chapter);
  return "prose" in merged ? textOf(merged.prose) : "conflict";
}

/** The text without the word. */
export function withoutWord(text: string): string {
  return text.replaceAll(WORD, "");
}

/** Whether all lines but those of one leaf are as they were; leaves are counted over the whole chapter. */
export function sameOutside(before: string, after: string, leaf: number): boolean {
  const { first, last } = readPage(before.replace(/\r\n?/g, "\n")).leaves[leaf]!; // counted there
  const lines = before.split(/(?<=\n)|(?<=\r)(?!\n)/);
  const [start, end] = [lines.slice(0, first).join(""), lines.slice(Math.max(first, last) + 1).join("")];
  return after.startsWith(start) && after.endsWith(end) && after.length >= start.length + end.length;
}

/** What `run` answers, or what it is refused with. */
export function tried(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof BadRequest) return `refused: ${error.message}`;
    throw error;
  }
}
