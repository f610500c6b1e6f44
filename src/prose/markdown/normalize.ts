import { isList } from "../document/leaves.ts";
import { settleYears } from "../document/text.ts";
import type { DocNode } from "../document/types.ts";
import {
  entryPrefix,
  hasLineEnd,
  isBare,
  mayTouch,
  separates,
  slipsInto,
  startsBelow,
} from "./adjacent-blocks.ts";

/**
 * Returns blocks in a form that Markdown can express: neighbouring lists of one kind get different signs, a list is
 * tight or loose as its content allows, a fence is longer than any in its code. Blocks parsed from Markdown stay as
 * they are; unchanged nodes are shared. O(nodes).
 */
export function normalizeBlocks(blocks: readonly DocNode[]): DocNode[] {
  return normalizeSiblings(blocks, false);
}

function normalizeSiblings(blocks: readonly DocNode[], nested: boolean): DocNode[] {
  const normal: DocNode[] = [];
  for (const block of blocks) normal.push(normalizeBlock(block, normal.at(-1), nested));
  return normal;
}

function normalizeBlock(block: DocNode, previous: DocNode | undefined, nested: boolean): DocNode {
  switch (block.type) {
    case "bullet_list":
    case "ordered_list":
      return normalizeList(block, previous);
    case "blockquote":
    case "footnote":
      return withContent(block, normalizeSiblings(block.content ?? [], true));
    case "code_block":
      return withAttribute(block, "fence", fenceOf(block, nested));
    case "heading":
      return normalizeHeading(block);
    case "raw_block":
      return normalizeRaw(block, previous);
    default:
      return block;
  }
}

function normalizeList(list: DocNode, previous: DocNode | undefined): DocNode {
  const marked = list.type === "bullet_list" ? bulletBehind(list, previous) : delimBehind(list, previous);
  const entries = (list.content ?? []).map((entry) =>
    withContent(entry, normalizeSiblings(entry.content ?? [], true)),
  );
  const normal = settleYears(withContent(marked, entries));
  return withAttribute(normal, "tight", tightnessOf(normal));
}

/**
 * Returns the list with another sign than the lists on either side of it, so that all stay apart; the same object if
 * it has one already, or there is no other.
 */
export function partedList(list: DocNode, sides: readonly (DocNode | undefined)[]): DocNode {
  if (!isList(list)) return list;
  const name = list.type === "bullet_list" ? "bullet" : "delim";
  const taken = sides.flatMap((side) => (side?.type === list.type ? [side.attrs?.[name]] : []));
  if (!taken.includes(list.attrs?.[name])) return list;
  const free = (name === "bullet" ? BULLETS : [".", ")"]).find((sign) => !taken.includes(sign));
  return free === undefined ? list : withAttribute(list, name, free);
}

const BULLETS = ["-", "*", "+"];

function delimBehind(list: DocNode, previous: DocNode | undefined): DocNode {
  if (!previous || separates(previous, list)) return list;
  return withAttribute(list, "delim", list.attrs?.delim === "." ? ")" : ".");
}

// Returns its own bullet, or the next that neither joins the list before it nor makes a scene break such as "* * *"
// of empty nested lists. "+" makes none.
function bulletBehind(list: DocNode, previous: DocNode | undefined): DocNode {
  const breaks = (bullet: unknown): boolean =>
    bullet !== "+" && (list.content ?? []).some((entry) => bareDepth(entry, bullet) >= 3);
  const choices = [list.attrs?.bullet, ...BULLETS].filter((bullet) => bullet !== previous?.attrs?.bullet);
  return withAttribute(list, "bullet", choices.find((bullet) => !breaks(bullet)) ?? choices[0]);
}

// Counts the lists of one bullet that open on an entry's first line, if nothing else stands on it; else 0.
function bareDepth(entry: DocNode, bullet: unknown): number {
  if (isBare(entry) || startsBelow(entry, String(bullet))) return 1;
  const inner = entry.content?.[0];
  const first =
    inner?.type === "bullet_list" && inner.attrs?.bullet === bullet ? inner.content?.[0] : undefined;
  const depth = first ? bareDepth(first, bullet) : 0;
  return depth === 0 ? 0 : depth + 1;
}

// True if a list is tight. Tight needs blocks that may touch; loose needs two blocks with a blank line between them.
function tightnessOf(list: DocNode): boolean {
  const entries = list.content ?? [];
  if (list.attrs?.tight === false) {
    return entries.length < 2 && entries.every((entry) => (entry.content ?? []).length < 2);
  }
  return entries.every((entry, number) => {
    const blocks = entry.content ?? [];
    const { length } = entryPrefix(list, number);
    return blocks.every((block, at) => at === 0 || mayTouch(blocks[at - 1] as DocNode, block, length));
  });
}

// Behind the prefix of a list or quote a tab may be narrower than the four columns that keep a fence from closing.
function fenceOf(block: DocNode, nested: boolean): string {
  const fence = (block.attrs?.fence as string | undefined) ?? "```";
  const params = (block.attrs?.params as string | undefined) ?? "";
  const mark = fence.startsWith("`") && params.includes("`") ? "~" : fence.charAt(0);
  const indent = nested ? "(?: {0,3}|[ \\t]*\\t[ \\t]*)" : " {0,3}";
  const closing = new RegExp(`^${indent}(${mark}{3,})[ \\t]*$`, "gm");
  let length = fence.length;
  for (const line of (block.content?.[0]?.text ?? "").matchAll(closing)) {
    length = Math.max(length, (line[1] as string).length + 1);
  }
  return mark.repeat(length);
}

// Behind a list, a raw block that is indented as far as the list's content would be read as part of it.
function normalizeRaw(block: DocNode, previous: DocNode | undefined): DocNode {
  const slips = previous !== undefined && isList(previous) && slipsInto(previous, block);
  const [first] = block.content ?? [];
  if (!slips || first?.text === undefined) return block;
  return { ...block, content: [{ ...first, text: first.text.trimStart() }] };
}

// A heading of level 3 or deeper is one line of Markdown, so a comment in it must be too.
function normalizeHeading(block: DocNode): DocNode {
  if ((block.attrs?.level as number) <= 2 || !block.content?.some(hasLineEnd)) return block;
  const content = block.content.map((child) =>
    hasLineEnd(child) ? withAttribute(child, "text", String(child.attrs?.text).replaceAll("\n", " ")) : child,
  );
  return { ...block, content };
}

function withContent(node: DocNode, content: DocNode[]): DocNode {
  const same = content.every((child, at) => child === node.content?.[at]);
  return same ? node : { ...node, content };
}

function withAttribute(node: DocNode, name: string, value: unknown): DocNode {
  return node.attrs?.[name] === value ? node : { ...node, attrs: { ...node.attrs, [name]: value } };
}
