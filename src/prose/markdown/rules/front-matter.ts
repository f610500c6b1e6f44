import type { MarkdownIt, StateBlock } from "markdown-it";

// A line of a YAML mapping as people write it above a chapter: blank, a comment, indented, a list entry,
// a closing bracket, or `key: value`. Any other line means that this is prose between two scene breaks.
const YAML_LINE = /^(?:\s|$|#|-(?:\s|$)|[\]}]|["']?[^\s"':#>|*-][^:]*:(?:\s|$))/;
const KEY_LINE = /^(?:#|["']?[^\s"':#>|*-][^:]*:(?:\s|$))/;

/**
 * YAML between `---` on line 0 and the next `---` or `...`, kept verbatim as a raw block. Two scene breaks with
 * prose between them are not taken for it: every line must be one of a YAML mapping, the first a key or comment.
 */
export function useFrontMatter(md: MarkdownIt): void {
  md.block.ruler.before("fence", "front_matter", readFrontMatter);
}

function readFrontMatter(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (startLine !== 0 || state.level !== 0 || lineOf(state, 0) !== "---") return false;
  if (endLine < 3 || !KEY_LINE.test(lineOf(state, 1))) return false;
  const last = closingLine(state, endLine);
  if (last === undefined) return false;
  if (silent) return true;
  const token = state.push("raw_block", "", 0);
  token.info = "front_matter";
  token.map = [0, last + 1];
  token.content = state.getLines(0, last + 1, 0, true);
  state.line = last + 1;
  return true;
}

function closingLine(state: StateBlock, endLine: number): number | undefined {
  for (let line = 1; line < endLine; line++) {
    const text = lineOf(state, line);
    if (text === "---" || text === "...") return line;
    if (!YAML_LINE.test(text)) return undefined;
  }
  return undefined;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line], state.eMarks[line]).trimEnd();
}
