import { closingLine } from "../../prose/markdown/rules/front-matter.ts";
import { blockEnd, linesOf } from "./front-block.ts";

/** A file's text, taken apart; joined in this order it is the file again. */
export interface SplitText {
  /** Whether the file begins with a byte order mark. */
  bom: boolean;
  /** The YAML block before the prose, verbatim with its fences and the blank lines after it; "" for none. */
  frontMatter: string;
  /** The prose. */
  body: string;
}

/** The mark that a text file may begin with. */
const BOM = "\ufeff";

/** Takes a file's text apart. What counts as front matter is what prose calls so: scene breaks around prose do not. */
export function splitFrontMatter(text: string): SplitText {
  const bom = text.startsWith(BOM);
  const rest = bom ? text.slice(1) : text;
  let end = blockEnd(rest);
  if (end === undefined || !isFrontMatter(rest.slice(0, end))) return { bom, frontMatter: "", body: rest };
  for (const line of linesOf(rest, end)) {
    if (line.text.trim() !== "" || !line.isEnded) break;
    end = line.to;
  }
  return { bom, frontMatter: rest.slice(0, end), body: rest.slice(end) };
}

/** Whether a block that ends with its closing fence is front matter to those who read prose, too. */
function isFrontMatter(block: string): boolean {
  const lines = block.split(/\r\n|\r|\n/);
  return closingLine((line) => lines[line] ?? "", lines.length) !== undefined;
}
