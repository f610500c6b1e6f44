import { isLeaf, isList, leavesOf } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { indentOf, type LeafSpelling, readSpellings } from "../markdown/leaf-spelling.ts";
import { readsAs } from "../markdown/reads-as.ts";

/**
 * The Markdown of a list, quote or footnote in which blocks came, went or moved: what stays keeps its lines, what is new
 * takes the marks of its neighbours. `fresh` is all of it written afresh. Undefined if that does not read as `node`.
 * O(source).
 */
export function reframe(
  { node: old, source }: Pick<SourceBlock, "node" | "source">,
  { node, fresh }: { node: DocNode; fresh: string },
  definitions: string,
): string | undefined {
  if (isLeaf(old) || isLeaf(node)) return undefined;
  const [stands, comes] = [readSpellings(source), readSpellings(fresh)];
  const [before, after] = [leavesOf(old), leavesOf(node)];
  if (stands?.length !== before.length || comes?.length !== after.length) return undefined;
  const byId = new Map(before.map(({ attrs }, at) => [attrs?.blockId ?? undefined, at]));
  const from = after.map((leaf) => {
    const at = leaf.attrs?.blockId ? (byId.get(leaf.attrs.blockId) ?? -1) : -1;
    return at >= 0 && sameNode(before[at]!, leaf) ? at : -1; // an index of before
  });
  const own: Sheet = { lines: source.split("\n"), leaves: stands };
  const text = setLines(own, { lines: fresh.split("\n"), leaves: comes }, { node, from }).join("\n");
  return readsAs(text, node, definitions) ? text : undefined;
}

/** Lines, and where the leaves are in them. */
interface Sheet {
  lines: readonly string[];
  leaves: readonly LeafSpelling[];
}

function setLines(
  own: Sheet,
  fresh: Sheet,
  { node, from }: { node: DocNode; from: readonly number[] },
): string[] {
  const done: string[] = [];
  const marks: string[] = []; // what stands before each leaf now
  const seats = readSeats(node);
  for (const [at, { first, last, mark }] of fresh.leaves.entries()) {
    const stands = from[at]!; // one a leaf
    const old = own.leaves[stands];
    done.push(
      ...(old !== undefined && (stands > 0 || at === 0) ? linesBefore(own, stands) : linesBefore(fresh, at)),
    );
    if (old !== undefined && shapeOf(old.mark) === shapeOf(mark)) {
      marks.push(old.mark);
      done.push(...own.lines.slice(old.first, old.last + 1));
      continue;
    }
    const now = markOf(at, { own, fresh, from, marks, seat: seats[at]! }); // one a leaf
    const indent = indentOf(mark).length;
    marks.push(now);
    for (const [index, line] of fresh.lines.slice(first, last + 1).entries()) {
      const text = index === 0 ? line.slice(mark.length) : line.slice(indent);
      done.push(((index === 0 ? now : indentOf(now)) + text).replace(text === "" ? /[ \t]+$/ : /$/, ""));
    }
  }
  if (from.at(-1) === own.leaves.length - 1) done.push(...own.lines.slice(own.leaves.at(-1)!.last + 1)); // it is there
  return done;
}

/** What stands between a leaf and the one before it. */
function linesBefore({ lines, leaves }: Sheet, at: number): readonly string[] {
  return lines.slice((leaves[at - 1]?.last ?? -1) + 1, leaves[at]!.first); // an index of leaves
}

/** The mark of a new leaf, as its neighbours have it. */
function markOf(
  at: number,
  context: { own: Sheet; fresh: Sheet; from: readonly number[]; marks: readonly string[]; seat: Seat },
): string {
  const { own, fresh, from, marks, seat } = context;
  const { mark } = fresh.leaves[at]!; // an index of them
  const standing = seat.entries.flatMap((entry) => own.leaves[from[entry]!]?.mark ?? []); // one a leaf
  const model = [marks[seat.entries[seat.entries.indexOf(at) - 1] ?? -1], ...standing].find(
    (other) => other !== undefined && shapeOf(other) === shapeOf(mark),
  );
  if (model !== undefined) return numbered(model, { mark, standing });
  const outer = fresh.leaves[seat.outer];
  return outer === undefined ? mark : indentOf(marks[seat.outer]!) + mark.slice(outer.mark.length); // it comes before
}

/** The model with the number of the mark, unless its author gives all entries one number. */
function numbered(model: string, { mark, standing }: { mark: string; standing: readonly string[] }): string {
  const numberOf = (text: string) => NUMBER.exec(text)?.[0];
  const isOne = standing.length > 1 && new Set(standing.map(numberOf)).size === 1;
  return isOne ? model : model.replace(NUMBER, numberOf(mark) ?? "");
}

const NUMBER = /\d+(?=[.)]\s*$)/;

/** Which containers a mark opens, however it is indented and numbered. */
function shapeOf(mark: string): string {
  return mark.replace(/\d+(?=[.)])/g, "1").replace(/\s+/g, "");
}

/** Where a leaf sits among the others. */
interface Seat {
  /** The first leaf of the innermost container that begins before it; -1 for none. */
  outer: number;
  /** If it is the first of its entry: the first leaves of all entries of the list. */
  entries: readonly number[];
}

function readSeats(node: DocNode): Seat[] {
  const seats: Seat[] = [];
  const visit = (block: DocNode, outer: number, entries: readonly number[]) => {
    if (isLeaf(block)) {
      seats.push({ outer, entries });
      return;
    }
    if (isList(block)) {
      const firsts: number[] = [];
      for (const entry of block.content ?? []) {
        firsts.push(seats.length);
        visit(entry, outer, firsts);
      }
      return;
    }
    const first = seats.length;
    for (const [index, child] of (block.content ?? []).entries())
      visit(child, index === 0 ? outer : first, index === 0 ? entries : []);
  };
  visit(node, -1, []);
  return seats;
}
