import MarkdownIt, { type Token } from "markdown-it";
import { MarkdownParser } from "prosemirror-markdown";
import type { Mark, Node } from "prosemirror-model";
import { LIMITS } from "../../contract/limits.ts";
import { isLeaf, isList } from "../document/leaves.ts";
import { ANY_ROOM, type ChapterRoom, RoomLeft } from "../document/room.ts";
import { schema } from "../document/schema.ts";
import { settleYears } from "../document/text.ts";
import type { DocMark, DocNode } from "../document/types.ts";
import { useFrontMatter } from "../front-matter.ts";
import { useBlocks } from "./rules/blocks.ts";
import { useFootnotes } from "./rules/footnotes.ts";
import { isPlain, plainText, useInlines } from "./rules/inlines.ts";
import { mendLists, readInlines } from "./rules/tidy.ts";

const isTight = (token: Token): boolean => (token.meta as { tight: boolean }).tight;
const orNull = (text: string | null): string | null => text || null;

// The tokens are there already: plain paragraphs never get as far as the parser.
const given = { parse: (_text: string, tokens: Token[]) => tokens } as unknown as MarkdownIt;

const parser = new MarkdownParser(schema, given, {
  paragraph: { block: "paragraph" },
  heading: { block: "heading", getAttrs: (token) => ({ level: Number(token.tag.slice(1)) }) },
  blockquote: { block: "blockquote" },
  list_item: {
    block: "list_item",
    getAttrs: ({ info }) => ({ value: info === "" ? null : Number(info) }),
  },
  bullet_list: {
    block: "bullet_list",
    getAttrs: (token) => ({ bullet: token.markup, tight: isTight(token) }),
  },
  ordered_list: {
    block: "ordered_list",
    getAttrs: (token) => ({
      order: Number(token.attrGet("start") ?? 1),
      delim: token.markup,
      tight: isTight(token),
    }),
  },
  footnote: { block: "footnote", getAttrs: (token) => ({ label: token.info }) },
  fence: {
    block: "code_block",
    getAttrs: (token) => ({ params: token.info.trim(), fence: token.markup }),
    noCloseToken: true,
  },
  html_block: { block: "raw_block", attrs: { kind: "html" }, noCloseToken: true },
  raw_block: { block: "raw_block", getAttrs: (token) => ({ kind: token.info }), noCloseToken: true },
  hr: { node: "scene_break", getAttrs: (token) => ({ markup: token.markup }) },
  hardbreak: { node: "hard_break" },
  image: {
    node: "image",
    getAttrs: (token) => ({
      src: token.attrGet("src") ?? "",
      alt: orNull(plainText(token.children ?? [])),
      title: orNull(token.attrGet("title")),
    }),
  },
  footnote_ref: { node: "footnote_ref", getAttrs: (token) => ({ label: token.info }) },
  html_inline: { node: "raw_inline", getAttrs: (token) => ({ text: token.content }) },
  em: { mark: "em" },
  strong: { mark: "strong" },
  s: { mark: "strike" },
  link: {
    mark: "link",
    getAttrs: (token) => ({ href: token.attrGet("href") ?? "", title: orNull(token.attrGet("title")) }),
  },
  code_inline: { mark: "code", noCloseToken: true },
});

/** Top-level blocks of a Markdown text, each with the lines `[first, behind]` that it covers. */
export interface ParsedBlocks {
  nodes: DocNode[];
  lines: [number, number][];
}

/**
 * Parses Markdown whose line ends are `\n`; every `blockId` is null. `definitions` is Markdown with the link
 * reference definitions in scope. Takes about as long as markdown-it alone. Throws BadRequest on nesting over the cap
 * and PayloadTooLarge, as soon as it is certain, for a document over `room`.
 */
export function parseBlocks(markdown: string, definitions = "", room: ChapterRoom = ANY_ROOM): ParsedBlocks {
  const env: TokenizerEnv = { room: new RoomLeft(room) };
  const references = readReferences(definitions);
  if (references) env.references = references;
  const tokens = tokenizer.parse(markdown, env);
  mendLists(tokens);
  const parsed: ParsedBlocks = { nodes: [], lines: [] };
  const left = new RoomLeft(room);
  for (let at = 0; at < tokens.length; ) {
    const end = endOfBlock(tokens, at);
    parsed.nodes.push(readPlain(tokens, at, left) ?? readBlock(tokens.slice(at, end), env, left));
    parsed.lines.push(tokens[at]?.map as [number, number]);
    at = end;
  }
  return parsed;
}

const NO_ID = Object.freeze({ blockId: null });

// Two thirds of a novel are paragraphs of plain text; they need neither inline rules nor ProseMirror.
function readPlain(tokens: readonly Token[], at: number, left: RoomLeft): DocNode | undefined {
  const text = tokens[at]?.type === "paragraph_open" ? (tokens[at + 1]?.content ?? "") : "";
  if (text === "" || !isPlain(text)) return undefined;
  left.takeLeaf();
  left.takeNodes(2);
  left.takeCharacters(text.length);
  return { type: "paragraph", attrs: NO_ID, content: [{ type: "text", text }] };
}

function readBlock(tokens: Token[], env: TokenizerEnv, left: RoomLeft): DocNode {
  readInlines(tokenizer, tokens, env);
  const [node, more] = parser.parse("", tokens).children;
  if (!node || more) throw new Error("a block's tokens made no block, or two");
  return toDocNode(node, left);
}

function endOfBlock(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.nesting !== 1) return at + 1;
  let end = at + 1;
  while (end < tokens.length && tokens[end]?.level !== 0) end++;
  return end + 1;
}

// As Node.toJSON, but with ordinary objects as attributes; those of all default paragraphs are one object.
function toDocNode(node: Node, left: RoomLeft): DocNode {
  const json: DocNode = { type: node.type.name };
  left.takeNodes(1);
  if (isLeaf(json)) left.takeLeaf();
  if (node.type.spec.attrs && node.attrs.value !== null) json.attrs = takeAttributes(node.attrs, left);
  if (node.childCount > 0) json.content = node.children.map((child) => toDocNode(child, left));
  if (node.marks.length > 0) json.marks = node.marks.map((mark) => toDocMark(mark, left));
  if (node.isText) json.text = node.text as string;
  left.takeCharacters(json.text?.length ?? 0);
  return isList(json) ? settleYears(json) : json;
}

function toDocMark(mark: Mark, left: RoomLeft): DocMark {
  return mark.type.spec.attrs
    ? { type: mark.type.name, attrs: takeAttributes(mark.attrs, left) }
    : { type: mark.type.name };
}

// Each use of a link definition writes its whole address into the document.
function takeAttributes(attrs: Readonly<Record<string, unknown>>, left: RoomLeft): Record<string, unknown> {
  for (const name in attrs) {
    const value = attrs[name];
    if (typeof value === "string") left.takeCharacters(value.length);
  }
  return plainAttributes(attrs);
}

const plain = new WeakMap<object, Record<string, unknown>>();

// Frozen, because one object stands in many nodes.
function plainAttributes(attrs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = plain.get(attrs);
  if (known) return known;
  const copy = Object.freeze({ ...attrs });
  plain.set(attrs, copy);
  return copy;
}

/**
 * markdown-it for manuscripts: CommonMark with tables, strikethrough, footnotes and front matter; HTML kept; no
 * indented code, because writers indent first lines. Its input has only `\n` as line end and no NUL. It never drops
 * text: if markdown-it would cut off deep nesting it refuses. `parse` returns the tokens of the blocks only;
 * `readInlines` reads what is in them. Source: docs/decisions/014-markdown.md.
 */
export const tokenizer: MarkdownIt = createTokenizer();

function createTokenizer(): MarkdownIt {
  // A list adds two levels at once, and our rule must be asked before markdown-it cuts off.
  const options = { html: true, maxNesting: LIMITS.depth + 3 };
  const md = new MarkdownIt("commonmark", options);
  md.enable(["table", "strikethrough"]).disable(["code", "normalize", "inline", "text_join"]);
  useBlocks(md);
  useFrontMatter(md);
  useFootnotes(md);
  useInlines(md);
  return md;
}

/** Environment of one text. */
export interface TokenizerEnv {
  references?: References;
  /** Room left for its blocks. */
  room?: RoomLeft;
}

/** Link reference definitions by normalised label, as markdown-it keeps them in its environment. */
export type References = Record<string, { href: string; title: string }>;

// References of the latest chapter, which are needed again for every paragraph of it.
let latest: { definitions: string; references: References | undefined } = {
  definitions: "",
  references: undefined,
};

/** Returns the link reference definitions in Markdown, not to be changed. */
export function listReferences(definitions: string): Readonly<References> {
  readReferences(definitions);
  return latest.definitions === definitions ? (latest.references ?? {}) : {};
}

/**
 * Returns the link reference definitions for the environment of one text, which may add to them. The cost does not
 * depend on their number.
 */
export function readReferences(definitions: string): References | undefined {
  if (definitions === "") return undefined;
  if (definitions !== latest.definitions) {
    const env: { references?: References } = {};
    tokenizer.block.parse(definitions, tokenizer, env, []);
    latest = { definitions, references: env.references };
  }
  return latest.references && Object.create(latest.references);
}
