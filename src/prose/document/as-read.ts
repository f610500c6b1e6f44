import { isLeaf } from "./leaves.ts";
import type { DocNode } from "./types.ts";

// Two signs that Markdown takes for something else than whoever wrote them.

/** A node as the page has it, too. */
interface Sign {
  type: string;
  attrs?: Readonly<Record<string, unknown>> | undefined;
  content?: readonly unknown[] | undefined;
}

/** Whether a leaf parts two scenes: a scene break, or a lone `#`, which Markdown takes for a heading without words. */
export function partsScenes({ type, attrs, content = [] }: Sign): boolean {
  return type === "scene_break" || (type === "heading" && attrs?.level === 1 && content.length === 0);
}

/** The year with which a paragraph begins that Markdown takes for a list of one, `1984. It was cold`: "1984. ". */
export function yearBefore({ type, attrs, content = [] }: DocNode): string | undefined {
  const order = Number(attrs?.order);
  if (type !== "ordered_list" || attrs?.delim !== "." || order < 1000 || order > 9999) return undefined;
  const [first, more] = content.length === 1 ? (content[0]?.content ?? []) : [];
  return first?.type === "paragraph" && more === undefined ? `${order}. ` : undefined;
}

/** The years in a top-level block by the paragraphs that begin with them. */
export function yearsIn(block: DocNode, found = new Map<DocNode, string>()): ReadonlyMap<DocNode, string> {
  if (isLeaf(block)) return found;
  const year = yearBefore(block);
  if (year !== undefined) found.set(block.content![0]!.content![0]!, year); // its only leaf
  for (const child of block.content ?? []) yearsIn(child, found);
  return found;
}
