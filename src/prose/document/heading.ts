import { LIMITS } from "../../contract/limits.ts";
import type { DocNode } from "./types.ts";

/** A top-level heading that names something: a lone `#` and a line of tags do not. */
export interface Heading {
  blockId: string | null;
  /** Its place among the top-level blocks, from 0. */
  index: number;
  /** Its text as a chapter's title. */
  title: string;
}

/** The top-level headings that name something, or say `named` all the same, in document order. O(headings). */
export function listHeadings(nodes: readonly DocNode[], named?: string): Heading[] {
  return nodes.flatMap((node, index) => {
    const title = node.type === "heading" ? headingTitle(node) : "";
    const names = isTitle(title) || (title !== "" && title === named);
    return names ? [{ blockId: (node.attrs?.blockId ?? null) as string | null, index, title }] : [];
  });
}

/** A heading's text as a title: without marks, footnotes and pictures, a break as a blank, at most 500 characters. */
export function headingTitle({ content = [] }: DocNode): string {
  return asTitle(content.map(({ type, text }) => text ?? (type === "hard_break" ? " " : "")).join(""));
}

/** Text on one line, without blanks at its ends, at most as long as a title may be. */
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
