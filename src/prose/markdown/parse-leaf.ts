import { BadRequest } from "../../refusals.ts";
import { withArticle } from "../../text/counted.ts";
import { withId } from "../document/leaf.ts";
import { isLeaf } from "../document/leaves.ts";
import { CHAPTER_ROOM } from "../document/room.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { parseMarkdown } from "./parse-chapter.ts";
import { writeBlock } from "./write.ts";

const USE_PUT = "use PUT /chapters/{chapterId}/prose";
const TAKE_OUT = "take it out with DELETE /chapters/{chapterId}/paragraphs/{blockId}";
const PUT_BEHIND = "put others behind it with POST /chapters/{chapterId}/paragraphs";

/** Returns the refusal of a blank text for a paragraph. */
export function blankParagraph(): BadRequest {
  return new BadRequest(
    `The Markdown is blank; send the text of one paragraph, or ${TAKE_OUT}, or for a whole chapter ${USE_PUT}.`,
  );
}

/**
 * Reads the body of a PATCH as the target's own kind of leaf and keeps its `blockId`: plain text on a heading keeps the
 * level, text on a code block replaces the code; Markdown of another leaf (paragraph, heading, code block) changes the
 * kind. `source` is the body if it reads back to the same node, else newly written. Throws BadRequest for a blank
 * body, for two blocks or a container, and for a target that is a scene break or raw block.
 */
export function readLeaf(markdown: string, target: DocNode, definitions = ""): Omit<SourceBlock, "gap"> {
  if (!isLeaf(target) || target.type === "scene_break" || target.type === "raw_block") {
    throw new BadRequest(
      `A ${target.type} has no text of its own to replace; ${TAKE_OUT}, ${PUT_BEHIND}, or ${USE_PUT}.`,
    );
  }
  const body = markdown.replace(/^\ufeff?(?:[ \t]*(?:\r\n?|\n))*/, "").replace(/[ \t\r\n]+$/, "");
  if (body === "") throw blankParagraph();
  const { head, blocks } = parseMarkdown(body, definitions, CHAPTER_ROOM);
  const [block] = blocks;
  const single = blocks.length === 1 && head.trim() === "" && block?.gap.trim() === "" ? block : undefined;
  if (target.type === "code_block" && single?.node.type !== "code_block") return readCode(body, target);
  if (!single)
    throw new BadRequest(
      `The body must be exactly one block, got ${blocks.length}; ${PUT_BEHIND}, or ${USE_PUT}.`,
    );
  const node = readAs(target, single.node, body, definitions);
  // A source that was read as it stands need not be read again.
  const isAsRead = node === single.node && single.source === body && !/^[ \t]|\r/.test(body);
  return {
    node: withId(node, (target.attrs?.blockId ?? null) as string | null),
    source: isAsRead ? body : sourceOf(node, single.source, definitions),
  };
}

function readAs(target: DocNode, read: DocNode, body: string, definitions: string): DocNode {
  if (target.type === "heading" && read.type === "paragraph") return asHeading(target, read.content);
  if (target.type === "heading" && read.type === "ordered_list" && !body.includes("\n")) {
    // "1. The Storm" is a heading's text, not a list.
    const line = parseMarkdown(`# ${body}`, definitions).blocks[0];
    return asHeading(target, line?.node.content);
  }
  if (read.type === "paragraph" || read.type === "heading" || read.type === "code_block") return read;
  throw new BadRequest(
    `The body reads as ${withArticle(read.type.replaceAll("_", " "))}, and only a paragraph, heading or code block can stand here; ${USE_PUT}, or put a backslash before its mark if it is meant as text.`,
  );
}

function asHeading(target: DocNode, content: DocNode[] | undefined): DocNode {
  const heading = { type: "heading", attrs: { blockId: null, level: target.attrs?.level } };
  return content ? { ...heading, content } : heading;
}

function readCode(body: string, target: DocNode): Omit<SourceBlock, "gap"> {
  const text = body.replace(/\r\n?/g, "\n");
  const node = { type: "code_block", attrs: target.attrs ?? {}, content: [{ type: "text", text }] };
  return { node, source: writeBlock(node) };
}

// Blanks before the first line are dropped: behind a list they would make the block part of it.
function sourceOf(node: DocNode, sent: string, definitions: string): string {
  const source = sent.replace(/\r\n?/g, "\n").replace(/^[ \t]+/, "");
  const { head, blocks } = parseMarkdown(source, definitions);
  const [read] = blocks;
  const same = blocks.length === 1 && head === "" && read !== undefined && sameNode(read.node, node);
  return same ? source : writeBlock(node, definitions);
}
