import { MINTED } from "../ids.ts";
import { append } from "../text/extremes.ts";
import { applyTextEdits, type TextEdit } from "./document/text-edit.ts";
import { type LeafPlace, type Page, readPage } from "./markdown/leaf-lines.ts";

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
function strip(
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

/**
 * Writes a block's id as Obsidian does: `^b-…` for `b_…`, because Obsidian allows no underscore there. Undefined for
 * an id of another form, which would stay in the prose when read. Source: https://obsidian.md/help/links.
 */
function writeBlockId(blockId: string | null | undefined): string | undefined {
  return blockId != null && SHAPE.test(blockId) ? `^b-${blockId.slice(2)}` : undefined;
}

/** Finds the block id at the end of a leaf's Markdown, alone or after a blank, with its spelling. */
function blockIdAtEnd(text: string): { blockId: string; written: string } | undefined {
  const found = AT_END.exec(text)?.[1];
  return found === undefined ? undefined : { blockId: `b_${found}`, written: `^b-${found}` };
}

/** True if the text may hold block ids. Fast, and never false if it does. */
export function mayHoldBlockIds(text: string): boolean {
  return ANYWHERE.test(text);
}

/** Finds all block ids in a text that have blanks around them; `at` is an offset. */
export function findBlockIds(text: string): { blockId: string; written: string; at: number }[] {
  return [...text.matchAll(BETWEEN_BLANKS)].map(({ 1: found, index }) => ({
    blockId: `b_${found}`,
    written: `^b-${found}`,
    at: index,
  }));
}

const SHAPE = new RegExp(`^b_${MINTED}$`);
const AT_END = new RegExp(`(?:^|\\s)\\^b-(${MINTED})$`);
const BETWEEN_BLANKS = new RegExp(`(?<!\\S)\\^b-(${MINTED})(?!\\S)`, "g");
const ANYWHERE = new RegExp(`\\^b-${MINTED}`);

// Limit of readings of a chapter to find leaves that can hold no id. Novels need none, broken Markdown a few.
const MOST_TRIES = 100;

/**
 * Writes each leaf's id into Markdown: at the end of a paragraph or heading, on a line of its own behind code, tables
 * and HTML. `ids` are those of all leaves in document order. `takeBlockIds` returns the very text and ids, and all
 * blocks read as before. No id is written for a leaf that would read differently with one, for scene breaks, front
 * matter, empty leaves, or for code, tables and HTML in a list or quote or directly followed by text.
 */
export function insertBlockIds(markdown: string, ids: readonly (string | null)[]): string {
  const bom = markdown.startsWith("\ufeff") ? "\ufeff" : "";
  const page = readPage(markdown.slice(bom.length));
  if (page.leaves.length !== ids.length) return markdown;
  const seats = page.leaves.flatMap((place, leaf): Seat[] => {
    const written = writeBlockId(ids[leaf]);
    const seat = written === undefined ? undefined : seatOf(page, place, written);
    return seat === undefined ? [] : [{ ...seat, leaf, blockId: String(ids[leaf]) }];
  });
  let tries = MOST_TRIES;
  const safe = mostSeats(seats, (chosen) => tries-- > 0 && isSafe(page, chosen));
  return bom + applyTextEdits(page.markdown, safe);
}

/** A block id and its place. */
interface Seat extends TextEdit {
  leaf: number;
  blockId: string;
}

function seatOf({ markdown, lines }: Page, place: LeafPlace, written: string): TextEdit | undefined {
  const { kind, text, textEnd, last, isTop } = place;
  if (kind === "heading" || kind === "text") {
    if (text === "") return undefined;
    const { from, to } = lines[textEnd]!; // a leaf with text has lines
    const isHash = kind === "heading" && textEnd === last;
    // The id goes before a heading's closing hashes.
    const at = isHash ? from + markdown.slice(from, to).lastIndexOf(text) + text.length : to;
    return { from: at, to: at, insert: ` ${written}` };
  }
  const next = lines[last + 1];
  const isFree = next === undefined || markdown.slice(next.from, next.to).trim() === "";
  if (kind !== "verbatim" || !isTop || !isFree) return undefined;
  const lineEnd = /\r\n?|\n/.exec(markdown)?.[0] ?? "\n";
  const { to } = lines[last]!; // it has lines
  return { from: to, to, insert: lineEnd + lineEnd + written };
}

/** Returns as many seats as are possible together, found by halves: two readings for each bad seat and level. */
function mostSeats(
  seats: readonly Seat[],
  isSafeWith: (chosen: readonly Seat[]) => boolean,
): readonly Seat[] {
  if (seats.length === 0 || isSafeWith(seats)) return seats;
  if (seats.length === 1) return [];
  const half = seats.length >> 1;
  const first = mostSeats(seats.slice(0, half), isSafeWith);
  const second = mostSeats(seats.slice(half), isSafeWith);
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
  return isSafeWith([...first, ...second]) ? [...first, ...second] : first;
}

/** True if all block ids can be taken off again, each from its leaf, and all blocks read as without them. */
function isSafe(page: Page, seats: readonly Seat[]): boolean {
  const marked = readPage(applyTextEdits(page.markdown, seats));
  const { markdown, found } = strip(marked);
  if (markdown !== page.markdown || found.length !== seats.length) return false;
  const areInPlace = found.every(({ blockId, line }, index) => {
    const seat = seats[index]!; // of one length
    const { first, last } = page.leaves[seat.leaf]!; // a seat is a leaf's
    return blockId === seat.blockId && line !== undefined && line >= first && line <= last;
  });
  return (
    areInPlace &&
    isSameOutline(page, marked, new Set(found.flatMap(({ isAlone, leaf }) => (isAlone ? [leaf] : []))))
  );
}

function isSameOutline(page: Page, marked: Page, added: ReadonlySet<number>): boolean {
  const steps = marked.steps.filter(({ leaf }) => !added.has(leaf));
  const leaves = marked.leaves.filter((_, index) => !added.has(index));
  return (
    steps.length === page.steps.length &&
    steps.every(({ says }, index) => says === page.steps[index]!.says) && // of one length
    leaves.length === page.leaves.length &&
    leaves.every(({ text }, index) => text.startsWith(page.leaves[index]!.text)) // as above
  );
}
