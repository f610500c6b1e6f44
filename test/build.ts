import type { DocMark, DocNode } from "../src/prose/document/types.ts";

/** What a builder takes as inline content: text, an inline node, or the marked nodes of `em` and the like. */
export type Inline = string | DocNode | readonly DocNode[];

/** A native document of these blocks. */
export function doc(...content: DocNode[]): DocNode {
  return { type: "doc", content };
}

/** A paragraph; a first argument `#b_1` is its blockId: `p("#b_1", "It was ", em("late"), ".")`. */
export function p(...content: Inline[]): DocNode {
  return leaf("paragraph", {}, content);
}

/** A heading: `h(2, "#b_1", "The Storm")`. */
export function h(level: number, ...content: Inline[]): DocNode {
  return leaf("heading", { level }, content);
}

/** A fenced code block: `code("js", "let x;")`. */
export function code(params: string, ...content: Inline[]): DocNode {
  return leaf("code_block", { params, fence: "```" }, content);
}

/** A raw block: `raw("html", "<!-- later -->")`. */
export function raw(kind: "html" | "table" | "front_matter", ...content: Inline[]): DocNode {
  return leaf("raw_block", { kind }, content);
}

/** A scene break: `hr()`, `hr("* * *")`. */
export function hr(markup = "***"): DocNode {
  return { type: "scene_break", attrs: { blockId: null, markup } };
}

/** A block quote. */
export function quote(...content: DocNode[]): DocNode {
  return { type: "blockquote", content };
}

/** A tight bullet list of `li(…)`; `loose(ul(…))` makes it loose. */
export function ul(...content: DocNode[]): DocNode {
  return { type: "bullet_list", attrs: { bullet: "-", tight: true }, content };
}

/** A tight ordered list from 1. */
export function ol(...content: DocNode[]): DocNode {
  return { type: "ordered_list", attrs: { order: 1, delim: ".", tight: true }, content };
}

/** A list entry; bare text becomes its paragraph. */
export function li(...content: (DocNode | string)[]): DocNode {
  return {
    type: "list_item",
    content: content.map((child) => (typeof child === "string" ? p(child) : child)),
  };
}

/** The list with a blank line between its entries. */
export function loose(list: DocNode): DocNode {
  return { ...list, attrs: { ...list.attrs, tight: false } };
}

/** A footnote definition. */
export function footnote(label: string, ...content: DocNode[]): DocNode {
  return { type: "footnote", attrs: { label }, content };
}

/** A reference to a footnote. */
export function ref(label: string): DocNode {
  return { type: "footnote_ref", attrs: { label } };
}

/** A hard line break. */
export function br(): DocNode {
  return { type: "hard_break" };
}

/** An inline tag or comment. */
export function tag(text: string): DocNode {
  return { type: "raw_inline", attrs: { text } };
}

/** An image. */
export function img(src: string, alt: string | null = null, title: string | null = null): DocNode {
  return { type: "image", attrs: { src, alt, title } };
}

/** Inline content under one mark: `em("late ", strong("indeed"))`. */
export const em = (...content: Inline[]): DocNode[] => marked({ type: "em" }, content);
/** As `em`. */
export const strong = (...content: Inline[]): DocNode[] => marked({ type: "strong" }, content);
/** As `em`. */
export const strike = (...content: Inline[]): DocNode[] => marked({ type: "strike" }, content);
/** As `em`: inline code. */
export const tt = (...content: Inline[]): DocNode[] => marked({ type: "code" }, content);

/** A link: `link("https://a.example", "here")`. */
export function link(href: string, ...content: Inline[]): DocNode[] {
  return marked({ type: "link", attrs: { href, title: null } }, content);
}

/** Text that stands for a fact: `mention("fa_ahab", "Ahab")`. */
export function mention(factId: string, text: Inline, mentionId: string | null = null): DocNode[] {
  return marked({ type: "mention", attrs: { mentionId, factId } }, [text]);
}

const RANKS = ["link", "em", "strong", "strike", "code", "mention"];

function marked(mark: DocMark, content: readonly Inline[]): DocNode[] {
  return inline(content).map((node) => {
    const marks = [...(node.marks ?? []), mark].sort((a, b) => RANKS.indexOf(a.type) - RANKS.indexOf(b.type));
    return node.text === undefined ? { ...node, marks } : { type: "text", marks, text: node.text };
  });
}

function inline(content: readonly Inline[]): DocNode[] {
  return content.flatMap((part) => (typeof part === "string" ? [{ type: "text", text: part }] : part));
}

function leaf(type: string, attrs: Record<string, unknown>, content: readonly Inline[]): DocNode {
  const [first, ...rest] = content;
  const hasId = typeof first === "string" && /^#[\w-]+$/.test(first);
  const blockId = hasId ? first.slice(1) : null;
  const nodes = inline(hasId ? rest : content);
  const node = { type, attrs: { blockId, ...attrs } };
  return nodes.length > 0 ? { ...node, content: nodes } : node;
}
