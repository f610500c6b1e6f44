import type { Answer } from "../../api/operations.ts";
import { leavesOf } from "../read/leaves.ts";
import type { DocNode } from "../read/nodes.ts";

type Comparison = Answer<"compareRevisions">;
/** A paragraph that two revisions do not share. */
export type Changed = Comparison["paragraphs"][number];

/** A paragraph of the diff: changed, or as it was. */
export type DiffRow = { blockId: string; changed: Changed } | { blockId: string; text: string };
/** Rows that are shown, or so many unchanged ones that are not. */
export type Stretch = { rows: readonly DiffRow[]; isFolded: boolean };

/** Unchanged paragraphs that are shown before and after a changed one. */
const AROUND = 1;
/** The fewest unchanged paragraphs in a row that are folded. */
const FOLDED_FROM = 3;

/** Every paragraph of both revisions once, in the order of the later one; what was taken out stands where it stood. */
export function rowsOf(before: DocNode, after: DocNode, paragraphs: readonly Changed[]): DiffRow[] {
  const changes = new Map(paragraphs.map((changed) => [changed.blockId, changed]));
  const left = leavesOf(after);
  const ids = new Set(left.map(([blockId]) => blockId));
  const goneBehind = new Map<string, DiffRow[]>();
  let last = "";
  for (const [blockId] of leavesOf(before)) {
    const changed = changes.get(blockId);
    if (ids.has(blockId)) last = blockId;
    else if (changed !== undefined)
      goneBehind.set(last, [...(goneBehind.get(last) ?? []), { blockId, changed }]);
  }
  const rows = left.flatMap(([blockId, node]): DiffRow[] => {
    const changed = changes.get(blockId);
    const row = changed === undefined ? { blockId, text: plain(node) } : { blockId, changed };
    return [row, ...(goneBehind.get(blockId) ?? [])];
  });
  return [...(goneBehind.get("") ?? []), ...rows];
}

/** Rows in stretches: long ones without a change are folded, but for their edges. */
export function folded(rows: readonly DiffRow[]): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  while (from < rows.length) {
    let to = from;
    const isChanged = "changed" in rows[from]!; // within the rows
    while (to < rows.length && "changed" in rows[to]! === isChanged) to++; // as above
    const run = rows.slice(from, to);
    const [head, tail] = [from === 0 ? 0 : AROUND, to === rows.length ? 0 : AROUND];
    if (isChanged || run.length - head - tail < FOLDED_FROM) stretches.push({ rows: run, isFolded: false });
    else {
      stretches.push({ rows: run.slice(0, head), isFolded: false });
      stretches.push({ rows: run.slice(head, run.length - tail), isFolded: true });
      stretches.push({ rows: run.slice(run.length - tail), isFolded: false });
    }
    from = to;
  }
  return stretches.filter(({ rows: { length } }) => length > 0);
}

function plain({ type, text, attrs, content }: DocNode): string {
  if (type === "hard_break") return "\n";
  if (type === "scene_break") return "* * *";
  return text ?? content?.map(plain).join("") ?? (typeof attrs?.text === "string" ? attrs.text : "");
}
