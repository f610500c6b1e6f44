import type { Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import { schema } from "./schema.ts";

/** Where all was deleted there is still a paragraph to write in. */
export const neverEmpty: Plugin = new Plugin({
  appendTransaction: (_trs, _old, { doc, tr }) =>
    doc.childCount === 0 ? tr.insert(0, schema.nodes.paragraph.create()) : null,
});

/** The document with a paragraph to write in. */
export function withParagraph(doc: Node): Node {
  return doc.childCount === 0 ? schema.nodes.doc.create(null, schema.nodes.paragraph.create()) : doc;
}
