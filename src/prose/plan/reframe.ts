import { isLeaf, isList, leavesOf } from "../document/leaves.ts";
import { sameNode } from "../document/same-node.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { indentOf, type LeafSpelling, readSpellings } from "../markdown/leaf-spelling.ts";
import { readsAs } from "../parse.ts";

/**
 * Writes the Markdown of a list, quote or footnote in which blocks came, went or moved. Unchanged blocks keep their
 * lines, new ones take the marks of their neighbours. `fresh` is all of it newly written. Undefined if the result
 * does not read as `node`. O(source).
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

/** Lines, and the places of leaves in them. */
interface Sheet {
  lines: readonly string[];
  leaves: readonly LeafSpelling[];
}

function setLines(
  own: Sheet,
  fresh: Sheet,
  { node, from }: { node: DocNode; from: readonly number[] },
): string[] {
  const done: (readonly string[])[] = [];
  const marks: string[] = []; // what stands before each leaf now
  const seats = readSeats(node);
  const models = new Map<readonly number[], Model>();
  for (const [at, { first, last, mark }] of fresh.leaves.entries()) {
    const stands = from[at]!; // one a leaf
    const old = own.leaves[stands];
    const isLed = old !== undefined && stands > 0 === at > 0; // what begins a list or quote stays its beginning
    done.push(isLed ? linesBefore(own, stands) : linesBefore(fresh, at));
    if (old !== undefined && shapeOf(old.mark) === shapeOf(mark)) {
      marks.push(old.mark);
      done.push(own.lines.slice(old.first, old.last + 1));
      continue;
    }
    const seat = seats[at]!; // one a leaf
    const standing = () => seat.entries.map((entry) => own.leaves[from[entry]!]); // as above
    const model = models.get(seat.entries) ?? readModel(standing());
    models.set(seat.entries, model);
    const now = markOf(mark, { seat, model, marks, outer: fresh.leaves[seat.outer]?.mark });
    marks.push(now);
    done.push(fresh.lines.slice(first, last + 1).map((line, index) => withMark(line, { mark, now, index })));
  }
  if (from.at(-1) === own.leaves.length - 1) done.push(own.lines.slice(own.leaves.at(-1)!.last + 1)); // it is there
  return done.flat();
}

/** Replaces the mark of a leaf's line, the first or a further one. */
function withMark(line: string, { mark, now, index }: { mark: string; now: string; index: number }): string {
  const text = line.slice(index === 0 ? mark.length : indentOf(mark).length);
  const before = index === 0 ? now : indentOf(now);
  return text === "" ? before.trimEnd() : before + text;
}

/** Returns the lines between a leaf and the one before it. */
function linesBefore({ lines, leaves }: Sheet, at: number): readonly string[] {
  return lines.slice((leaves[at - 1]?.last ?? -1) + 1, leaves[at]!.first); // an index of leaves
}

/** Marks of a list's existing entries. */
interface Model {
  /** First mark of each shape. */
  marks: ReadonlyMap<string, string>;
  /** True if its author gives all of them one number. */
  isOne: boolean;
}

function readModel(entries: readonly (LeafSpelling | undefined)[]): Model {
  const standing = entries.flatMap((entry) => entry?.mark ?? []);
  const marks = new Map(standing.toReversed().map((mark) => [shapeOf(mark), mark]));
  const isOne = standing.length > 1 && new Set(standing.map((mark) => NUMBER.exec(mark)?.[0])).size === 1;
  return { marks, isOne };
}

/**
 * Returns the mark of a new leaf, as its neighbours have it; `outer` is that of the leaf before which its container
 * begins.
 */
function markOf(
  mark: string,
  context: { seat: Seat; model: Model; marks: readonly string[]; outer: string | undefined },
): string {
  const { seat, model, marks, outer } = context;
  const last = marks[seat.before];
  const shape = shapeOf(mark);
  const found = last !== undefined && shapeOf(last) === shape ? last : model.marks.get(shape);
  if (found !== undefined) return model.isOne ? found : found.replace(NUMBER, NUMBER.exec(mark)?.[0] ?? "");
  return outer === undefined ? mark : indentOf(marks[seat.outer]!) + mark.slice(outer.length); // it comes before
}

const NUMBER = /\d+(?=[.)]\s*$)/;

/** Returns which containers a mark opens, whatever its indentation and number. */
function shapeOf(mark: string): string {
  return mark.replace(/\d+(?=[.)])/g, "1").replace(/\s+/g, "");
}

/** Position of a leaf among the others. */
interface Seat {
  /** First leaf of the innermost container that begins before it; -1 for none. */
  outer: number;
  /** For the first leaf of an entry: the first leaves of all entries of the list, and that of the entry before it. */
  entries: readonly number[];
  before: number;
}

function readSeats(node: DocNode): Seat[] {
  const seats: Seat[] = [];
  const visit = (block: DocNode, seat: Seat) => {
    if (isLeaf(block)) seats.push(seat);
    else if (isList(block)) {
      const entries: number[] = [];
      for (const entry of block.content ?? []) {
        const before = entries.at(-1) ?? -1;
        entries.push(seats.length);
        visit(entry, { outer: seat.outer, entries, before });
      }
    } else {
      const outer = seats.length;
      for (const [index, child] of (block.content ?? []).entries())
        visit(child, index === 0 ? seat : { outer, entries: [], before: -1 });
    }
  };
  visit(node, { outer: -1, entries: [], before: -1 });
  return seats;
}
