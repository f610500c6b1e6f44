/** A mark in ProseMirror's JSON, by the name it has in `schema.ts`. */
export interface DocMark {
  type: string;
  attrs?: Record<string, unknown>;
}

/**
 * A node in ProseMirror's JSON. Immutable by convention: nodes share attributes and content with other nodes, so a
 * change makes a new one. Source: https://prosemirror.net/docs/ref/#model.Node.toJSON.
 */
export interface DocNode {
  type: string;
  attrs?: Record<string, unknown>;
  content?: DocNode[];
  marks?: DocMark[];
  text?: string;
}

/**
 * One top-level block. `source` is the author's Markdown slice without its line end, `gap` everything from there to the
 * next block: line ends, blank lines, link reference definitions. Source: docs/decisions/003-block-rows.md.
 */
export interface SourceBlock {
  node: DocNode;
  source: string;
  gap: string;
}

/** `mixed`: some lines end in `\r\n` (or a lone `\r`) and some in `\n`. No line end at all is `lf`. */
export type LineEnds = "lf" | "crlf" | "mixed";

/**
 * A chapter as its author wrote it; `joinMarkdown` returns the very bytes. `head` is what comes before the first
 * block. For `crlf` the strings inside hold `\n` and joining restores `\r\n`; for `mixed` they are verbatim.
 */
export interface SourceChapter<Block = SourceBlock> {
  bom: boolean;
  eol: LineEnds;
  head: string;
  blocks: readonly Block[];
}

/** Place of a mention: UTF-16 offsets into `leafText` of its leaf, and the text between them. */
export interface MentionSpan {
  mentionId: string | null;
  factId: string;
  from: number;
  to: number;
  text: string;
}
