import type { MarkdownIt, StateBlock, Token } from "markdown-it";
import { LIMITS } from "../../../contract/limits.ts";
import { BadRequest } from "../../../refusals.ts";
import type { RoomLeft } from "../../document/room.ts";
import { mayOpenTag, tagEnd } from "./inlines.ts";
import { stockBlockRule } from "./stock.ts";

const table = stockBlockRule("table");
const rule = stockBlockRule("hr");
const fence = stockBlockRule("fence");
const html = stockBlockRule("html_block");

/**
 * Tables as one raw block with their verbatim lines (without the prefix of a quote or list around them), thematic
 * breaks with their own markup (`* * *`), code and HTML that nobody closed without the blank lines at their end,
 * and a refusal instead of markdown-it's silent cut if containers nest too deep.
 */
export function useBlocks(md: MarkdownIt): void {
  const paragraphs = ["paragraph", "reference"];
  md.block.ruler.at("table", readTable, { alt: paragraphs });
  md.block.ruler.at("hr", readBreak, { alt: [...paragraphs, "blockquote", "list"] });
  md.block.ruler.at("fence", readFence, { alt: [...paragraphs, "blockquote", "list"] });
  md.block.ruler.at("html_block", readHtml, { alt: [...paragraphs, "blockquote"] });
  md.block.ruler.before("table", "depth", refuseDepth);
  md.block.ruler.before("table", "prose", readProse);
  md.block.State = countingState(md.block.State);
}

const LEAVES = new Set(["paragraph_open", "heading_open", "hr", "fence", "html_block", "raw_block"]);
const CONTAINERS = new Set([
  "blockquote_open",
  "bullet_list_open",
  "ordered_list_open",
  "list_item_open",
  "footnote_open",
]);

// Counted as they are made, so that no more tokens are there than a chapter can have.
function countingState(Stock: MarkdownIt["block"]["State"]): MarkdownIt["block"]["State"] {
  return class extends Stock {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const { room } = this.env as { room?: RoomLeft };
      const isLeaf = LEAVES.has(type);
      if (isLeaf || CONTAINERS.has(type)) room?.takeNodes(1);
      if (isLeaf) room?.takeLeaf();
      return super.push(type, tag, nesting);
    }
  };
}

function refuseDepth(state: StateBlock): boolean {
  if (state.level <= LIMITS.depth) return false;
  throw new BadRequest(
    `The Markdown nests lists and quotes more than ${LIMITS.depth} levels deep; flatten it and send it again.`,
  );
}

/** Characters with which only a paragraph begins. */
const BEGINS_PROSE = /[A-Za-z"'(\u0080-\uffff]/;

// As markdown-it's own, but before every other rule is asked of every line: nearly all of a novel is this.
function readProse(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  let line = startLine;
  for (; line < endLine && !state.isEmpty(line); line++) {
    const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
    if (!BEGINS_PROSE.test(state.src.charAt(start))) return false;
  }
  if (silent) return false; // it ends no other block
  state.line = line;
  state.push("paragraph_open", "p", 1).map = [startLine, line];
  const inline = state.push("inline", "", 0);
  inline.content = trimmed(state.getLines(startLine, line, state.blkIndent, false));
  inline.map = [startLine, line];
  inline.children = [];
  state.push("paragraph_close", "p", -1);
  return true;
}

// Of no-break spaces and the like nothing is lost.
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (ASCII_BLANK.includes(text.charAt(from)) && from < to) from++;
  while (ASCII_BLANK.includes(text.charAt(to - 1)) && from < to) to--;
  return text.slice(from, to);
}

const ASCII_BLANK = " \t\n\r";

function readTable(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const before = state.tokens.length;
  if (!table(state, startLine, endLine, true) || !hasPipe(state, startLine + 1)) return false;
  if (!silent) table(state, startLine, endLine, false);
  if (silent) return true;
  state.tokens.length = before;
  const token = state.push("raw_block", "", 0);
  token.info = "table";
  token.map = [startLine, state.line];
  token.content = state.getLines(startLine, state.line, state.blkIndent, true);
  return true;
}

// "> a |" over "---" is a quote and a scene break; markdown-it would make a table of one column of it.
function hasPipe(state: StateBlock, line: number): boolean {
  return state.src.slice(state.bMarks[line], state.eMarks[line]).includes("|");
}

function readBreak(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!rule(state, startLine, endLine, silent)) return false;
  const token = state.tokens.at(-1);
  if (silent || !token) return true;
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  token.markup = state.src.slice(start, state.eMarks[startLine]).trimEnd();
  return true;
}

function readFence(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (!fence(state, startLine, endLine, silent)) return false;
  const lines = countLines(state.tokens.at(-1)?.content ?? "");
  const unclosed = !silent && lines === state.line - startLine - 1;
  if (unclosed) dropBlankEnd(state, startLine + 1, state.sCount[startLine] ?? 0);
  return true;
}

function readHtml(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (mayBeTag(state, startLine) && !opensNamed(state, startLine, endLine)) {
    return readTag(state, startLine, endLine, silent);
  }
  if (!html(state, startLine, endLine, silent)) return false;
  if (!silent) dropBlankEnd(state, startLine, state.blkIndent);
  return true;
}

function mayBeTag({ src, bMarks, tShift }: StateBlock, line: number): boolean {
  return mayOpenTag(src, (bMarks[line] ?? 0) + (tShift[line] ?? 0));
}

const LONGEST_NAME = 100;

// markdown-it knows an element by its name alone, and asks for that before it asks for any whole tag.
function opensNamed(state: StateBlock, startLine: number, endLine: number): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const end = state.eMarks[startLine] ?? start;
  state.eMarks[startLine] = Math.min(end, start + LONGEST_NAME);
  const isNamed = mayOpenTag(state.src, start) && opensBlock(state, startLine, endLine);
  state.eMarks[startLine] = end;
  return isNamed;
}

const opensBlock = (state: StateBlock, startLine: number, endLine: number) =>
  html(state, startLine, endLine, true);

/** A whole tag alone on its line, to the next blank line. Source: CommonMark 0.31.2, 4.6, condition 7. */
function readTag(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (silent || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  const end = tagEnd(state.src, start);
  const lineEnd = state.eMarks[startLine] ?? start;
  if (end < 0 || end > lineEnd || state.src.slice(end, lineEnd).trim() !== "") return false;
  let line = startLine + 1;
  while (line < endLine && (state.sCount[line] ?? 0) >= state.blkIndent && !state.isEmpty(line)) line++;
  state.line = line;
  const token = state.push("html_block", "", 0);
  token.map = [startLine, line];
  token.content = state.getLines(startLine, line, state.blkIndent, true);
  return true;
}

// Blank lines at the end of an unclosed block belong to the gap behind it: a slice cannot hold a last blank line.
function dropBlankEnd(state: StateBlock, firstLine: number, indent: number): void {
  const token = state.tokens.at(-1);
  let end = state.line;
  while (end > firstLine && state.isEmpty(end - 1)) end--;
  if (!token?.map || end === state.line) return;
  token.content = state.getLines(firstLine, end, indent, true);
  token.map[1] = end;
}

function countLines(content: string): number {
  let lines = 0;
  for (let at = content.indexOf("\n"); at !== -1; at = content.indexOf("\n", at + 1)) lines++;
  return content === "" || content.endsWith("\n") ? lines : lines + 1;
}
