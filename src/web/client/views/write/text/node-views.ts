import type { Node } from "prosemirror-model";
import type { NodeViewConstructor } from "prosemirror-view";
import type { PicturePlace } from "../../../api/picture.ts";

/**
 * Shows paragraphs and headings so that a new id changes one attribute and redraws nothing: a paragraph that is redrawn in the
 * middle of a composition doubles what is being composed.
 */
export const nodeViews = (place: PicturePlace): Readonly<Record<string, NodeViewConstructor>> => ({
  paragraph: (node) => steady(node, "p"),
  heading: (node) => steady(node, `h${node.attrs.level}`),
  image: (node) => picture(node, place),
});

/** A picture's words, until what the book keeps has come. Few chapters have any: what shows them is loaded for the first. */
function picture({ attrs: { src, alt } }: Node, place: PicturePlace): ReturnType<NodeViewConstructor> {
  const dom = document.createElement("span");
  dom.className = "picture";
  dom.textContent = alt ?? src;
  const shown = import("./picture.ts").then(({ showPicture }) => showPicture(dom, { src, alt }, place));
  return { dom, ignoreMutation: () => true, destroy: () => void shown.then((drop) => drop()) };
}

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
