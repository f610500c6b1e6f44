import { leafText, readLeaves } from "../../prose/document/leaves.ts";
import { parseMarkdown } from "../../prose/parse.ts";
import { withoutControl } from "../../text/clean-text.ts";

// Characters of a quote: enough to find a paragraph.
const LONGEST = 200;
// Characters of a paragraph that are parsed at most.
const MOST_PARSED = 2000;

/**
 * Returns the beginning of the paragraph at an offset, or at the end of the text that of the last one; undefined
 * without any.
 */
export function quoteAt(text: string, at: number): string | undefined {
  return firstOf(text.slice(at, at + MOST_PARSED)) ?? lastOf(text.slice(Math.max(0, at - MOST_PARSED), at));
}

function firstOf(text: string): string | undefined {
  const [paragraph = ""] = text.trimStart().split(/\r?\n[ \t]*\r?\n/, 1);
  return quoteOf(paragraph);
}

function lastOf(text: string): string | undefined {
  return quoteOf(
    text
      .trimEnd()
      .split(/\r?\n[ \t]*\r?\n/)
      .at(-1) ?? "",
  );
}

function quoteOf(paragraph: string): string | undefined {
  const [block] = parseMarkdown(withoutControl(paragraph)).blocks;
  const [leaf] = block === undefined ? [] : readLeaves(block.node);
  return leaf === undefined ? undefined : asQuote(leafText(leaf.node).trim());
}

/** Returns enough of a paragraph's text to find it; undefined for none. */
function asQuote(text: string): string | undefined {
  return text.slice(0, LONGEST).toWellFormed() || undefined;
}
