import { markAtEnd, mayBeMarked } from "./block-marks.ts";
import { type LeafPlace, type Page, readPage } from "./places.ts";

/** A Markdown text without marks, and the block that each of its leaves is by them; null for one without a mark. */
export interface Unmarked {
  markdown: string;
  ids: readonly (string | null)[];
}

/**
 * Takes the marks of our shape off: each at the end of a paragraph or heading, and each that is a paragraph of its own
 * behind code, a table or HTML. One that stands there twice counts for its first place, one that belongs to no leaf for
 * none. Nothing else is touched. Costs a search where there are none, else about what parsing costs.
 */
export function takeMarks(markdown: string): Unmarked {
  if (!mayBeMarked(markdown)) return { markdown, ids: [] };
  const bom = markdown.startsWith("\ufeff") ? "\ufeff" : "";
  const stripped = strip(readPage(markdown.slice(bom.length)));
  if (stripped.marks.length === 0) return { markdown, ids: [] };
  return { markdown: bom + stripped.markdown, ids: idsByLeaf(readPage(stripped.markdown), stripped.marks) };
}

/** A mark as it stood: `line` is one of its leaf in the text without marks, undefined where it belongs to none. */
export interface TakenMark {
  /** Index of the leaf that held the mark, in the text with marks. */
  leaf: number;
  isAlone: boolean;
  blockId: string;
  line: number | undefined;
}

/** The text of a page without its marks. */
export function strip(page: Page): { markdown: string; marks: readonly TakenMark[] } {
  const marks: TakenMark[] = [];
  const kept: string[] = [];
  let copied = 0;
  let gone = 0;
  page.leaves.forEach((place, leaf) => {
    const found = place.kind === "text" || place.kind === "heading" ? markAtEnd(place.text) : undefined;
    const cut = found && cutOf(page, place, found.mark);
    if (found === undefined || cut === undefined) return;
    const isAlone = place.isTop && place.text === found.mark;
    const host = isAlone ? hostBefore(page.leaves, leaf) : place.textEnd - cut.lines;
    marks.push({ leaf, isAlone, blockId: found.blockId, line: host === undefined ? undefined : host - gone });
    kept.push(page.markdown.slice(copied, cut.from));
    copied = cut.to;
    gone += cut.lines;
  });
  return { markdown: kept.join("") + page.markdown.slice(copied), marks };
}

/** What goes with a mark: offsets, and how many lines. Undefined where the mark is not on the leaf's last line. */
function cutOf(
  { markdown, lines }: Page,
  { text, textEnd, isTop }: LeafPlace,
  mark: string,
): { from: number; to: number; lines: number } | undefined {
  const isBlank = (line: number) => {
    const range = lines[line];
    return range === undefined || markdown.slice(range.from, range.to).trim() === "";
  };
  const { from, to } = lines[textEnd]!; // a leaf with text has lines
  const at = markdown.slice(from, to).lastIndexOf(mark);
  if (at < 0) return undefined;
  const before = lines[textEnd - 1];
  const isWrapped = text.endsWith(`\n${mark}`);
  if (before !== undefined && (isWrapped || (isTop && text === mark))) {
    const withBlank = !isWrapped && textEnd > 1 && isBlank(textEnd - 1) && isBlank(textEnd + 1);
    return withBlank ? { from: lines[textEnd - 2]!.to, to, lines: 2 } : { from: before.to, to, lines: 1 };
  }
  const hasBlank = at > 0 && /\s/.test(markdown.charAt(from + at - 1));
  return { from: from + at - Number(hasBlank), to: from + at + mark.length, lines: 0 };
}

/** The last line of the code, table or HTML that a mark on a line of its own is of. */
function hostBefore(leaves: readonly LeafPlace[], leaf: number): number | undefined {
  const host = leaves[leaf - 1];
  return host?.isTop && host.kind === "verbatim" ? host.last : undefined;
}

function idsByLeaf({ leaves, lines }: Page, marks: readonly TakenMark[]): (string | null)[] {
  const leafAt = new Int32Array(lines.length).fill(-1);
  for (const [index, { first, last }] of leaves.entries()) {
    if (last >= 0) leafAt.fill(index, first, last + 1);
  }
  const ids = new Array<string | null>(leaves.length).fill(null);
  const used = new Set<string>();
  for (const { blockId, line } of marks) {
    const leaf = line === undefined ? -1 : (leafAt[line] ?? -1);
    if (used.has(blockId)) continue;
    used.add(blockId);
    if (leaf >= 0) ids[leaf] ??= blockId;
  }
  return ids;
}
