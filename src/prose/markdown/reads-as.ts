import { sameNode } from "../document/same-node.ts";
import type { DocNode } from "../document/types.ts";
import { definitionsOf } from "./definitions.ts";
import { parseBlocks } from "./parser.ts";

/**
 * True if the Markdown reads as this one block. `definitions` is Markdown with the link reference definitions in
 * scope.
 */
export function readsAs(markdown: string, node: DocNode, definitions: string): boolean {
  const { nodes } = parseBlocks(markdown.replace(/\r\n?/g, "\n"), definitions);
  return nodes.length === 1 && sameNode(nodes[0]!, node); // length checked
}

/** True if a block reads alike in another chapter, where a link may lead elsewhere or a footnote be missing. */
export function saysSameIn(
  { source, node }: { source: string; node: DocNode },
  chapter: Parameters<typeof definitionsOf>[0],
): boolean {
  return !source.includes("[") || readsAs(source, node, definitionsOf(chapter));
}
