import type { DocNode } from "./document/types.ts";
import { parseBlocks } from "./markdown/parser.ts";

/**
 * Reads Markdown that was pasted into a text into top-level blocks; every `blockId` is null. Where no line is empty, each line but
 * those of lists and quotations is a paragraph. Runs in a browser. Throws as `parseMarkdown`.
 */
export function readPasted(markdown: string): DocNode[] {
  const lines = markdown.replace(/\r\n?/g, "\n").trim();
  const isSpaced = /\n[ \t]*\n/.test(lines);
  return parseBlocks(isSpaced ? lines : lines.replace(/\n(?![ \t]*(?:[-+*>]|\d+[.)])[ \t])/g, "\n\n")).nodes;
}
