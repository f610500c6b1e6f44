import type { DocNode } from "../document/types.ts";
import {
  entryPrefix,
  hasLineEnd,
  isBare,
  isList,
  mayTouch,
  separates,
  slipsInto,
  startsBelow,
} from "./adjacent-blocks.ts";

/**
 * Neighbouring blocks in the form in which Markdown can say them: lists of one kind next to each other get different
 * marks, a list is tight or loose as its content allows, a fence is longer than any in its code. What Markdown was parsed
 * to stays as it is; unchanged nodes are shared. O(nodes).
 */
export function normalizeBlocks(blocks: readonly DocNode[]): DocNode[] {
  return settleSiblings(blocks, false);
}

function settleSiblings(blocks: readonly DocNode[], nested: boolean): DocNode[] {
  const settled: DocNode[] = [];
  for (const block of blocks) settled.push(settleBlock(block, settled.at(-1), nested));
  return settled;
}

function settleBlock(block: DocNode, previous: DocNode | undefined, nested: boolean): DocNode {
  switch (block.type) {
    case "bullet_list":
    case "ordered_list":
      return settleList(block, previous);
    case "blockquote":
    case "footnote":
      return withContent(block, settleSiblings(block.content ?? [], true));
    case "code_block":
      return withAttribute(block, "fence", settleFence(block, nested));
    case "heading":
      return settleHeading(block);
    case "raw_block":
      return settleRaw(block, previous);
    default:
      return block;
  }
}

function settleList(list: DocNode, previous: DocNode | undefined): DocNode {
  const marked = list.type === "bullet_list" ? settleBullet(list, previous) : settleDelim(list, previous);
  const entries = (list.content ?? []).map((entry) =>
    withContent(entry, settleSiblings(entry.content ?? [], true)),
  );
  const settled = withContent(marked, entries);
  return withAttribute(settled, "tight", tightnessOf(settled));
}

function settleDelim(list: DocNode, previous: DocNode | undefined): DocNode {
  if (!previous || separates(previous, list)) return list;
  return withAttribute(list, "delim", list.attrs?.delim === "." ? ")" : ".");
}

// Its own bullet or the next that neither runs into the list before it nor makes a scene break of "* * *", an empty list
// in a list in a list. "+" makes none.
function settleBullet(list: DocNode, previous: DocNode | undefined): DocNode {
  const breaks = (bullet: unknown): boolean =>
    bullet !== "+" && (list.content ?? []).some((entry) => bareDepth(entry, bullet) >= 3);
  const choices = [list.attrs?.bullet, "-", "*", "+"].filter((bullet) => bullet !== previous?.attrs?.bullet);
  return withAttribute(list, "bullet", choices.find((bullet) => !breaks(bullet)) ?? choices[0]);
}

// How many lists of one bullet open on an entry's first line, if nothing else stands on it; else 0.
function bareDepth(entry: DocNode, bullet: unknown): number {
  if (isBare(entry) || startsBelow(entry, String(bullet))) return 1;
  const inner = entry.content?.[0];
  const first =
    inner?.type === "bullet_list" && inner.attrs?.bullet === bullet ? inner.content?.[0] : undefined;
  const depth = first ? bareDepth(first, bullet) : 0;
  return depth === 0 ? 0 : depth + 1;
}

// Tight needs blocks that may touch; loose needs two blocks with a blank line between them.
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
function settleFence(block: DocNode, nested: boolean): string {
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
function settleRaw(block: DocNode, previous: DocNode | undefined): DocNode {
  const slips = previous !== undefined && isList(previous) && slipsInto(previous, block);
  const [first] = block.content ?? [];
  if (!slips || first?.text === undefined) return block;
  return { ...block, content: [{ ...first, text: first.text.trimStart() }] };
}

// A heading of level 3 or deeper is one line of Markdown, so a comment in it must be too.
function settleHeading(block: DocNode): DocNode {
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
