import type { Token } from "markdown-it";

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
 * Whether the list that opens at `at` is tight: markdown-it hides the paragraphs of a tight list; one whose entries
 * hold none directly is tight unless a blank line parts its blocks.
 */
export function isTight(tokens: readonly Token[], at: number): boolean {
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
