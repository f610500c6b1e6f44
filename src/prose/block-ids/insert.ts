import { applyTextEdits, type TextEdit } from "../document/text-edit.ts";
import { type LeafPlace, type Page, readPage } from "../markdown/leaf-lines.ts";
import { strip } from "./strip.ts";
import { writeBlockId } from "./syntax.ts";

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
