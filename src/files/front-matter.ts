import { parseMarkdown } from "../prose/parse.ts";

/** A file's text, taken apart; joined in this order it is the file again. */
export interface SplitText {
  /** Whether the file begins with a byte order mark. */
  bom: boolean;
  /** The YAML block before the prose, verbatim with its fences and the blank lines after it; "" for none. */
  frontMatter: string;
  /** The prose. */
  body: string;
}

const BOM = "\ufeff";
const BLOCK = /^---[ \t]*(?:\r\n?|\n)(?:.*(?:\r\n?|\n))*?(?:---|\.\.\.)[ \t]*(?:(?:\r\n?|\n)|$)/;
const BLANK_LINES = /^(?:[ \t]*(?:\r\n?|\n))*/;

/** Takes a file's text apart. What counts as front matter is what prose calls so: scene breaks around prose do not. */
export function splitFrontMatter(text: string): SplitText {
  const bom = text.startsWith(BOM);
  const rest = bom ? text.slice(1) : text;
  const block = BLOCK.exec(rest)?.[0];
  if (block === undefined || !isFrontMatter(block)) return { bom, frontMatter: "", body: rest };
  const behind = rest.slice(block.length);
  const blank = BLANK_LINES.exec(behind)?.[0] ?? "";
  return { bom, frontMatter: block + blank, body: behind.slice(blank.length) };
}

function isFrontMatter(block: string): boolean {
  const { blocks } = parseMarkdown(block);
  return blocks.length === 1 && blocks[0]?.node.attrs?.kind === "front_matter";
}

/** The YAML between the fences of a block, and what stands before and after it; line ends as `\n`. */
export function openBlock(frontMatter: string): { fence: string; yaml: string; rest: string } {
  const lines = frontMatter.replace(/\r\n?/g, "\n").split("\n");
  const close = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return {
    fence: `${lines[0]}\n`,
    yaml: lines.slice(1, close).map((line) => `${line}\n`).join(""),
    rest: lines.slice(close).join("\n"),
  };
}
