import { partsScenes, withoutMarkup, yearBefore } from "./as-read.ts";
import { isLeaf, isList } from "./leaves.ts";
import type { DocNode } from "./types.ts";

/**
 * Returns the text of a leaf, to which all offsets (UTF-16) refer: only its text nodes. A soft break is `\n`; hard
 * breaks, images, footnote references and raw tags count 0. Source: llms.txt, Requests and answers.
 */
export function leafText(leaf: DocNode): string {
  let text = "";
  for (const child of leaf.content ?? []) if (child.text !== undefined) text += child.text;
  return text;
}

/**
 * Returns a top-level block as plain text for readers. Leaves are separated by a blank line, those of a tight list by
 * a line end; empty leaves of a container are left out. A scene break is `* * *`, an image its alternative text. The
 * signs of `withoutMarkup` are left out, the year of `yearBefore` is added. `asBefore`: as in versions before 0.3.
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
