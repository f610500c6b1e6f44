import type { MarkdownIt, Token } from "markdown-it";

const BREAK = /^<br\s*\/?>$/i;
const MARKS = new Set(["em", "strong", "s", "link"]);

/**
 * Before a tag or link at the start of a line it says "still a paragraph" and no more; everywhere else, and to every
 * other reader of Markdown, it is a joiner of no width.
 */
export const NOTHING = "&NoBreak;";

/**
 * Reads the inline Markdown of one top-level block's tokens and tidies them up, in place: runs of text joined, soft
 * breaks as `\n`, `<br>` as a hard break, a mark within the same mark dropped (emphasis in emphasis), a lone `&nbsp;` as
 * an empty paragraph, each list's tightness decided. Block by block, so that what a block leaves behind dies young.
 */
export function readInlines(md: MarkdownIt, tokens: readonly Token[], env: object): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type === "inline") {
      md.inline.parse(token.content, md, env, token.children ?? []);
      tidyInline(token, tokens[at - 1]?.type === "paragraph_open");
    } else if (token.type === "bullet_list_open" || token.type === "ordered_list_open") {
      token.meta = { tight: isTight(tokens, at) };
    }
  }
}

function tidyInline(token: Token, inParagraph: boolean): void {
  const children = token.children ?? [];
  if (inParagraph && token.content === "&nbsp;") token.children = [];
  else if (children.length > 1 || (children[0] && children[0].type !== "text")) {
    token.children = tidyChildren(children);
  }
}

function tidyChildren(children: readonly Token[]): Token[] {
  const tidied: Token[] = [];
  const depth: Record<string, number> = {};
  for (const [at, child] of children.entries()) {
    if (child.markup === NOTHING && isGuarded(children[at + 1]) && startsLine(tidied.at(-1))) continue;
    if (child.type === "text_special") child.type = "text";
    else if (child.type === "html_inline" && BREAK.test(child.content)) child.type = "hardbreak";
    const last = tidied.at(-1);
    if (child.type === "softbreak") {
      // The line end behind <br> belongs to it; the one behind a backslash was read with it.
      if (last?.type === "hardbreak" && last.content !== "") continue;
      child.type = "text";
      child.content = "\n";
    }
    if (child.type === "text" && last?.type === "text") last.content += child.content;
    else if (!isRepeated(child, depth)) tidied.push(child);
  }
  return tidied;
}

function startsLine(last: Token | undefined): boolean {
  return last === undefined || last.content.endsWith("\n") || last.type === "hardbreak";
}

function isGuarded(next: Token | undefined): boolean {
  return next?.type === "html_inline" || next?.type === "link_open";
}

// Opens and closes are nested properly, so counting finds the pairs within a pair of the same kind.
function isRepeated(token: Token, depth: Record<string, number>): boolean {
  if (token.nesting === 0) return false;
  const mark = token.type.slice(0, token.type.lastIndexOf("_"));
  if (!MARKS.has(mark)) return false;
  const open = depth[mark] ?? 0;
  depth[mark] = open + token.nesting;
  return token.nesting === 1 ? open > 0 : open > 1;
}

/**
 * Joins what markdown-it takes apart: an empty entry and two blank lines end its list, although the next line goes on
 * with it. Changes the tokens in place. Source: CommonMark 0.31.2, 5.3.
 */
export function mendLists(tokens: Token[]): void {
  const lists: Token[] = [];
  let kept = 0;
  for (const token of tokens) {
    const list = lists[token.level];
    if (list?.map && token.map && endsEmpty(tokens, kept) && isContinued(tokens[kept - 1] as Token, token)) {
      kept--;
      list.map[1] = token.map[1];
      list.meta = { loose: true };
      continue;
    }
    if (token.type === "bullet_list_open" || token.type === "ordered_list_open") lists[token.level] = token;
    tokens[kept++] = token;
  }
  tokens.length = kept;
}

function endsEmpty(tokens: readonly Token[], end: number): boolean {
  return tokens[end - 2]?.type === "list_item_close" && tokens[end - 3]?.type === "list_item_open";
}

function isContinued(close: Token, open: Token): boolean {
  if (close.type !== "bullet_list_close" && close.type !== "ordered_list_close") return false;
  return open.nesting === 1 && open.tag === close.tag && open.markup === close.markup;
}

/**
 * True if the list that opens at `at` is tight. markdown-it hides the paragraphs of a tight list; a list whose
 * entries directly hold none is tight unless a blank line parts its blocks.
 */
function isTight(tokens: readonly Token[], at: number): boolean {
  const list = tokens[at] as Token;
  if ((list.meta as { loose?: boolean } | null)?.loose) return false;
  let end = 0;
  let parted = false;
  for (let next = at + 1; next < tokens.length; next++) {
    const token = tokens[next] as Token;
    if (token.level === list.level) break;
    if (token.level === list.level + 2 && token.type === "paragraph_open") return token.hidden;
    if (!token.map || token.type === "inline") continue;
    if (end > 0 && token.level <= list.level + 2 && token.map[0] > end) parted = true;
    end = isLeafToken(token) ? token.map[1] : token.map[0] + 1;
  }
  return !parted;
}

function isLeafToken(token: Token): boolean {
  return !/(?:list|list_item|blockquote|footnote)_open$/.test(token.type);
}
