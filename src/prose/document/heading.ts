import { LIMITS } from "../../contract/limits.ts";
import { isTitle } from "../../text/title.ts";
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
