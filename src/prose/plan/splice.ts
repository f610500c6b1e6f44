import { isLeaf, leavesOf } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { TextEdit } from "../document/text-edit.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { indentOf, type LeafSpelling, readSpellings } from "../markdown/leaf-spelling.ts";
import { normalizeBlocks } from "../markdown/normalize.ts";
import { readsAs } from "../parse.ts";
import { type SpeltAs, writeBlock } from "../write.ts";
import { reframe } from "./reframe.ts";
import { spliceInline } from "./splice-inline.ts";

const EMPTY = "&nbsp;";

/** Knowledge of a leaf besides its new content, by its index in the block. */
export interface Wishes {
  /** Its Markdown as it was sent. */
  sent?: ReadonlyMap<number, string>;
  /** Edits of its text. */
  edits?: ReadonlyMap<number, readonly TextEdit[]>;
  /** Returns the spelling of leaves from elsewhere. */
  spelt?: SpeltAs | undefined;
}

/**
 * Returns a block in its new form with its Markdown, made from the present one as far as possible, else newly
 * written. Throws `BadRequest` if Markdown cannot say it.
 */
export function rewriteBlock(
  block: Pick<SourceBlock, "node" | "source"> | undefined,
  node: DocNode,
  definitions: string,
  wishes: Wishes = {},
): Pick<SourceBlock, "node" | "source"> {
  const respelt = block && respell(block, node, definitions, wishes);
  if (respelt !== undefined) return { node, source: respelt };
  const fresh = writeBlock(node, definitions, wishes.spelt);
  const reframed = block && reframe(block, { node, fresh }, definitions);
  return { node: reframed === undefined ? normalizeBlocks([node])[0]! : node, source: reframed ?? fresh }; // one in, one out
}

/**
 * Returns Markdown that reads as `node`, made from the block's present Markdown by changing only the letters that
 * differ. Undefined if it does not read as `node`, or if blocks came, went or changed their kind. Linear.
 */
function respell(
  { node: old, source }: Pick<SourceBlock, "node" | "source">,
  node: DocNode,
  definitions: string,
  { sent, edits, spelt }: Wishes,
): string | undefined {
  if (!sameFrame(old, node)) return undefined;
  const [before, after] = [leavesOf(old), leavesOf(node)];
  const spellings = readSpellings(source);
  if (spellings?.length !== before.length) return undefined;
  const changes: Change[] = [];
  for (const [at, next] of after.entries()) {
    const markdown = sent?.get(at);
    if (markdown === undefined && sameNode(before[at]!, next)) continue; // one frame, as many leaves
    const spelling = spellings[at]!; // as many, see above
    const leaf = { old: before[at]!, next, edits: edits?.get(at) };
    const isOther = leaf.old.attrs?.blockId !== next.attrs?.blockId;
    const known = markdown ?? (isOther ? spelt?.(next) : undefined);
    changes.push({ spelling, spelt: spellLeaf(spelling, leaf, definitions, known) });
  }
  const lines = source.split("\n");
  return [false, true]
    .map((isAligned) => exchangeLines(lines, changes, isAligned))
    .find((text) => readsAs(text, node, definitions));
}

/** True if two blocks hold the same lists, quotes and entries, with equally many leaves in each. */
function sameFrame(one: DocNode, other: DocNode): boolean {
  if (isLeaf(one) || isLeaf(other)) return isLeaf(one) && isLeaf(other);
  const [content, others] = [one.content ?? [], other.content ?? []];
  const isSame =
    content.length === others.length && sameNode({ ...one, content: [] }, { ...other, content: [] });
  return isSame && content.every((child, at) => sameFrame(child, others[at]!)); // as many
}

/** A leaf's new Markdown: between `open` and `close`, or instead of all of it. */
interface Spelt {
  isInline: boolean;
  markdown: string;
}

interface Change {
  spelling: LeafSpelling;
  spelt: Spelt;
}

function spellLeaf(
  spelling: LeafSpelling,
  change: Parameters<typeof spliceInline>[1],
  definitions: string,
  sent: string | undefined,
): Spelt {
  const { inline, isTop, before, close } = spelling;
  const { old, next } = change;
  const open = isTop ? (before[0] ?? "") : spelling.open; // a tab there may make text of a mark
  const isSound = (markdown: string) => readsAs(open + markdown + close, next, definitions);
  const within = (markdown: string): Spelt => ({ isInline: true, markdown });
  const isOfKind = inline !== undefined && old.type === next.type;
  if (isOfKind && sent !== undefined && isSound(sent)) return within(sent);
  if (sent !== undefined && readsAs(sent, next, definitions)) return { isInline: false, markdown: sent };
  if (isOfKind) {
    for (const markdown of spliceInline(inline, change, definitions))
      if (isSound(markdown)) return within(markdown);
  }
  const markdown = writeBlock(next, definitions);
  return { isInline: isOfKind && next.type === "paragraph", markdown };
}

/**
 * Returns the lines with those of the changed leaves replaced; `isAligned` gives each of them its full indentation.
 */
function exchangeLines(lines: readonly string[], changes: readonly Change[], isAligned: boolean): string {
  const done: (readonly string[])[] = [];
  let at = 0;
  for (const { spelling, spelt } of changes) {
    done.push(lines.slice(at, spelling.first));
    if (spelt.isInline) {
      done.push(inlineLines(spelling, spelt.markdown, isAligned));
      at = spelling.textEnd + 1;
    } else {
      done.push(wholeLines(spelling, spelt.markdown, lines[spelling.last]!)); // its own line
      at = spelling.last + 1;
    }
  }
  return [...done, lines.slice(at)].flat().join("\n");
}

function inlineLines(spelling: LeafSpelling, markdown: string, isAligned: boolean): string[] {
  const { isTop, before, behind } = spelling;
  const [first, end] = [before[0]!, behind.at(-1)!]; // a line at least
  // An empty paragraph is only its mark where possible.
  if (markdown === EMPTY && !isTop && !isAligned) return [first.trimEnd() + end];
  const texts = markdown.split("\n");
  const more = isAligned || before.length < 2 ? (isTop ? "" : indentOf(first)) : before.at(-1)!; // checked
  return texts.map((text, index) => {
    const prefix = index === 0 ? first : isAligned ? more : (before[index] ?? more);
    return prefix + text + (index === texts.length - 1 ? end : lineEndOf(behind[index] ?? behind[0]!)); // as above
  });
}

function wholeLines({ isTop, mark }: LeafSpelling, markdown: string, last: string): string[] {
  const first = isTop ? "" : mark;
  const indent = indentOf(first);
  const texts = markdown.split("\n");
  return texts.map((text, index) => {
    const line = text === "" ? indent.trimEnd() : (index === 0 ? first : indent) + text;
    return index === texts.length - 1 && last.endsWith("\r") ? `${line}\r` : line;
  });
}

/** Returns the carriage return of a line, in a chapter with both kinds of line end. */
function lineEndOf(behind: string): string {
  return behind.endsWith("\r") ? "\r" : "";
}
