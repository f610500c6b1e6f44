import { type DocNode, textOf } from "./nodes.ts";

/** The prose without a first heading that only says the title again. */
export function bodyOf({ title, doc }: { title: string; doc: { content?: unknown } }): readonly DocNode[] {
  const blocks = (doc.content ?? []) as readonly DocNode[];
  const [first] = blocks;
  const isTitle = first?.type === "heading" && textOf(first) === title;
  return isTitle ? blocks.slice(1) : blocks;
}
