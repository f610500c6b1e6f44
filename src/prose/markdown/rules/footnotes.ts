import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

const DEFINITION = /^\[\^([^\s[\]\\]{1,200})\]:/;
const REFERENCE = /\[\^([^\s[\]\\]{1,200})\](?!\()/y;

/**
 * `[^label]: text` becomes a container that goes on in lines indented by four columns, as on GitHub and in
 * pandoc; `[^label]` is a reference with or without a definition in sight. `[^a](b)` stays a link.
 */
export function useFootnotes(md: MarkdownIt): void {
  md.block.ruler.before("reference", "footnote", readDefinition, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  md.inline.ruler.before("link", "footnote_ref", readReference);
}

/** Returns the label of the footnote reference at `at`; undefined if there is none. */
export function footnoteLabelAt(text: string, at: number): string | undefined {
  REFERENCE.lastIndex = at;
  return REFERENCE.exec(text)?.[1];
}

function readReference(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5b || state.src.charCodeAt(state.pos + 1) !== 0x5e) return false;
  const label = footnoteLabelAt(state.src, state.pos);
  if (label === undefined) return false;
  if (!silent) state.push("footnote_ref", "", 0).info = label;
  state.pos += label.length + 3;
  return true;
}

function readDefinition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
  if (state.src.charCodeAt(start) !== 0x5b || state.src.charCodeAt(start + 1) !== 0x5e) return false;
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const found = DEFINITION.exec(state.src.slice(start, state.eMarks[startLine]));
  if (!found?.[1]) return false;
  if (silent) return true;
  const open = state.push("footnote_open", "", 1);
  open.info = found[1];
  readContent(state, [startLine, endLine], start + found[0].length);
  state.push("footnote_close", "", -1);
  open.map = [startLine, state.line];
  return true;
}

// The text behind the colon is read as if it stood at the content's own column, so that a list or a fence there
// goes on where the following lines are indented by four.
function readContent(
  state: StateBlock,
  [startLine, endLine]: readonly [number, number],
  afterColon: number,
): void {
  const { parentType, blkIndent } = state;
  const marks = [state.bMarks, state.tShift, state.sCount, state.bsCount];
  const saved = marks.map((mark) => mark[startLine] ?? 0);
  state.bMarks[startLine] = Math.min(state.skipSpaces(afterColon), state.eMarks[startLine] ?? afterColon);
  state.tShift[startLine] = 0;
  state.sCount[startLine] = blkIndent + 4;
  state.bsCount[startLine] = 0;
  state.blkIndent = blkIndent + 4;
  state.parentType = "list";
  state.md.block.tokenize(state, startLine, endLine);
  state.parentType = parentType;
  state.blkIndent = blkIndent;
  for (const [at, mark] of marks.entries()) mark[startLine] = saved[at] ?? 0;
}
