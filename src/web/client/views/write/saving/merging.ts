import type { Node } from "prosemirror-model";
import { type PlacedLeaf, placedLeaves } from "../text/leaves.ts";
import { readDocText } from "./json.ts";
import type { Doubt, ServerCopy, Wire } from "./wire.ts";

/** The server's copy after a write in doubt, and the blocks of the text that got an id from it. */
export interface Arrived {
  copy: ServerCopy;
  named: { pos: number; id: string }[];
}

/**
 * Whether a write arrived whose answer never came; undefined if it did not. A revision is one write's: either the server has
 * it as that revision, or it has it not at all. `now` is the text as it is by now.
 */
export async function findArrived(wire: Wire, doubt: Doubt, now: () => Node): Promise<Arrived | undefined> {
  const sent = readDocText(doubt.doc);
  const copy = await wire.read(doubt.revision);
  return copy !== undefined && sameWords(copy.doc, sent)
    ? { copy, named: matchNew(sent, copy.doc, now()) }
    : undefined;
}

/** Finds blocks that were sent without an id: by their text, else by its opening words. */
function matchNew(sent: Node, copy: Node, now: Node): Arrived["named"] {
  const ids = placedLeaves(copy).map(({ id }) => id);
  const open = placedLeaves(now).filter(({ id }) => id === null);
  return placedLeaves(sent).flatMap(({ id, node: { textContent } }, index) => {
    const given = ids[index];
    if (id !== null || !given) return [];
    const same = open.findIndex((leaf) => leaf.node.textContent === textContent);
    const near = open.findIndex(
      (leaf) => textContent !== "" && leaf.node.textContent.startsWith(textContent),
    );
    const at = same >= 0 ? same : near;
    const [found] = at < 0 ? [] : open.splice(at, 1);
    return found === undefined ? [] : [{ pos: found.pos, id: given }];
  });
}

/** True if two copies hold the same text, whatever their ids and mentions. */
function sameWords(a: Node, b: Node): boolean {
  const [left, right] = [placedLeaves(a), placedLeaves(b)];
  const isSame = ({ node }: PlacedLeaf, index: number) =>
    node.type === right[index]?.node.type && node.textContent === right[index].node.textContent;
  return left.length === right.length && left.every(isSame);
}
