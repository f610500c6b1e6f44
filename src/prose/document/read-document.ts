import { LIMITS } from "../../contract/limits.ts";
import { BadRequest, type Detail } from "../../refusals.ts";
import { isLeaf, LEAF_TYPES } from "./leaves.ts";
import { readNode } from "./read/read-node.ts";
import { CHAPTER_ROOM, type ChapterRoom, RoomLeft, tooLongMarkdown } from "./room.ts";
import { schema } from "./schema.ts";
import type { DocNode } from "./types.ts";

/**
 * Reads a native document into top-level blocks in the form of Node.toJSON, with complete attributes, marks in the
 * schema's order, and equal neighbouring texts joined. Throws BadRequest with JSON Pointers for everything that the
 * schema does not know and for nesting over the cap, PayloadTooLarge for a document over `room`.
 */
export function readDocument(doc: unknown, room: ChapterRoom = CHAPTER_ROOM): DocNode[] {
  refuseSize(doc, new RoomLeft(room));
  const faults: Detail[] = [];
  const root = readNode(doc, { path: "/doc", faults, within: undefined });
  if (root && root.type !== "doc") faults.push({ path: "/doc/type", message: 'must be "doc"' });
  const blocks = root?.content ?? [];
  for (const [at, block] of blocks.entries()) {
    if (at > 0 || !isFrontMatter(block)) findFrontMatter(block, `/doc/content/${at}`, faults);
  }
  if (faults.length > 0) {
    throw new BadRequest(
      "The document does not fit the schema; mend what details names and send it again.",
      faults,
    );
  }
  return blocks;
}

/**
 * Reads one leaf of a native document as `readDocument` does: a paragraph, heading, code or raw block, or scene
 * break. Throws the same. The caller decides whether front matter may stand there.
 */
export function readLeafNode(value: unknown, room: ChapterRoom): DocNode {
  refuseSize({ type: "doc", content: [value] }, new RoomLeft(room));
  const faults: Detail[] = [];
  const node = readNode(value, { path: "/node", faults, within: schema.nodes.doc });
  if (node !== undefined && !isLeaf(node))
    faults.push({ path: "/node/type", message: `must be one of ${LEAF_TYPES.join(", ")}` });
  if (node === undefined || faults.length > 0) {
    const refusal = new BadRequest(
      "The node is not one block of the schema. Mend what details names and send it again.",
      faults,
    );
    throw node === undefined || isLeaf(node) ? refusal : refusal.helpedBy({ call: "replaceProse" });
  }
  return node;
}

/** Returns the refusal of front matter anywhere but at the start of a chapter. */
export function strayFrontMatter(path: string): BadRequest {
  const fault = { path: `${path}/attrs/kind`, message: STRAY };
  return new BadRequest(`The node does not fit here: ${STRAY}.`, [fault]);
}

// Iterative, so that a hostile nesting cannot overflow the stack before it is refused.
function refuseSize(doc: unknown, left: RoomLeft): void {
  const open: { node: unknown; depth: number }[] = [{ node: doc, depth: 0 }];
  let textBytes = 0;
  left.takeNodes(1);
  for (let top = open.pop(); top; top = open.pop()) {
    const { type, text, content } = (top.node ?? {}) as Partial<Record<keyof DocNode, unknown>>;
    if (typeof type === "string" && isLeaf({ type })) left.takeLeaf();
    // Text takes at least as many bytes in Markdown.
    if (typeof text === "string") textBytes += Buffer.byteLength(text);
    if (textBytes > LIMITS.markdownBytes) throw tooLongMarkdown();
    if (!Array.isArray(content)) continue;
    // Text is one level below its paragraph, as in Markdown: the cap counts the containers around a paragraph.
    if (top.depth > LIMITS.depth + 1) {
      throw new BadRequest(
        `The document nests more than ${LIMITS.depth} levels deep; flatten it and send it again.`,
      );
    }
    left.takeNodes(content.length);
    for (const node of content) open.push({ node, depth: top.depth + 1 });
  }
}

const STRAY = "front matter stands only at the start of a chapter";

/** True if the block is YAML front matter. */
export function isFrontMatter(block: DocNode): boolean {
  return block.type === "raw_block" && block.attrs?.kind === "front_matter";
}

function findFrontMatter(block: DocNode, path: string, faults: Detail[]): void {
  if (isFrontMatter(block)) {
    faults.push({ path: `${path}/attrs/kind`, message: STRAY });
  }
  if (isLeaf(block)) return;
  for (const [at, child] of (block.content ?? []).entries()) {
    findFrontMatter(child, `${path}/content/${at}`, faults);
  }
}
