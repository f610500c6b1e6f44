import { leavesOf } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { TextEdit } from "../document/text-edit.ts";
import type { DocNode } from "../document/types.ts";
import { readPage } from "../markdown/leaf-lines.ts";
import { parseBlocks } from "../markdown/parser.ts";

// Prefixes of quotes, list entries and footnotes at the start of a line, with the blanks around them.
const PREFIX = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]+\]:))*[ \t]*/;

/**
 * A container's Markdown with the lines of one leaf exchanged and all others as they are; undefined if that does not
 * read as `node`, the whole container as it shall be. `markdown` is the leaf's, alone. Linear.
 */
export function spliceLeaf(
  source: string,
  { blockId, markdown, node }: { blockId: string; markdown: string; node: DocNode },
  definitions: string,
): string | undefined {
  const ranges = readPage(source).leaves.filter(({ last }) => last >= 0); // an empty list entry has no line
  const leaves = leavesOf(node);
  if (ranges.length !== leaves.length) return undefined;
  const { first, last } = ranges[leaves.findIndex(({ attrs }) => attrs?.blockId === blockId)]!; // one range a leaf
  const lines = source.split("\n");
  const mark = PREFIX.exec(lines[first]!)![0]; // the lines are the source's own, and a blank prefix matches too
  const indent = mark.replace(/[^>\s]/g, " ");
  const changed = markdown.split("\n").map((line, at) => {
    if (line === "") return indent.trimEnd();
    return (at === 0 ? mark : indent) + line;
  });
  const text = [...lines.slice(0, first), ...changed, ...lines.slice(last + 1)].join("\n");
  const { nodes } = parseBlocks(text.replace(/\r\n?/g, "\n"), definitions);
  return nodes.length === 1 && sameNode(nodes[0]!, node) ? text : undefined; // length checked
}

/**
 * A block's Markdown with edits of its leaves' texts done where those letters are; `leaves` are all of the block's, in
 * order. Undefined if a text cannot be followed through the Markdown. It follows letters, not grammar: the caller
 * proves by reading it that the outcome says what it should. O(source).
 */
export function spliceTexts(
  source: string,
  leaves: readonly { text: string; edits: readonly TextEdit[] }[],
): string | undefined {
  let done = "";
  let copied = 0;
  let at = 0;
  for (const { text, edits } of leaves) {
    let next = 0;
    for (let offset = 0; offset < text.length; offset++) {
      const place = placeOf(source, at, text.charAt(offset));
      if (place === undefined) return undefined;
      if (edits[next]?.from === offset) {
        done += source.slice(copied, place) + escaped(edits[next]!.insert); // found one line above
        copied = place;
      }
      at = place + 1;
      if (edits[next]?.to === offset + 1) {
        copied = at;
        next++;
      }
    }
  }
  return done + source.slice(copied);
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<~]|&(?=[#\w])/g, "\\$&");
}

/** Where the letter comes next, past delimiters, tags and the destinations of links. */
function placeOf(source: string, from: number, letter: string): number | undefined {
  for (let at = from; at < source.length; at++) {
    const found = source.charAt(at);
    if (found === letter) return at;
    if (found === "]" && source.charAt(at + 1) === "(") at = endOf(source, at, ")");
    else if (found === "<") at = endOf(source, at, ">");
  }
  return undefined;
}

function endOf(source: string, at: number, mark: string): number {
  const end = source.indexOf(mark, at);
  return end < 0 ? at : end;
}
