import { LIMITS } from "../contract/limits.ts";
import { BadRequest } from "../refusals.ts";
import { definitionsOf } from "./definitions.ts";
import { isLeaf, type Leaf, leavesOf, readLeaves } from "./document/leaves.ts";
import { liftMentions } from "./document/marks.ts";
import { tooLongMarkdown } from "./document/room.ts";
import { sameNode } from "./document/same-node.ts";
import { yearsIn } from "./document/text.ts";
import type { DocNode, SourceBlock, SourceChapter } from "./document/types.ts";
import { entryPrefix, isBare, mayTouch, separates, startsBelow } from "./markdown/adjacent-blocks.ts";
import type { Style } from "./markdown/escape.ts";
import { ownMarkdown, readSpellings } from "./markdown/leaf-spelling.ts";
import { normalizeBlocks } from "./markdown/normalize.ts";
import { parseBlocks } from "./markdown/parser.ts";
import { plainParagraph, writeLeaf } from "./markdown/write-leaf.ts";

const STYLES: readonly Style[] = ["bare", "plain", "strict", "full"];
// Attributes of form, not content. The writer may have to choose another sign.
const COSMETIC: ReadonlySet<string> = new Set(["bullet", "delim", "tight", "markup", "fence"]);

/**
 * Writes one top-level block as Markdown, without its line end and mention marks. The result is read back: first with
 * the least escapes, then stricter, then with every punctuation escaped. Throws BadRequest naming the block type if
 * even that reads differently. `definitions` is Markdown with the link reference definitions in scope. `spelt` may
 * return a leaf's spelling, which is used if it reads right. Linear.
 */
export function writeBlock(node: DocNode, definitions = "", spelt?: SpeltAs): string {
  const [settled] = normalizeBlocks([liftMentions(node).node]) as [DocNode];
  return writeSettled(settled, definitions, spelt);
}

/** Returns the spelling of a leaf; undefined for an unknown one. */
export type SpeltAs = (leaf: DocNode) => string | undefined;

/**
 * Writes a whole document as Markdown, block by block, one blank line between and a line end after the last. If two
 * lists would join, the second gets another sign, in its node too. Throws as `writeBlock`.
 */
export function writeChapter(nodes: readonly DocNode[]): SourceBlock[] {
  const settled = normalizeBlocks(nodes);
  for (const [at, node] of settled.entries()) if (at > 0) refuseUnclosed(settled[at - 1] as DocNode, node);
  return settled.map((node, at) => ({
    node,
    source: writeSettled(liftMentions(node).node, ""),
    gap: at === settled.length - 1 ? "\n" : "\n\n",
  }));
}

// Normalized neighbours stay apart but for one case.
function refuseUnclosed(previous: DocNode, next: DocNode): void {
  if (separates(previous, next)) return;
  throw new BadRequest(
    `A ${previous.type} of HTML is not closed, so what follows would become part of it; close it.`,
  );
}

function writeSettled(block: DocNode, definitions: string, spelt?: SpeltAs): string {
  const known = spelt && writeLines(block, (leaf) => spelt(leaf) ?? writeLeaf(leaf, "bare"));
  if (known !== undefined && readsBack(known, block, definitions)) return known;
  const words = plainParagraph(block);
  if (words !== undefined) return words;
  const pretty = writeLines(block, (leaf) => writeLeaf(leaf, "bare"));
  if (readsBack(pretty, block, definitions)) return pretty;
  const mended = writeLines(block, (leaf) => writeLeaf(leaf, styleOf(leaf, definitions)));
  if (readsBack(mended, block, definitions)) return mended;
  const escaped = writeLines(block, (leaf) => writeLeaf(leaf, "full"));
  if (readsBack(escaped, block, definitions)) return escaped;
  throw new BadRequest(
    `A ${block.type} cannot be written as Markdown: it holds ${culpritIn(block, definitions)} that would read as something else there.`,
  );
}

/** Names the content that cannot be written: in the first leaf that fails by itself, else in all of them. */
function culpritIn(block: DocNode, definitions: string): string {
  const leaves = [...leavesOf(block)];
  const broken = leaves.find((leaf) => !readsBack(writeLeaf(leaf, "full"), leaf, definitions));
  const suspects = broken === undefined ? leaves : [broken];
  const holds = (is: (node: DocNode) => boolean): boolean =>
    suspects.some((leaf) => is(leaf) || (leaf.content ?? []).some(is));
  if (holds(({ type, attrs }) => type === "raw_inline" || (type === "raw_block" && attrs?.kind === "html")))
    return "raw HTML";
  if (holds(({ attrs }) => attrs?.kind === "table")) return "a table";
  const isCode = ({ type, marks = [] }: DocNode) =>
    type === "code_block" || marks.some((mark) => mark.type === "code");
  return holds(isCode) ? "code" : "text";
}

function styleOf(leaf: DocNode, definitions: string): Style {
  return STYLES.find((style) => readsBack(writeLeaf(leaf, style), leaf, definitions)) ?? "full";
}

function readsBack(markdown: string, block: DocNode, definitions: string): boolean {
  const { nodes } = parseBlocks(markdown, definitions);
  const [read] = nodes;
  return nodes.length === 1 && read !== undefined && sameNode(read, block, COSMETIC);
}

// Lines written so far, the prefixes of the next line and of those after it, and how leaves are written.
interface Page {
  lines: string[];
  length: number;
  first: string;
  rest: string;
  writeLeaf: (leaf: DocNode) => string;
}

/**
 * Writes a normalized top-level block without its line end. Each line is written once with all its prefixes, in time
 * linear in the output. Throws `PayloadTooLarge` once that is longer than a chapter may be.
 */
function writeLines(block: DocNode, write: Page["writeLeaf"]): string {
  const page: Page = { lines: [], length: 0, first: "", rest: "", writeLeaf: write };
  putBlock(page, block);
  return page.lines.join("\n");
}

function putBlock(page: Page, block: DocNode): void {
  if (isLeaf(block)) putText(page, page.writeLeaf(block));
  else if (block.type === "blockquote") putContainer(page, block, { mark: "> ", indent: "> " });
  else if (block.type === "footnote")
    putContainer(page, block, { mark: `[^${block.attrs?.label}]: `, indent: "    " });
  else putList(page, block);
}

function putList(page: Page, list: DocNode): void {
  const tight = list.attrs?.tight === true;
  for (const [at, entry] of (list.content ?? []).entries()) {
    if (at > 0 && !tight) putText(page, "");
    const mark = entryPrefix(list, at);
    putContainer(page, entry, { mark, indent: " ".repeat(mark.length), tight });
  }
}

// Prefixes of a container's first line and of the others; `tight` without blank lines where possible.
interface Prefix {
  mark: string;
  indent: string;
  tight?: boolean;
}

function putContainer(page: Page, container: DocNode, { mark, indent, tight }: Prefix): void {
  const { rest } = page;
  page.first += mark;
  page.rest += indent;
  const blocks = isBare(container) ? [] : (container.content ?? []);
  if (blocks.length === 0 || startsBelow(container, mark)) putText(page, "");
  for (const [at, block] of blocks.entries()) {
    if (at > 0 && !(tight && mayTouch(blocks[at - 1] as DocNode, block, mark.length))) putText(page, "");
    putBlock(page, block);
  }
  page.first = page.rest = rest;
}

function putText(page: Page, text: string): void {
  for (const line of text.split("\n")) {
    const written = line === "" ? page.first.trimEnd() : page.first + line;
    page.length += written.length + 1;
    if (page.length > LIMITS.markdownBytes + 1) throw tooLongMarkdown();
    page.lines.push(written);
    page.first = page.rest;
  }
}

/** A leaf with its own Markdown, without the marks of lists and quotes around it. */
export interface SpeltLeaf {
  leaf: Leaf;
  /** With its year, if it begins with one. */
  markdown: string;
  /** "1918. ", if Markdown takes that for the number of a list's entry. */
  year: string | undefined;
}

/** Returns every leaf of a chapter's prose in order, with its author's spelling where it can be cut out. O(text). */
export function readLeafTexts(prose: SourceChapter): SpeltLeaf[] {
  const definitions = definitionsOf(prose);
  return prose.blocks.flatMap(({ node, source }) => {
    const spellings = isLeaf(node) ? [] : readSpellings(source);
    const years = yearsIn(node);
    return readLeaves(node).map((leaf, at) => {
      const markdown = isLeaf(node) ? source : ownMarkdown(spellings?.[at]);
      const year = years.get(leaf.node);
      return { leaf, markdown: (year ?? "") + (markdown ?? writeBlock(leaf.node, definitions)), year };
    });
  });
}
