import type { Node } from "prosemirror-model";
import type { NodeViewConstructor } from "prosemirror-view";

/**
 * Shows paragraphs and headings so that a new id changes one attribute and redraws nothing: a paragraph that is redrawn in the
 * middle of a composition doubles what is being composed.
 */
export const nodeViews: Readonly<Record<string, NodeViewConstructor>> = {
  paragraph: (node) => steady(node, "p"),
  heading: (node) => steady(node, `h${node.attrs.level}`),
};

function steady(first: Node, tag: string): ReturnType<NodeViewConstructor> {
  const dom = document.createElement(tag);
  dom.className = tag === "p" ? "b" : "";
  dom.dir = "auto";
  const name = ({ attrs }: Node) => {
    if (attrs.blockId === null) dom.removeAttribute("data-block");
    else dom.setAttribute("data-block", attrs.blockId);
  };
  name(first);
  let shown = first;
  return {
    dom,
    contentDOM: dom,
    update(node) {
      if (node.type !== shown.type || node.attrs.level !== shown.attrs.level) return false;
      if (node.attrs.blockId !== shown.attrs.blockId) name(node);
      shown = node;
      return true;
    },
  };
}
