import type { Token } from "markdown-it";
import { tokenizer } from "./parser.ts";
import { mendLists } from "./rules/tidy.ts";

/** Place of a leaf block in a text. Lines count from 0. */
export interface LeafPlace {
  kind: "text" | "heading" | "verbatim" | "scene_break" | "front_matter";
  /** Its own Markdown, for paragraphs and headings, without prefixes of containers, trimmed. */
  text: string;
  /** `text` with the blanks that are content: an ideographic space before it, a no-break space behind it. */
  content: string;
  first: number;
  /** Last line, including a heading's underline; -1 for an empty container, which has only its mark's line. */
  last: number;
  /** Line in which its text ends. */
  textEnd: number;
  isTop: boolean;
}

/** A Markdown text with its lines, and its leaf blocks in document order. */
export interface Page {
  markdown: string;
  /** Start and end of each line without its line end, as UTF-16 offsets. */
  lines: readonly { from: number; to: number }[];
  leaves: readonly LeafPlace[];
  /** Tokens of the block structure, each with the index of its leaf. */
  steps: readonly { says: string; leaf: number }[];
}

/** Finds the places of all leaf blocks, as many as the parsed text has leaves. Costs half as much as parsing. */
export function readPage(markdown: string): Page {
  const tokens = tokenizer.parse(markdown.replace(/\r\n?/g, "\n"), {});
  mendLists(tokens);
  const leaves: LeafPlace[] = [];
  const steps: Page["steps"][number][] = [];
  for (const [at, token] of tokens.entries()) {
    const leaf = readLeafPlace(tokens, at);
    if (leaf !== undefined) leaves.push(leaf);
    // A paragraph is compared by its own text. The last line of a file may lack its end.
    const content = token.type === "inline" ? "" : token.content.replace(/\n$/, "");
    const { type, tag, markup, info, hidden } = token;
    const isOfLeaf = leaf !== undefined || /^(?:inline|paragraph_close|heading_close)$/.test(type);
    const says = JSON.stringify([type, tag, markup, info, hidden, content]);
    steps.push({ says, leaf: isOfLeaf ? leaves.length - 1 : -1 });
  }
  return { markdown, lines: linesOf(markdown), leaves, steps };
}

function readLeafPlace(tokens: readonly Token[], at: number): LeafPlace | undefined {
  const token = tokens[at]!; // at < tokens.length
  const kind = kindOf(token);
  if (kind === undefined) {
    // A container without blocks: the document has an empty paragraph there.
    const isEmpty =
      /^(?:list_item|blockquote|footnote)_open$/.test(token.type) && tokens[at + 1]?.nesting === -1;
    return isEmpty ? { ...NOWHERE, first: token.map![0], isTop: false } : undefined; // every container has lines
  }
  const [first, behind] = token.map as [number, number]; // every block has one
  const last = behind - 1;
  const hasUnderline = kind === "heading" && !token.markup.startsWith("#");
  const content = kind === "text" || kind === "heading" ? tokens[at + 1]!.content : ""; // its inline token follows
  return {
    kind,
    text: content.trim(),
    content,
    first,
    last,
    textEnd: hasUnderline ? last - 1 : last,
    isTop: token.level === 0,
  };
}

const NOWHERE = { kind: "text", text: "", content: "", last: -1, textEnd: -1 } as const;

function kindOf({ type, info }: Token): LeafPlace["kind"] | undefined {
  if (type === "paragraph_open") return "text";
  if (type === "heading_open") return "heading";
  if (type === "hr") return "scene_break";
  if (type === "raw_block" && info === "front_matter") return "front_matter";
  return type === "fence" || type === "html_block" || type === "raw_block" ? "verbatim" : undefined;
}

function linesOf(text: string): Page["lines"] {
  const lines: { from: number; to: number }[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
    lines.push({ from, to: index });
    from = index + end.length;
  }
  lines.push({ from, to: text.length });
  return lines;
}
