import { isLeaf, isList } from "./leaves.ts";
import type { DocNode } from "./types.ts";

/**
 * The text of a leaf, the base of all offsets (UTF-16): its text nodes and nothing else. A soft break is `\n`; hard
 * breaks, images, footnote references and raw tags count 0. Source: llms.txt, Requests and answers.
 */
export function leafText(leaf: DocNode): string {
  let text = "";
  for (const child of leaf.content ?? []) if (child.text !== undefined) text += child.text;
  return text;
}

/**
 * One top-level block as plain text for readers: leaves separated by a blank line, those of a tight list by a
 * line end; empty leaves of a container leave nothing. A scene break is `* * *`, an image its alternative text.
 */
export function readingText(block: DocNode): string {
  return isLeaf(block)
    ? readLeafText(block)
    : readParts(block, isList(block) && block.attrs?.tight !== false);
}

function readParts({ content = [] }: DocNode, tight: boolean): string {
  const parts = content.map((child) =>
    child.type === "list_item" ? readParts(child, tight) : readingText(child),
  );
  return parts.filter((text) => text !== "").join(tight ? "\n" : "\n\n");
}

function readLeafText(leaf: DocNode): string {
  if (leaf.type === "scene_break") return "* * *";
  let text = "";
  for (const child of leaf.content ?? []) {
    if (child.text !== undefined) text += child.text;
    else if (child.type === "hard_break") text += "\n";
    else if (child.type === "image") text += (child.attrs?.alt as string | null | undefined) ?? "";
  }
  return text;
}
