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
  if (startLine !== 0 || state.level !== 0) return false;
  const lineAt = (line: number) => state.src.slice(state.bMarks[line], state.eMarks[line]);
  const last = closingLine(lineAt, endLine);
  if (last === undefined) return false;
  if (silent) return true;
  const token = state.push("raw_block", "", 0);
  token.info = "front_matter";
  token.map = [0, last + 1];
  token.content = state.getLines(0, last + 1, 0, true);
  state.line = last + 1;
  return true;
}

/** Returns the line that closes the front matter of a text with so many lines; undefined if it has none. */
export function closingLine(lineAt: (line: number) => string, count: number): number | undefined {
  if (count < 3 || lineAt(0).trimEnd() !== "---" || !KEY_LINE.test(lineAt(1).trimEnd())) return undefined;
  for (let line = 1; line < count; line++) {
    const text = lineAt(line).trimEnd();
    if (text === "---" || text === "...") return line;
    if (!YAML_LINE.test(text)) return undefined;
  }
  return undefined;
}
