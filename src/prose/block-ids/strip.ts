import { append } from "../../text/extremes.ts";
import { applyTextEdits } from "../document/text-edit.ts";
import { type LeafPlace, type Page, readPage } from "../markdown/leaf-lines.ts";
import { blockIdAtEnd, findBlockIds, mayHoldBlockIds } from "./syntax.ts";

/** Markdown without block ids, and the id of each leaf; null for a leaf without one. */
export interface WithoutBlockIds {
  markdown: string;
  ids: readonly (string | null)[];
}

/**
 * Takes off block ids in our form: at the end of a paragraph or heading, and in a paragraph of their own behind code,
 * a table or HTML. Those that `isOwn` accepts are also taken from within a paragraph, where somebody wrote on behind
 * them or joined two paragraphs. An id that occurs twice counts at its first place; one that belongs to no leaf is
 * only removed. Everything else stays. Costs a search if there are none, else about as much as parsing.
 */
export function takeBlockIds(markdown: string, isOwn?: (blockId: string) => boolean): WithoutBlockIds {
  if (!mayHoldBlockIds(markdown)) return { markdown, ids: [] };
  const bom = markdown.startsWith("\ufeff") ? "\ufeff" : "";
  const stripped = strip(readPage(markdown.slice(bom.length)), isOwn);
  if (stripped.found.length === 0) return { markdown, ids: [] };
  return { markdown: bom + stripped.markdown, ids: idsByLeaf(readPage(stripped.markdown), stripped.found) };
}

/**
 * A block id that was taken off. `line` is its leaf's in the text without block ids; undefined if it belongs to none.
 */
export interface TakenBlockId {
  /** Index of the leaf that held the id, in the text with block ids. */
  leaf: number;
  isAlone: boolean;
  blockId: string;
  line: number | undefined;
}

/** Text to cut along with a block id: offsets, and a number of lines. */
interface Cut {
  from: number;
  to: number;
  lines: number;
}

/** Returns the text of a page without its block ids. In one paragraph the last id comes first. */
export function strip(
  page: Page,
  isOwn?: (blockId: string) => boolean,
): { markdown: string; found: readonly TakenBlockId[] } {
  const found: TakenBlockId[] = [];
  const cuts: Cut[] = [];
  let cutLines = 0;
  page.leaves.forEach((place, leaf) => {
    if (place.text === "") return;
    const end = blockIdAtEnd(place.text);
    const cut = end && cutOfLast(page, place, end.written);
    const inner = isOwn ? innerBlockIds(page, place, cut).filter(({ blockId }) => isOwn(blockId)) : [];
    cutLines += inner.reduce((sum, { lines }) => sum + lines, 0);
    const isAlone = place.isTop && place.text === end?.written;
    const host = isAlone ? hostBefore(page.leaves, leaf) : place.textEnd - (cut?.lines ?? 0);
    const line = host === undefined ? undefined : host - cutLines;
    for (const { blockId } of [...(end && cut ? [end] : []), ...inner])
      found.push({ leaf, isAlone, blockId, line });
    append(cuts, cut ? [...inner, cut] : inner);
    cutLines += cut?.lines ?? 0;
  });
  return { markdown: applyTextEdits(page.markdown, cuts), found };
}

/** Returns the block ids in a leaf before the one at its end. */
function innerBlockIds(
  { markdown, lines }: Page,
  { first, textEnd }: LeafPlace,
  end: Cut | undefined,
): (Cut & { blockId: string })[] {
  const from = lines[first]!.from; // a leaf with text has lines
  const text = markdown.slice(from, end?.from ?? lines[textEnd]!.to); // as above
  return mayHoldBlockIds(text) ? findBlockIds(text).map(cutOf) : [];

  function cutOf({ blockId, written, at }: ReturnType<typeof findBlockIds>[number]) {
    const start = from + at;
    const to = start + written.length;
    const line = lines.slice(first, textEnd + 1).find((range) => range.to >= to)!; // the block id stands on one
    const isWholeLine = line.to === to && /^[\s>]*$/.test(markdown.slice(line.from, start));
    if (isWholeLine && line.from > from) {
      const before = lines[lines.indexOf(line, first) - 1]!; // it is not the first one
      return { blockId, from: before.to, to, lines: 1 };
    }
    if (start > line.from) return { blockId, from: start - 1, to, lines: 0 };
    const behind = /^(?:[ \t]|\r\n?|\n)?/.exec(markdown.slice(to, to + 2))![0]; // matches also nothing
    return { blockId, from: start, to: to + behind.length, lines: Number(/[\r\n]/.test(behind)) };
  }
}

/** Returns the cut for an id on the leaf's last line; undefined if it is elsewhere. */
function cutOfLast(
  { markdown, lines }: Page,
  { text, textEnd, isTop }: LeafPlace,
  written: string,
): Cut | undefined {
  const isBlank = (line: number) => {
    const range = lines[line];
    return range === undefined || markdown.slice(range.from, range.to).trim() === "";
  };
  const { from, to } = lines[textEnd]!; // a leaf with text has lines
  const at = markdown.slice(from, to).lastIndexOf(written);
  if (at < 0) return undefined;
  const before = lines[textEnd - 1];
  const isWrapped = text.endsWith(`\n${written}`);
  if (before !== undefined && (isWrapped || (isTop && text === written))) {
    const withBlank = !isWrapped && textEnd > 1 && isBlank(textEnd - 1) && isBlank(textEnd + 1);
    return withBlank
      ? { from: lines[textEnd - 2]?.to ?? before.to, to, lines: 2 }
      : { from: before.to, to, lines: 1 };
  }
  const hasBlank = at > 0 && /\s/.test(markdown.charAt(from + at - 1));
  return { from: from + at - Number(hasBlank), to: from + at + written.length, lines: 0 };
}

/** Returns the last line of the code, table or HTML that a block id on its own line belongs to. */
function hostBefore(leaves: readonly LeafPlace[], leaf: number): number | undefined {
  const host = leaves[leaf - 1];
  return host?.isTop && host.kind === "verbatim" ? host.last : undefined;
}

function idsByLeaf({ leaves, lines }: Page, found: readonly TakenBlockId[]): (string | null)[] {
  const leafAt = new Int32Array(lines.length).fill(-1);
  for (const [index, { first, last }] of leaves.entries()) {
    if (last >= 0) leafAt.fill(index, first, last + 1);
  }
  const ids = new Array<string | null>(leaves.length).fill(null);
  const used = new Set<string>();
  for (const { blockId, line } of found) {
    const leaf = line === undefined ? -1 : (leafAt[line] ?? -1);
    if (leaf < 0 || ids[leaf] !== null || used.has(blockId)) continue;
    used.add(blockId);
    ids[leaf] = blockId;
  }
  return ids;
}
