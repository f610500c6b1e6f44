import { leavesOf } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode } from "../document/types.ts";
import { leafLines, parseBlocks } from "../markdown/parser.ts";

// Marks of quotes, list entries and footnotes at the start of a line, with the blanks around them.
const PREFIX = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]+\]:))*[ \t]*/;

/** What one leaf of a container becomes. */
export interface LeafChange {
  blockId: string;
  /** The leaf's new Markdown, alone. */
  markdown: string;
  /** The whole container as it shall read. */
  node: DocNode;
}

/**
 * A container's Markdown with the lines of one leaf exchanged and all others as they are; undefined where that does not
 * read as `node`. Linear.
 */
export function spliceLeaf(
  source: string,
  { blockId, markdown, node }: LeafChange,
  definitions: string,
): string | undefined {
  const ranges = leafLines(source.replace(/\r\n?/g, "\n"));
  const leaves = leavesOf(node);
  if (ranges.length !== leaves.length) return undefined;
  const [first, behind] = ranges[leaves.findIndex(({ attrs }) => attrs?.blockId === blockId)]!; // one range a leaf
  const lines = source.split("\n");
  const mark = PREFIX.exec(lines[first]!)![0]; // the lines are the source's own, and a blank prefix matches too
  const indent = mark.replace(/[^>\s]/g, " ");
  const changed = markdown.split("\n").map((line, at) => {
    if (line === "") return indent.trimEnd();
    return (at === 0 ? mark : indent) + line;
  });
  const text = [...lines.slice(0, first), ...changed, ...lines.slice(behind)].join("\n");
  const { nodes } = parseBlocks(text.replace(/\r\n?/g, "\n"), definitions);
  return nodes.length === 1 && sameNode(nodes[0]!, node) ? text : undefined; // length checked
}
