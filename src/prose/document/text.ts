import { isLeaf, isList, leafText, leavesOf, nodeOf } from "./leaves.ts";
import type { DocNode } from "./types.ts";

/**
 * Returns a top-level block as plain text for readers. Leaves are separated by a blank line, those of a tight list by
 * a line end; empty leaves of a container are left out. A scene break is `* * *`, an image its alternative text. The
 * signs of `withoutMarkup` are left out, the years of `yearsIn` are added. `asBefore`: as in versions before 0.3.
 */
export function readingText(block: DocNode, asBefore = false): string {
  return isLeaf(block)
    ? readLeafText(block, asBefore)
    : readParts(block, isList(block) && block.attrs?.tight !== false, asBefore);
}

function readParts(block: DocNode, tight: boolean, asBefore: boolean): string {
  const years = asBefore ? undefined : shownYears(block);
  const parts = (block.content ?? []).map((child, at) => {
    const isEntry = child.type === "list_item";
    const text = isEntry ? readParts(child, tight, asBefore) : readingText(child, asBefore);
    return years === undefined ? text : (years[at] + text).trimEnd();
  });
  return parts.filter((part) => part !== "").join(tight ? "\n" : "\n\n");
}

function readLeafText(leaf: DocNode, asBefore: boolean): string {
  if (leaf.type === "scene_break" || (!asBefore && partsScenes(leaf))) return "* * *";
  let text = "";
  const own = leaf.content ?? [];
  const content = asBefore || leaf.type === "raw_block" ? own : withoutMarkup(leaf);
  for (const child of content) {
    if (child.text !== undefined) text += child.text;
    else if (child.type === "hard_break") text += "\n";
    else if (child.type === "image") text += (child.attrs?.alt as string | null | undefined) ?? "";
  }
  return content.every((child, at) => child === own[at]) ? text : text.trim();
}

// Two signs that Markdown takes for something else than whoever wrote them.

/** A node, also in the page's form. */
interface Sign {
  type: string;
  attrs?: Readonly<Record<string, unknown>> | undefined;
  content?: readonly unknown[] | undefined;
}

/** True if a leaf parts two scenes: a scene break, or a lone `#`, which Markdown reads as an empty heading. */
export function partsScenes({ type, attrs, content = [] }: Sign): boolean {
  return type === "scene_break" || (type === "heading" && attrs?.level === 1 && content.length === 0);
}

/**
 * Returns the numbers of a list whose entries are a paragraph each and that begins between 1000 and 9999: paragraphs
 * that begin with years, for Markdown a list, `1914. War` and `1918. Peace`. An entry that has no number of its own
 * counts on. Undefined for any other list.
 */
function yearsOf({ type, attrs, content = [] }: DocNode): number[] | undefined {
  if (type !== "ordered_list") return undefined;
  let next = attrs?.order as number;
  const years = content.map((entry) => {
    const year = (entry.attrs?.value as number | undefined) ?? next;
    next = Math.min(year + 1, 999_999_999);
    return year;
  });
  const [first = 0] = years;
  const isPlain = ({ content: [only, more] = [] }: DocNode) =>
    only?.type === "paragraph" && more === undefined;
  return first >= 1000 && first <= 9999 && content.every(isPlain) ? years : undefined;
}

/**
 * Returns a list of years with its year on every entry, which keeps it wherever it goes; any other list without. A
 * list begins with the number of its first entry.
 */
export function settleYears(list: DocNode): DocNode {
  const years = yearsOf(list);
  const content = (list.content ?? []).map((entry, at): DocNode => {
    if (entry.attrs?.value === years?.[at]) return entry;
    const { attrs: _, type, ...rest } = entry;
    return years === undefined ? { type, ...rest } : { type, attrs: { value: years[at] }, ...rest };
  });
  const order = list.content?.[0]?.attrs?.value ?? list.attrs?.order;
  if (list.type === "ordered_list" && order !== list.attrs?.order)
    return { ...list, attrs: { ...list.attrs, order }, content };
  return content.every((entry, at) => entry === list.content?.[at]) ? list : { ...list, content };
}

/**
 * Returns the years of a list as readers see them: "1918. ". Versions before 0.3 kept that of a single paragraph only.
 */
function shownYears(list: DocNode): string[] | undefined {
  const entries = list.content ?? [];
  const isKept = entries.length === 1 || entries.every(({ attrs }) => attrs?.value !== undefined);
  return isKept && list.attrs?.delim === "." ? yearsOf(list)?.map((year) => `${year}. `) : undefined;
}

/** Returns the years in a top-level block by the paragraphs that begin with them. */
export function yearsIn(block: DocNode, found = new Map<DocNode, string>()): ReadonlyMap<DocNode, string> {
  if (isLeaf(block)) return found;
  const entries = block.content ?? [];
  for (const [at, year] of shownYears(block)?.entries() ?? []) found.set(entries[at]!.content![0]!, year); // one each
  for (const child of entries) yearsIn(child, found);
  return found;
}

// Numbers at which entries begin, behind the marks of containers: with as few blanks as at the top, or any.
const NUMBERS = [" {0,3}", String.raw`[ \t]*`].map(
  (blanks) =>
    new RegExp(
      String.raw`^(?:[ \t]*(?:>|[-*+](?=[ \t])|\[\^[^\]\s]+\]:))*${blanks}(\d{1,9})[.)](?=[ \t]|$)`,
      "gm",
    ),
);

/**
 * Returns the node of a stored block. Versions before 0.3 kept of years in a row the first: the others are read from
 * the Markdown, if as many numbers begin lines there as there are entries.
 */
export function storedNode(row: { readonly node: string; readonly source: string }): DocNode {
  const node = nodeOf(row);
  if (!/"order":[1-9]\d{3},/.test(row.node) || row.node.includes('"value":')) return node;
  for (const pattern of NUMBERS) {
    const numbers = Array.from(row.source.matchAll(pattern), ([, number]) => Number(number));
    let at = 0;
    const read = (block: DocNode): DocNode => {
      if (isLeaf(block)) return block;
      const content = (block.content ?? []).map((child) => {
        const value = block.type === "ordered_list" ? numbers[at++] : undefined;
        return value === undefined ? read(child) : { ...read(child), attrs: { value } };
      });
      return settleYears({ ...block, content });
    };
    const found = read(node);
    if (at === numbers.length) return found;
  }
  return node;
}

// Signs of other writing programs without a node in Markdown. They stay text, but readers do not see them.
const ATTRIBUTE = String.raw`(?:[.#][\w:-]+|[\w-]+=(?:"[^"\n]*"|[^\s"{}]+)|-(?=\s*\}))`;
const ATTRIBUTES = String.raw`\{:?\s*${ATTRIBUTE}(?:\s+${ATTRIBUTE})*\s*\}`;
const MARKUP = new RegExp(
  [
    "%%(?:[^%]|%(?!%))*%%", // a comment in Obsidian
    String.raw`\{\{(?:[<%](?:(?!\{\{)[^])*?[>%])?\}\}`, // a shortcode in Hugo or Quarto; Markdown may have read a tag in it
    String.raw`!\[\[[^[\]\n]*\]\]`, // an embedded file
    String.raw`\[\[(?:[^[\]|\n]*\|)?(?<link>[^[\]\n]*)\]\]`,
    String.raw`\[(?<span>[^[\]\n]*)\]${ATTRIBUTES}`,
    ATTRIBUTES,
    String.raw`^ {0,3}:{3,}[^\n]*\n?`, // a line that opens or closes a div
    String.raw`^\[!\w[\w|-]*\][+-]?`, // what kind of callout a quote is
    String.raw`\\(?:newpage|pagebreak|clear(?:double)?page|(?:big|med|small)skip|noindent|[vh]fill|(?:[vh]space\*?|begin|end)\{[^{}\n]*\})(?![A-Za-z])`,
  ].join("|"),
  "dgm",
);
/** Possible beginnings of such markup. */
const MAY_BE_MARKUP = /%%|\{[{.#:\w\s-]|\[[[!]|:::|\\[a-z]/;

/** True if a text holds markup that readers do not see. */
export function holdsMarkup(text: string): boolean {
  return MAY_BE_MARKUP.test(text) && placesOf(text).length > 0;
}

/**
 * Returns a leaf's content as readers see it, without comments, link targets, attributes and other signs, or with
 * `blank` for each of their characters. The same array if there are none. Code stays as it is. Linear.
 */
export function withoutMarkup(leaf: DocNode, blank: "" | " " = ""): readonly DocNode[] {
  const content = leaf.content ?? [];
  if (leaf.type === "code_block" || !content.some(({ text }) => text && MAY_BE_MARKUP.test(text)))
    return content;
  const places = placesOf(content.map(readable).join(""));
  if (places.length === 0) return content;
  let offset = 0;
  let next = 0;
  return content.map((child) => {
    if (child.text === undefined) return child;
    const behind = offset + child.text.length;
    let text = "";
    for (let at = offset; at < behind; ) {
      const [from, to] = places[next] ?? [behind, behind];
      if (from > at) text += child.text.slice(at - offset, Math.min(from, behind) - offset);
      text += blank.repeat(Math.max(0, Math.min(to, behind) - Math.max(from, at)));
      at = Math.min(to, behind);
      if (to <= behind) next += 1;
    }
    offset = behind;
    return { ...child, text };
  });
}

/** Stands within a sign of markup that was typed as text. Nobody sees it. */
const WORD_JOINER = "\u2060";

/**
 * Returns inline content that holds no markup: it was typed where such signs mean nothing, and a word joiner within
 * each lets readers see them. The same array if there are none.
 */
export function asTyped(content: DocNode[]): DocNode[] {
  if (!content.some(({ text }) => text && MAY_BE_MARKUP.test(text))) return content;
  const places = placesOf(content.map(readable).join(""));
  if (places.length === 0) return content;
  let offset = 0;
  let next = 0;
  const parted = content.map((child) => {
    if (child.text === undefined) return child;
    const start = offset;
    offset += child.text.length;
    let text = "";
    let from = start;
    for (let at = places[next]?.[0]; at !== undefined && at < offset; at = places[++next]?.[0]) {
      text += child.text.slice(from - start, at + 1 - start) + WORD_JOINER;
      from = at + 1;
    }
    return { ...child, text: text + child.text.slice(from - start) };
  });
  return asTyped(parted); // what is no comment any more may hold a link
}

/** Returns a text as it was typed, without the joiners of `asTyped`. */
export function withoutJoiners(text: string): string {
  return text.replace(/(?<=[%{}[\]!:\\])\u2060/g, "");
}

/** Returns an inline node's text, for code a letter for each character. */
function readable({ text = "", marks = [] }: DocNode): string {
  return marks.some(({ type }) => type === "code") ? "x".repeat(text.length) : text;
}

type Place = readonly [from: number, to: number];

/** Returns the stretches that readers do not see, in order. */
function placesOf(text: string): Place[] {
  const places: Place[] = [];
  for (const { index, 0: all, indices } of text.matchAll(MARKUP)) {
    const shown = indices?.groups?.link ?? indices?.groups?.span;
    const end = index + all.length;
    if (shown === undefined) places.push([index, end]);
    else places.push([index, shown[0]], [shown[1], end]);
  }
  return places;
}

/**
 * A leaf's text as readers see its words: `leafText`, with a line end or blank wherever another node parts them.
 * `added` are the offsets in `text` of these characters, ascending.
 */
export interface ShownText {
  text: string;
  added: readonly number[];
}

const LETTER_END = /[\p{L}\p{N}\p{M}]$/u;
const LETTER_START = /^[\p{L}\p{N}\p{M}]/u;

/**
 * Returns the shown text of a leaf. A hard break and `<br>` become a line end, a picture or a footnote's number
 * between two letters a blank; other tags part no word. A leaf `one⏎two` with a hard break has the text `onetwo` and
 * is shown as `one\ntwo`, `added` [3].
 */
export function shownText(leaf: DocNode): ShownText {
  const content = leaf.content ?? [];
  if (content.every(({ text }) => text !== undefined)) return { text: leafText(leaf), added: [] };
  let shown = "";
  let isParted = false;
  const added: number[] = [];
  const add = (unit: string) => {
    added.push(shown.length);
    shown += unit;
  };
  for (const child of content) {
    if (child.text !== undefined) {
      if (isParted && LETTER_END.test(shown) && LETTER_START.test(child.text)) add(" ");
      shown += child.text;
      isParted = false;
    } else if (breaksLine(child)) add("\n");
    else if (partsWords(child)) isParted = true;
  }
  return { text: shown, added };
}

/**
 * Returns a block's leaves with their shown texts. A paragraph whose year Markdown took for a list begins with the
 * year.
 */
export function shownLeaves(block: DocNode): (ShownText & { leaf: DocNode })[] {
  const years = yearsIn(block);
  return leavesOf(block).map((leaf) => {
    const { text, added } = shownText(leaf);
    const year = years.get(leaf) ?? "";
    const before = Array.from(year, (_, at) => at);
    return { leaf, text: year + text, added: [...before, ...added.map((at) => at + year.length)] };
  });
}

function breaksLine({ type, attrs }: DocNode): boolean {
  return type === "hard_break" || (type === "raw_inline" && /^<br\b/i.test(String(attrs?.text)));
}

function partsWords({ type, attrs }: DocNode): boolean {
  return (
    type === "image" ||
    type === "footnote_ref" ||
    (type === "raw_inline" && /^<img\b/i.test(String(attrs?.text)))
  );
}

/** Maps a stretch of the leaf's own text to its shown text. */
export function toShown<Stretch extends { from: number; to: number }>(
  stretch: Stretch,
  added: readonly number[],
): Stretch {
  let { from, to } = stretch;
  for (const at of added) {
    if (at <= from) from += 1;
    if (at < to) to += 1;
  }
  return { ...stretch, from, to: Math.max(from, to) };
}

/** Maps a stretch of the shown text to the leaf's own text. */
export function toOwn<Stretch extends { from: number; to: number }>(
  stretch: Stretch,
  added: readonly number[],
): Stretch {
  const before = (offset: number): number => added.filter((at) => at < offset).length;
  return { ...stretch, from: stretch.from - before(stretch.from), to: stretch.to - before(stretch.to) };
}
