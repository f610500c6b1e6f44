import { partsScenes, withoutMarkup, yearBefore } from "./as-read.ts";
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
 * line end; empty leaves of a container leave nothing. A scene break is `* * *`, an image its alternative text; the signs
 * of `withoutMarkup` are left out, and the year of `yearBefore` is there. `asBefore`: as versions before 0.3 made it.
 */
export function readingText(block: DocNode, asBefore = false): string {
  return isLeaf(block)
    ? readLeafText(block, asBefore)
    : readParts(block, isList(block) && block.attrs?.tight !== false, asBefore);
}

function readParts(block: DocNode, tight: boolean, asBefore: boolean): string {
  const parts = (block.content ?? []).map((child) =>
    child.type === "list_item" ? readParts(child, tight, asBefore) : readingText(child, asBefore),
  );
  const text = parts.filter((part) => part !== "").join(tight ? "\n" : "\n\n");
  const year = asBefore ? undefined : yearBefore(block);
  return year === undefined ? text : (year + text).trimEnd();
}

function readLeafText(leaf: DocNode, asBefore: boolean): string {
  if (leaf.type === "scene_break" || (!asBefore && partsScenes(leaf))) return "* * *";
  let text = "";
  const own = leaf.content ?? [];
  const content = asBefore || leaf.type === "raw_block" ? own : withoutMarkup(leaf);
  for (const child of content) {
    if (child.text !== undefined) text += child.text;
    else if (child.type === "hard_break") text += "\n";
    else if (child.type === "image") text += (child.attrs?.alt as string | null | undefined) ?? "";
  }
  return content.every((child, at) => child === own[at]) ? text : text.trim();
}
