import { isLeaf, isList, leafText, leavesOf } from "./leaves.ts";
import type { DocNode } from "./types.ts";

/**
 * Returns a top-level block as plain text for readers. Leaves are separated by a blank line, those of a tight list by
 * a line end; empty leaves of a container are left out. A scene break is `* * *`, an image its alternative text. The
 * signs of `withoutMarkup` are left out, the year of `yearBefore` is added. `asBefore`: as in versions before 0.3.
 */
export function readingText(block: DocNode, asBefore = false): string {
  return isLeaf(block)
    ? readLeafText(block, asBefore)
    : readParts(block, isList(block) && block.attrs?.tight !== false, asBefore);
}

function readParts(block: DocNode, tight: boolean, asBefore: boolean): string {
  const parts = (block.content ?? []).map((child) =>
    child.type === "list_item" ? readParts(child, tight, asBefore) : readingText(child, asBefore),
  );
  const text = parts.filter((part) => part !== "").join(tight ? "\n" : "\n\n");
  const year = asBefore ? undefined : yearBefore(block);
  return year === undefined ? text : (year + text).trimEnd();
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

/** Returns the year at a paragraph's start that Markdown reads as a list of one, `1984. It was cold`: "1984. ". */
function yearBefore({ type, attrs, content = [] }: DocNode): string | undefined {
  const order = Number(attrs?.order);
  if (type !== "ordered_list" || attrs?.delim !== "." || order < 1000 || order > 9999) return undefined;
  const [first, more] = content.length === 1 ? (content[0]?.content ?? []) : [];
  return first?.type === "paragraph" && more === undefined ? `${order}. ` : undefined;
}

/** Returns the years in a top-level block by the paragraphs that begin with them. */
export function yearsIn(block: DocNode, found = new Map<DocNode, string>()): ReadonlyMap<DocNode, string> {
  if (isLeaf(block)) return found;
  const year = yearBefore(block);
  if (year !== undefined) found.set(block.content![0]!.content![0]!, year); // its only leaf
  for (const child of block.content ?? []) yearsIn(child, found);
  return found;
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
