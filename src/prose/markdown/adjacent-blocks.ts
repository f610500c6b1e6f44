import { isLeaf, isList, leafText } from "../document/leaves.ts";
import type { DocNode } from "../document/types.ts";
import { parseBlocks } from "./parser.ts";

// Comments, <script>, <?…?> and the like end at their own sign; all other HTML ends at a blank line.
const SELF_ENDING = /^ {0,3}<(?:!--|\?|![A-Za-z]|!\[CDATA\[|(?:script|pre|style|textarea)(?:[\s>]|$))/i;

/**
 * True if two neighbours stay two blocks with one blank line between them. Exceptions: lists of the same kind and
 * sign, a raw block that would slip into the list before it, and anything behind unclosed HTML.
 */
export function separates(previous: DocNode, next: DocNode): boolean {
  if (previous.type === "bullet_list" && next.type === "bullet_list") {
    return previous.attrs?.bullet !== next.attrs?.bullet;
  }
  if (previous.type === "ordered_list" && next.type === "ordered_list") {
    return previous.attrs?.delim !== next.attrs?.delim;
  }
  if (next.type === "raw_block" && isList(previous)) return !slipsInto(previous, next);
  return !isUnclosedHtml(previous);
}

/**
 * True if two neighbours in a list entry stay two blocks with a single line end between them, so that a tight list
 * may hold them: `next` can interrupt everything still open at the end of `previous`. `width` is that of the entry's
 * prefix, "- " or "10. ".
 */
export function mayTouch(previous: DocNode, next: DocNode, width: number): boolean {
  if (!separates(previous, next)) return false;
  if (previous.type === "blockquote" && next.type === "blockquote") return false;
  if (previous.type === "raw_block") return endsHtml(previous) || endsTable(previous, next);
  // Under a wide prefix markdown-it takes a list behind a footnote's paragraph for more of it.
  if (previous.type === "footnote" && isList(next) && width >= 4) return !isOpen(previous);
  return !isOpen(previous) || interrupts(next, previous);
}

// True if a following line would continue its last paragraph. An empty entry has none.
function isOpen(block: DocNode): boolean {
  if (block.type === "paragraph" || block.type === "raw_block") return true;
  const last = isLeaf(block) || isBare(block) ? undefined : block.content?.at(-1);
  return last !== undefined && isOpen(last);
}

function interrupts(next: DocNode, previous: DocNode): boolean {
  switch (next.type) {
    case "heading":
      return !isSetext(next);
    case "scene_break":
      return previous.type !== "paragraph" || next.attrs?.markup?.toString().startsWith("-") !== true;
    case "bullet_list":
    case "ordered_list":
      return previous.type !== "paragraph" || (!startsEmpty(next) && (next.attrs?.order ?? 1) === 1);
    case "raw_block":
      return interruptsRaw(next, previous);
    case "paragraph":
      return false;
    default:
      return true;
  }
}

// Some HTML may interrupt a paragraph and some may not; the parser knows.
function interruptsRaw(raw: DocNode, previous: DocNode): boolean {
  const before = { paragraph: "x", blockquote: "> x", bullet_list: "- x", ordered_list: "1. x" }[
    previous.type
  ];
  return before !== undefined && parseBlocks(`${before}\n${raw.content?.[0]?.text ?? ""}`).nodes.length === 2;
}

/** True if the heading is written over several lines and underlined. Levels 1 and 2 only. */
export function isSetext(heading: DocNode): boolean {
  if ((heading.attrs?.level as number) > 2) return false;
  return (heading.content ?? []).some(
    (child) => child.type === "hard_break" || child.text?.includes("\n") || hasLineEnd(child),
  );
}

/** True if the node is a tag or comment over several lines. */
export function hasLineEnd(child: DocNode): boolean {
  return child.type === "raw_inline" && String(child.attrs?.text).includes("\n");
}

/** True if the block holds only one empty paragraph: the prefix of its container stands alone. */
export function isBare(container: DocNode): boolean {
  const [first, second] = container.content ?? [];
  return second === undefined && first?.type === "paragraph" && (first.content ?? []).length === 0;
}

/**
 * True if a container's content has to start on the line below this prefix: a raw block whose blanks would count to
 * the prefix, a scene break that would absorb the mark as in "- ---", a table whose first cell would begin with the
 * mark.
 */
export function startsBelow(container: DocNode, mark: string): boolean {
  const first = container.content?.[0];
  if (first?.type === "scene_break") return String(first.attrs?.markup).startsWith(mark.charAt(0));
  if (container.type === "blockquote" || first?.type !== "raw_block") return false;
  return leadingBlanks(first) > 0 || (first.attrs?.kind === "table" && !leafText(first).startsWith("|"));
}

/** Returns the prefix of an entry with the blank behind it: "- ", "10. ", a year's "1918. ". Nine digits at most. */
export function entryPrefix(list: DocNode, at: number): string {
  if (list.type === "bullet_list") return `${list.attrs?.bullet} `;
  const own = list.content?.[at]?.attrs?.value as number | undefined;
  const number = own ?? Math.min((list.attrs?.order as number) + at, 999_999_999);
  return `${number}${list.attrs?.delim} `;
}

/** True if a raw block behind a list is indented as far as its last entry's content, and so would join it. */
export function slipsInto(list: DocNode, raw: DocNode): boolean {
  return leadingBlanks(raw) >= entryPrefix(list, (list.content ?? []).length - 1).length;
}

function leadingBlanks(raw: DocNode): number {
  const text = raw.content?.[0]?.text ?? "";
  return text.length - text.replace(/^[ \t]+/, "").length;
}

function startsEmpty(list: DocNode): boolean {
  const first = list.content?.[0];
  return first === undefined || isBare(first) || startsBelow(first, entryPrefix(list, 0));
}

function endsHtml(raw: DocNode): boolean {
  return raw.attrs?.kind === "html" && SELF_ENDING.test(raw.content?.[0]?.text ?? "");
}

function endsTable(raw: DocNode, next: DocNode): boolean {
  if (raw.attrs?.kind !== "table") return false;
  return next.type !== "paragraph" && next.type !== "raw_block" && interrupts(next, raw);
}

function isUnclosedHtml(raw: DocNode): boolean {
  if (raw.type !== "raw_block" || raw.attrs?.kind !== "html") return false;
  const text = (raw.content?.[0]?.text ?? "").trimStart();
  if (text.startsWith("<!--")) return !text.includes("-->");
  if (text.startsWith("<?")) return !text.includes("?>");
  if (text.startsWith("<![CDATA[")) return !text.includes("]]>");
  if (/^<![A-Za-z]/.test(text)) return !text.includes(">");
  return SELF_ENDING.test(text) && !/<\/(?:script|pre|style|textarea)>/i.test(text);
}
