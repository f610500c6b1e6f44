import { sameNode } from "../document/same-node.ts";
import type { DocNode } from "../document/types.ts";
import { parseBlocks } from "./parser.ts";

/** Whether the Markdown is this one block. `definitions` is Markdown with the link reference definitions in scope. */
export function readsAs(markdown: string, node: DocNode, definitions: string): boolean {
  const { nodes } = parseBlocks(markdown.replace(/\r\n?/g, "\n"), definitions);
  return nodes.length === 1 && sameNode(nodes[0]!, node); // length checked
}
