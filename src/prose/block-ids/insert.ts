import { applyTextEdits, type TextEdit } from "../document/text-edit.ts";
import { type LeafPlace, type Page, readPage } from "../markdown/leaf-lines.ts";
import { strip } from "./strip.ts";
import { writeBlockId } from "./syntax.ts";

// Readings of a chapter that it may cost to find the leaves that can bear no id; novels need none, soup a few.
const MOST_TRIES = 100;

/**
 * The Markdown with each leaf's id: at the end of a paragraph or heading, on a line of its own behind code,
 * tables and HTML. `ids` are those of all leaves in document order. `takeBlockIds` returns the very text and ids, and the
 * blocks are read as they were: a leaf that would be read as another with a block id gets none, nor do scene breaks, front
 * matter, empty leaves, and code, tables and HTML in a list or quote or with something right behind them.
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

/** A block id and where it goes. */
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
    // Before the closing hashes that a heading may have.
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

/** As many of the seats as can be had together, by halves: two readings a culprit and level. */
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

/** Whether the block ids come off again without a trace, each from its leaf, and all blocks are read as without them. */
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
