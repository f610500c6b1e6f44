import { joinTexts } from "../../../../../prose/document/marks.ts";
import type { DocNode } from "../../../../../prose/document/types.ts";

const VERBATIM: ReadonlySet<string> = new Set(["code_block", "raw_block"]);

/** A stored node as the editor has it: each line end within a paragraph is a `soft_break`. */
export function liftBreaks(node: DocNode): DocNode {
  if (node.content === undefined || VERBATIM.has(node.type)) return node;
  return { ...node, content: node.content.flatMap(liftOne) };
}

function liftOne(child: DocNode): DocNode[] {
  if (!child.text?.includes("\n")) return [liftBreaks(child)];
  const marks = child.marks === undefined ? {} : { marks: child.marks };
  return child.text
    .split("\n")
    .flatMap((text, index) => [
      ...(index === 0 ? [] : [{ type: "soft_break", ...marks }]),
      ...(text === "" ? [] : [{ type: "text", ...marks, text }]),
    ]);
}

/** The inverse: the node as it is stored. `lowerBreaks(liftBreaks(node))` is the node, byte for byte. */
export function lowerBreaks(node: DocNode): DocNode {
  if (node.content === undefined || VERBATIM.has(node.type)) return node;
  return { ...node, content: joinTexts(node.content.map(lowerOne)) };
}

function lowerOne(child: DocNode): DocNode {
  if (child.type !== "soft_break") return lowerBreaks(child);
  return { type: "text", ...(child.marks === undefined ? {} : { marks: child.marks }), text: "\n" };
}
