import { LIMITS } from "../contract/limits.ts";
import { BadRequest, PayloadTooLarge, type Remedy } from "../refusals.ts";
import { CONTROL_CHARACTER, placesOf, strayedIn } from "../text/clean-text.ts";
import { withArticle } from "../text/columns.ts";
import { definitionsOf } from "./definitions.ts";
import { isLeaf, withId } from "./document/leaves.ts";
import { ANY_ROOM, CHAPTER_ROOM, type ChapterRoom } from "./document/room.ts";
import { sameNode } from "./document/same-node.ts";
import type { DocNode, LineEnds, SourceBlock, SourceChapter } from "./document/types.ts";
import { parseBlocks } from "./markdown/parser.ts";
import { writeBlock } from "./write.ts";

const BOM = "\ufeff";
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses a chapter's Markdown into top-level blocks with their authors' bytes; every `blockId` is null. `definitions`
 * is Markdown with link reference definitions from elsewhere, its line ends `\n`. Linear time. Loses no character:
 * `joinMarkdown(parseMarkdown(m)) === m`. Throws BadRequest on control characters, lone surrogates and containers
 * nested over the cap, PayloadTooLarge for a document over `room`. Source: docs/decisions/014-markdown.md.
 */
export function parseMarkdown(
  markdown: string,
  definitions = "",
  room: ChapterRoom = ANY_ROOM,
): SourceChapter {
  refuseCharacters(markdown);
  const bom = markdown.startsWith(BOM);
  const body = bom ? markdown.slice(1) : markdown;
  const eol = lineEndsOf(body);
  const text = eol === "crlf" ? body.replaceAll("\r\n", "\n") : body;
  const plain = eol === "mixed" ? body.replace(/\r\n?/g, "\n") : text;
  const { nodes, lines } = parseBlocks(plain, definitions, room);
  const starts = lineStarts(text, eol);
  const ranges = lines.map((range) => sliceRange(text, starts, range));
  const head = text.slice(0, ranges[0]?.[0]);
  const blocks = nodes.map((node, at): SourceBlock => {
    const [from, to] = ranges[at] as [number, number];
    return { node, source: text.slice(from, to), gap: text.slice(to, ranges[at + 1]?.[0]) };
  });
  return { bom, eol, head, blocks };
}

/** Throws `PayloadTooLarge` if Markdown is longer than a chapter may be. */
export function assertSize(markdown: string): void {
  const bytes = Buffer.byteLength(markdown);
  if (bytes <= LIMITS.markdownBytes) return;
  throw new PayloadTooLarge(
    `The Markdown has ${bytes} bytes; a chapter takes at most ${LIMITS.markdownBytes} (4 MiB). Split the chapter.`,
  );
}

function refuseCharacters(text: string): void {
  if (CONTROL_CHARACTER.test(text)) {
    const strayed = strayedIn(text);
    const isOne = strayed.length === 1;
    throw new BadRequest(
      `The text holds ${isOne ? "the control character" : "control characters:"} ${placesOf(strayed)}; remove ${isOne ? "it" : "them"} and send the text again.`,
    );
  }
  const surrogate = text.isWellFormed() ? null : LONE_SURROGATE.exec(text); // nine times slower than the question
  if (surrogate) {
    throw new BadRequest(
      `The text holds half a surrogate pair in line ${lineAt(text, surrogate.index)}; send the text as well-formed UTF-8.`,
    );
  }
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

function lineEndsOf(body: string): LineEnds {
  if (!body.includes("\r")) return "lf";
  return /\r(?!\n)|(?<!\r)\n/.test(body) ? "mixed" : "crlf";
}

function lineStarts(text: string, eol: LineEnds): number[] {
  const starts = [0];
  if (eol === "mixed") {
    for (const end of text.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length);
    return starts;
  }
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

// Returns the range from the first line's start to the last line's end. Blank lines at the end of a list or quote go
// to the gap.
function sliceRange(
  text: string,
  starts: readonly number[],
  [first, behind]: readonly [number, number],
): [number, number] {
  const from = starts[first] ?? text.length;
  let to = starts[behind] ?? text.length;
  while (to > from && " \t\n\r".includes(text.charAt(to - 1))) to--;
  while (to < text.length && " \t".includes(text.charAt(to))) to++;
  return [from, to];
}

const TAKE_OUT: Remedy = { call: "deleteParagraph" };
const PUT_BEHIND: Remedy = { call: "insertParagraphs" };
const WRITE_ALL: Remedy = { call: "replaceProse" };

/** Returns the refusal of a blank text for a paragraph. */
export function blankParagraph(): BadRequest {
  return new BadRequest("The Markdown is blank. Send the text of one paragraph.").helpedBy(
    TAKE_OUT,
    WRITE_ALL,
  );
}

/**
 * Reads the body of a PATCH as the target's own kind of leaf and keeps its `blockId`: plain text on a heading keeps the
 * level, text on a code block replaces the code; Markdown of another leaf (paragraph, heading, code block) changes the
 * kind. `source` is the body if it reads back to the same node, else newly written. Throws BadRequest for a blank
 * body, for two blocks or a container, and for a target that is a scene break or raw block.
 */
export function readLeaf(markdown: string, target: DocNode, definitions = ""): Omit<SourceBlock, "gap"> {
  if (!isLeaf(target) || target.type === "scene_break" || target.type === "raw_block") {
    const fault = new BadRequest(`A ${target.type} has no text of its own to replace.`);
    throw fault.helpedBy(TAKE_OUT, PUT_BEHIND, WRITE_ALL);
  }
  const body = markdown.replace(/^\ufeff?(?:[ \t]*(?:\r\n?|\n))*/, "").replace(/[ \t\r\n]+$/, "");
  if (body === "") throw blankParagraph();
  const { head, blocks } = parseMarkdown(body, definitions, CHAPTER_ROOM);
  const [block] = blocks;
  const single = blocks.length === 1 && head.trim() === "" && block?.gap.trim() === "" ? block : undefined;
  if (target.type === "code_block" && single?.node.type !== "code_block") return readCode(body, target);
  if (!single)
    throw new BadRequest(`The body must be exactly one block, got ${blocks.length}.`).helpedBy(
      PUT_BEHIND,
      WRITE_ALL,
    );
  const node = readAs(target, single.node, body, definitions);
  // A source that was read as it stands need not be read again.
  const isAsRead = node === single.node && single.source === body && !/^[ \t]|\r/.test(body);
  return {
    node: withId(node, (target.attrs?.blockId ?? null) as string | null),
    source: isAsRead ? body : sourceOf(node, single.source, definitions),
  };
}

/**
 * Splits the year off Markdown for a paragraph that begins with one: "1918. Peace" is "1918" and "Peace". `year` is its
 * present one, "1914. "; undefined if it has none.
 */
export function splitYear(markdown: string, year: string | undefined): { year?: string; rest: string } {
  if (!year) return { rest: markdown };
  const sent = new RegExp(`^\\s*([1-9]\\d{3}|${Number.parseInt(year, 10)})\\.[ \\t]+(?=\\S)`).exec(markdown);
  return sent === null ? { rest: markdown } : { year: sent[1]!, rest: markdown.slice(sent[0].length) }; // it has a group
}

function readAs(target: DocNode, read: DocNode, body: string, definitions: string): DocNode {
  if (target.type === "heading" && read.type === "paragraph") return asHeading(target, read.content);
  if (target.type === "heading" && read.type === "ordered_list" && !body.includes("\n")) {
    // "1. The Storm" is a heading's text, not a list.
    const line = parseMarkdown(`# ${body}`, definitions).blocks[0];
    return asHeading(target, line?.node.content);
  }
  if (read.type === "paragraph" || read.type === "heading" || read.type === "code_block") return read;
  throw new BadRequest(
    `The body reads as ${withArticle(read.type.replaceAll("_", " "))}, and only a paragraph, heading or code block can stand here. Put a backslash before its mark if it is meant as text.`,
  ).helpedBy(WRITE_ALL);
}

function asHeading(target: DocNode, content: DocNode[] | undefined): DocNode {
  const heading = { type: "heading", attrs: { blockId: null, level: target.attrs?.level } };
  return content ? { ...heading, content } : heading;
}

function readCode(body: string, target: DocNode): Omit<SourceBlock, "gap"> {
  const text = body.replace(/\r\n?/g, "\n");
  const node = { type: "code_block", attrs: target.attrs ?? {}, content: [{ type: "text", text }] };
  return { node, source: writeBlock(node) };
}

// Blanks before the first line are dropped: behind a list they would make the block part of it.
function sourceOf(node: DocNode, sent: string, definitions: string): string {
  const source = sent.replace(/\r\n?/g, "\n").replace(/^[ \t]+/, "");
  const { head, blocks } = parseMarkdown(source, definitions);
  const [read] = blocks;
  const same = blocks.length === 1 && head === "" && read !== undefined && sameNode(read.node, node);
  return same ? source : writeBlock(node, definitions);
}

/**
 * True if the Markdown reads as this one block. `definitions` is Markdown with the link reference definitions in
 * scope.
 */
export function readsAs(markdown: string, node: DocNode, definitions: string): boolean {
  const { nodes } = parseBlocks(markdown.replace(/\r\n?/g, "\n"), definitions);
  return nodes.length === 1 && sameNode(nodes[0]!, node); // length checked
}

/** True if a block reads alike in another chapter, where a link may lead elsewhere or a footnote be missing. */
export function saysSameIn(
  { source, node }: { source: string; node: DocNode },
  chapter: Parameters<typeof definitionsOf>[0],
): boolean {
  return !source.includes("[") || readsAs(source, node, definitionsOf(chapter));
}
