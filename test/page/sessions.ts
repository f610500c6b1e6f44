import { joinBackward, splitBlock } from "prosemirror-commands";
import { Fragment, type Node } from "prosemirror-model";
import { EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { ids } from "../../src/web/client/views/write/text/ids.ts";
import { placedLeaves } from "../../src/web/client/views/write/text/leaves.ts";
import { mergeTheirs } from "../../src/web/client/views/write/text/merge.ts";
import { schema } from "../../src/web/client/views/write/text/schema.ts";
import { randomFrom } from "../support/random.ts";

// Two who write on one chapter at once, each word that they add their own: whatever comes of it, no word may be lost or doubled.

/** What came of one session. */
export interface Outcome {
  clashes: number;
  /** What is wrong, nothing if all is well. */
  faults: string[];
  /** The three documents, for whoever looks into a fault. */
  told: string;
}

interface Session {
  draw(below: number): number;
  state: EditorState;
  words: string[];
}

const WORDS = "abcdefgh";

/** One session, the same for the same seed. */
export function runSession(seed: number, merge: typeof mergeTheirs = mergeTheirs): Outcome {
  const random = randomFrom(seed);
  for (let skipped = 0; skipped < 8; skipped++) random();
  const draw = (below: number) => Math.floor(random() * below);
  const base = makeBase(draw);
  const mine: Session = { draw, state: EditorState.create({ doc: base, plugins: [ids] }), words: [] };
  for (let count = 1 + draw(6); count > 0; count--) writeMine(mine);
  const { doc: theirs, words } = writeTheirs(draw, base);
  const told = `BASE   ${base}\nMINE   ${mine.state.doc}\nTHEIRS ${theirs}`;
  const outcome: Outcome = { clashes: 0, faults: [], told };
  try {
    const { tr, clashes } = merge(mine.state, base, theirs);
    const merged = mine.state.applyTransaction(tr).state.doc;
    merged.check();
    outcome.clashes = clashes.length;
    outcome.told += `\nMERGED ${merged}`;
    const aside = clashes.map(({ theirs: their }) => (their === null ? "" : textOf(their))).join(" ");
    const all = { mine: mine.words.filter((word) => count(textOf(mine.state.doc), word) > 0), theirs: words };
    findFaults(outcome, merged, aside, all);
  } catch (thrown) {
    outcome.faults.push(`threw ${thrown instanceof Error ? thrown.stack : thrown}`);
  }
  return outcome;
}

function findFaults(
  { faults }: Outcome,
  merged: Node,
  aside: string,
  words: { mine: readonly string[]; theirs: readonly string[] },
): void {
  const text = textOf(merged);
  for (const word of words.mine) if (count(text, word) === 0) faults.push(`lost mine: ${word}`);
  for (const word of words.theirs)
    if (count(`${text} ${aside}`, word) === 0) faults.push(`lost theirs: ${word}`);
  for (const word of [...words.mine, ...words.theirs])
    if (count(text, word) > 1) faults.push(`doubled: ${word}`);
  const held = placedLeaves(merged).flatMap(({ id }) => (id === null ? [] : [id]));
  if (new Set(held).size < held.length) faults.push("an id twice");
}

function textOf(doc: Node): string {
  return doc.textBetween(0, doc.content.size, " ");
}

function count(text: string, word: string): number {
  return text.match(new RegExp(`\\b${word}\\b`, "g"))?.length ?? 0;
}

function paragraph(id: string | null, text: string): Node {
  return schema.nodes.paragraph.create({ blockId: id }, text === "" ? null : schema.text(text));
}

function list(entries: readonly Node[]): Node {
  return schema.nodes.bullet_list.create(
    null,
    entries.map((entry) => schema.nodes.list_item.create(null, entry)),
  );
}

/** Three to eight paragraphs, at times a list or a quotation among them. */
function makeBase(draw: Session["draw"]): Node {
  let ids = 0;
  const text = () =>
    Array.from({ length: 4 + draw(8) }, () => (WORDS[draw(8)] ?? "a").repeat(1 + draw(4))).join(" ");
  const one = () => paragraph(`b${ids++}`, `${text()}.`);
  const blocks = Array.from({ length: 3 + draw(6) }, () => {
    const kind = draw(12);
    if (kind === 0) return list(Array.from({ length: 2 + draw(3) }, one));
    if (kind === 1) return schema.nodes.blockquote.create(null, [one(), one()]);
    return one();
  });
  return schema.nodes.doc.create(null, blocks);
}

/** One thing that a writer does: types a word, splits, joins, deletes. */
function writeMine(session: Session): void {
  const { draw } = session;
  const leaves = placedLeaves(session.state.doc);
  const { pos, node } = leaves[draw(leaves.length)]!; // below their number
  const at = pos + 1 + draw(node.content.size + 1);
  const apply = (tr: Transaction) => {
    session.state = session.state.applyTransaction(tr).state;
  };
  const place = (offset: number) =>
    apply(session.state.tr.setSelection(TextSelection.near(session.state.doc.resolve(offset))));
  const deed = draw(6);
  if (deed <= 2) {
    const word = `m${session.words.length}`;
    session.words.push(word);
    apply(session.state.tr.insertText(` ${word} `, at));
  } else if (deed === 3) {
    place(at);
    splitBlock(session.state, apply);
  } else if (deed === 4) {
    place(pos + 1);
    joinBackward(session.state, apply);
  } else if (leaves.length > 2) apply(session.state.tr.deleteRange(pos, pos + node.nodeSize));
}

/** What a script makes of the stored document: edits, additions, deletions, moves, paragraphs put into lists. */
function writeTheirs(draw: Session["draw"], base: Node): { doc: Node; words: string[] } {
  const said: string[] = [];
  let fresh = 0;
  let blocks = base.children.slice();
  const word = () => {
    said.push(`t${said.length}`);
    return said.at(-1) as string;
  };
  for (let count = 1 + draw(5); count > 0; count--) {
    const index = draw(blocks.length);
    const block = blocks[index]!; // below their number
    const deed = draw(8);
    if (deed <= 2) blocks[index] = editLeaf(draw, block, word());
    else if (deed === 3) blocks.splice(index, 0, paragraph(`n${fresh++}`, `New ${word()}.`));
    else if (deed === 4 && blocks.length > 2) blocks.splice(index, 1);
    else if (deed === 5 && block.type === schema.nodes.bullet_list)
      blocks[index] = block.copy(
        block.content.append(list([paragraph(`n${fresh++}`, `New ${word()}.`)]).content),
      );
    else if (deed === 6 && block.type === schema.nodes.paragraph) blocks[index] = list([block]);
    else blocks = moved(draw, blocks, index);
  }
  const doc = schema.nodes.doc.create(null, blocks);
  return { doc, words: said.filter((one) => count(textOf(doc), one) > 0) };
}

function moved(draw: Session["draw"], blocks: readonly Node[], index: number): Node[] {
  const rest = blocks.toSpliced(index, 1);
  return rest.toSpliced(draw(rest.length + 1), 0, blocks[index] as Node);
}

function editLeaf(draw: Session["draw"], block: Node, word: string): Node {
  if (!block.isTextblock) {
    const index = draw(block.childCount);
    return block.copy(block.content.replaceChild(index, editLeaf(draw, block.child(index), word)));
  }
  const words = block.textContent.split(" ");
  words.splice(draw(words.length + 1), 0, word);
  return block.copy(Fragment.from(schema.text(words.join(" ").trim())));
}
