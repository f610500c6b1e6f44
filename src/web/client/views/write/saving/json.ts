import { Node } from "prosemirror-model";
import type { DocNode } from "../../../../../prose/document/types.ts";
import { schema } from "../text/schema.ts";
import { liftBreaks, lowerBreaks } from "../text/soft-breaks.ts";

/** A stored document as the editor has it. */
export function readStored(doc: unknown): Node {
  return Node.fromJSON(schema, liftBreaks(doc as DocNode));
}

/** A node as it is stored. */
export function asStored(node: Node): DocNode {
  return lowerBreaks(node.toJSON());
}

const texts = new WeakMap<Node, string>();

/** The document as JSON. What did not change since the last time is not written anew: a key costs one block, not a chapter. */
export function docText(doc: Node): string {
  const blocks = doc.children.map((block) => {
    const known = texts.get(block) ?? JSON.stringify(block.toJSON());
    texts.set(block, known);
    return known;
  });
  return `{"type":"doc","content":[${blocks.join()}]}`;
}

/** The inverse of `docText`. */
export function readDocText(text: string): Node {
  return Node.fromJSON(schema, JSON.parse(text));
}
