import "../writer.ts";
import type { JSX } from "preact";
import type { Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import { Button } from "../../../parts/button.tsx";
import { findLeaf, isLeafBlock } from "../text/leaves.ts";
import type { Clash } from "../text/merge-blocks.ts";
import type { Writer } from "../writer.ts";

interface CardProps {
  clash: Clash;
  writer: Writer;
  /** The paragraph that it is shown beside. */
  beside: string;
  onDone: () => void;
}

/** Two changed the same words: mine are in the text, theirs here, until one says what shall stand. */
export function View({ clash, writer, beside, onDone }: CardProps): JSX.Element {
  const { theirs, isHere } = clash;
  const { view } = writer;
  const run = (change?: (tr: Transaction) => Transaction) => () => {
    if (change !== undefined) view.dispatch(change(view.state.tr).scrollIntoView());
    onDone();
    view.focus();
  };
  return (
    <section class="note clash" role="alert">
      <b>Also changed elsewhere</b>
      <p>
        {theirs === null
          ? "Deleted there; yours is in the text."
          : isHere
            ? "Yours is in the text. Theirs:"
            : "You deleted this. Theirs:"}
      </p>
      {theirs !== null && <q dir="auto">{theirs.textBetween(0, theirs.content.size, " ")}</q>}
      <p>
        <Button onClick={run()}>{isHere ? "Keep mine" : "Leave it out"}</Button>{" "}
        {theirs === null ? (
          <Button onClick={run((tr) => takeOut(tr, clash))}>Delete it</Button>
        ) : (
          <>
            {isHere && <Button onClick={run((tr) => takeTheirs(tr, clash, theirs))}>Take theirs</Button>}{" "}
            <Button onClick={run((tr) => addTheirs(tr, clash, theirs, beside))}>
              {isHere ? "Both" : "Put it back"}
            </Button>
          </>
        )}
      </p>
    </section>
  );
}

/** Where the block of a clash is: the leaf, or the list or quotation that it is the first of. */
function spot({ doc }: Transaction, { blockId, theirs }: Clash): { from: number; to: number } | undefined {
  const leaf = findLeaf(doc, blockId);
  if (leaf === undefined) return undefined;
  const $pos = doc.resolve(leaf.pos);
  if ($pos.depth === 0 || (theirs !== null && isLeafBlock(theirs)))
    return { from: leaf.pos, to: leaf.pos + leaf.node.nodeSize };
  return { from: $pos.before(1), to: $pos.after(1) };
}

function takeOut(tr: Transaction, clash: Clash): Transaction {
  const at = spot(tr, clash);
  return at === undefined ? tr : tr.deleteRange(at.from, at.to);
}

function takeTheirs(tr: Transaction, clash: Clash, theirs: Node): Transaction {
  const at = spot(tr, clash);
  return at === undefined ? tr : tr.replaceWith(at.from, at.to, theirs);
}

/** Theirs behind mine, or where mine is gone with its id behind the block that it stood behind. */
function addTheirs(tr: Transaction, clash: Clash, theirs: Node, near: string | null): Transaction {
  const at = spot(tr, clash);
  if (at !== undefined) return tr.insert(at.to, withoutIds(theirs));
  const before = near === null ? undefined : findLeaf(tr.doc, near);
  const $before = before && tr.doc.resolve(before.pos);
  const end =
    $before === undefined
      ? 0
      : $before.depth > 0
        ? $before.after(1)
        : $before.pos + (before?.node.nodeSize ?? 0);
  return tr.insert(end, theirs);
}

function withoutIds(node: Node): Node {
  if (isLeafBlock(node)) return node.type.create({ ...node.attrs, blockId: null }, node.content);
  return node.type.create(node.attrs, node.children.map(withoutIds));
}
