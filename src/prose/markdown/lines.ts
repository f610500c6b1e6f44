import { isLeaf } from "../document/leaves.ts";
import type { DocNode } from "../document/types.ts";
import { entryPrefix, isBare, mayTouch, startsBelow } from "./adjacent-blocks.ts";
import type { Style } from "./escape.ts";
import { writeLeaf } from "./write-leaf.ts";

/** How much is escaped in a leaf. */
export type StyleOf = (leaf: DocNode) => Style;

// Lines written so far, the prefixes of the next line and of those after it, and how leaves are written.
interface Page {
  lines: string[];
  first: string;
  rest: string;
  styleOf: StyleOf;
}

/**
 * The Markdown of a settled top-level block without its line end. Each line is written once with all its prefixes, so
 * the time is that of the output.
 */
export function writeLines(block: DocNode, styleOf: StyleOf): string {
  const page: Page = { lines: [], first: "", rest: "", styleOf };
  putBlock(page, block);
  return page.lines.join("\n");
}

function putBlock(page: Page, block: DocNode): void {
  if (isLeaf(block)) putText(page, writeLeaf(block, page.styleOf(block)));
  else if (block.type === "blockquote") putContainer(page, block, { mark: "> ", indent: "> " });
  else if (block.type === "footnote")
    putContainer(page, block, { mark: `[^${block.attrs?.label}]: `, indent: "    " });
  else putList(page, block);
}

function putList(page: Page, list: DocNode): void {
  const tight = list.attrs?.tight === true;
  for (const [at, entry] of (list.content ?? []).entries()) {
    if (at > 0 && !tight) putText(page, "");
    const mark = entryPrefix(list, at);
    putContainer(page, entry, { mark, indent: " ".repeat(mark.length), tight });
  }
}

// What stands before a container's first line and before the others; `tight` without blank lines where that can be.
interface Prefix {
  mark: string;
  indent: string;
  tight?: boolean;
}

function putContainer(page: Page, container: DocNode, { mark, indent, tight }: Prefix): void {
  const { rest } = page;
  page.first += mark;
  page.rest += indent;
  const blocks = isBare(container) ? [] : (container.content ?? []);
  if (blocks.length === 0 || startsBelow(container, mark)) putText(page, "");
  for (const [at, block] of blocks.entries()) {
    if (at > 0 && !(tight && mayTouch(blocks[at - 1] as DocNode, block, mark.length))) putText(page, "");
    putBlock(page, block);
  }
  page.first = page.rest = rest;
}

function putText(page: Page, text: string): void {
  for (const line of text.split("\n")) {
    page.lines.push(line === "" ? page.first.trimEnd() : page.first + line);
    page.first = page.rest;
  }
}
