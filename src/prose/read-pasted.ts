import type { DocNode } from "./document/types.ts";
import { parseBlocks } from "./markdown/parser.ts";

/** A noncharacter of Unicode that stands for a star while the text is parsed. */
const STAR = "\ufdd0";

/**
 * Reads Markdown that was pasted into a text into top-level blocks; every `blockId` is null. Where no line is empty, each line but
 * those of lists and quotations is a paragraph. A star between letters or digits is itself, as in 3*4*5. Runs in a browser. Throws
 * as `parseMarkdown`.
 */
export function readPasted(markdown: string): DocNode[] {
  const lines = markdown
    .replace(/\r\n?/g, "\n")
    .trim()
    .replace(/(?<=[\p{L}\p{N}])\*+(?=[\p{L}\p{N}])/gu, (stars) => STAR.repeat(stars.length));
  const isSpaced = /\n[ \t]*\n/.test(lines);
  const { nodes } = parseBlocks(
    isSpaced ? lines : lines.replace(/\n(?![ \t]*(?:[-+*>]|\d+[.)])[ \t])/g, "\n\n"),
  );
  return JSON.parse(JSON.stringify(nodes).replaceAll(STAR, "*"));
}
