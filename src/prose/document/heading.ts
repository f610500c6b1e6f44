import { LIMITS } from "../../contract/limits.ts";
import type { DocNode } from "./types.ts";

/** A top-level heading with a title. A lone `#` and a line of tags have none. */
export interface Heading {
  blockId: string | null;
  /** Its index among the top-level blocks. */
  index: number;
  /** Its text as a chapter's title. */
  title: string;
}

/** Lists top-level headings with a title, or with the text `named`, in document order. O(headings). */
export function listHeadings(nodes: readonly DocNode[], named?: string): Heading[] {
  return nodes.flatMap((node, index) => {
    const title = node.type === "heading" ? headingTitle(node) : "";
    const names = isTitle(title) || (title !== "" && title === named);
    return names ? [{ blockId: (node.attrs?.blockId ?? null) as string | null, index, title }] : [];
  });
}

/**
 * Returns a heading's text as a title: without marks, footnotes and pictures, breaks as blanks, at most 500
 * characters.
 */
export function headingTitle({ content = [] }: DocNode): string {
  return asTitle(content.map(({ type, text }) => text ?? (type === "hard_break" ? " " : "")).join(""));
}

/** True if a chapter's first block is the heading with its title; otherwise readers need both. */
export function isHeadingOf(first: DocNode, title: string): boolean {
  return first.type === "heading" && (first.attrs?.level === 1 || headingTitle(first) === title);
}

/** Returns text on one line, trimmed, cut to the limit of a title. */
export function asTitle(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, LIMITS.titleCharacters).toWellFormed().trim();
}

// Signs of a scene break in place of a title: "#", "# # #", "***", "⁂", "~".
const BREAK = /[\s#*~⁂•·_.–—-]+/gu;
// Tags as in notes: "#draft #sea/ferry". A number is no tag: "#1" may be a title.
const TAGS = /^(?:#(?=[^\s#]*[\p{L}_])[\p{L}\p{M}\p{N}_/-]+\s*)+$/u;

/** True if a heading's text is a title: not empty, no scene break, not only tags. */
export function isTitle(text: string): boolean {
  return text.replace(BREAK, "") !== "" && !isTags(text);
}

/** True if a text holds only tags: `#draft #sea/ferry`. */
export function isTags(text: string): boolean {
  return TAGS.test(text.trim());
}
