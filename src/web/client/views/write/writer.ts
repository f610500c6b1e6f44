import { type Signal, signal } from "@preact/signals";
import type { Node } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { countWords } from "../../../../text/count-words.ts";
import { applyFocus } from "./modes.ts";
import { apiWire } from "./saving/api-wire.ts";
import { browserDrafts, liveAs } from "./saving/browser-drafts.ts";
import { findArrived } from "./saving/doubt.ts";
import type { Draft } from "./saving/draft.ts";
import { readDocText } from "./saving/json.ts";
import { Saver, type SaverEvents } from "./saving/saver.ts";
import type { Wire } from "./saving/wire.ts";
import { changedBlocks, flatText, placedLeaves } from "./text/leaves.ts";
import type { Clash } from "./text/merge.ts";
import { mergeTheirs } from "./text/merge.ts";
import { openText } from "./text/open-text.ts";
import { wish } from "./wishes.ts";

/** A chapter that is open for writing. */
export interface Writer {
  view: EditorView;
  saver: Saver;
  words: Signal<number>;
  /** Rises when blocks come, go or get their ids. */
  shape: Signal<number>;
  /** What is selected; undefined where nothing is. */
  range: Signal<{ from: number; to: number } | undefined>;
  /** What two changed at once, and nobody has looked at yet. */
  clashes: Signal<readonly Clash[]>;
  /** Whether something that was typed before was found in this browser. */
  isRestored: boolean;
  /** Ends it: what is unsaved is kept and sent, though nobody sees it any more. */
  close(): void;
}

const WORDS_MS = 250;

/** Opens a chapter; what was typed into it before and never arrived is in the text again. */
export async function openWriter(
  place: HTMLElement,
  chapterId: string,
  { label, onDetached }: { label: string; onDetached: SaverEvents["onDetached"] },
): Promise<Writer> {
  const wire = apiWire(chapterId);
  const drafts = browserDrafts();
  const [copy, left] = await Promise.all([wire.read(), drafts.left(chapterId).catch((): Draft[] => [])]);
  const [first, ...others] = left;
  const server = copy!; // the newest revision is always there, or refused
  const start = first === undefined ? server : { doc: readDocText(first.base), revision: first.revision };
  const draftId = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(36)).join("");
  const end = liveAs(draftId);
  const doc = first === undefined ? server.doc : readDocText(first.doc);
  const writer = create(place, { doc, label });
  const editing = editingOf(writer.view);
  writer.saver = new Saver(
    { ...start, chapterId, draftId, doubt: first?.doubt ?? null },
    {
      editing,
      wire,
      drafts,
      events: {
        onDetached,
        onClash: (more) => {
          writer.clashes.value = [...writer.clashes.peek(), ...more];
        },
      },
    },
  );
  applyFocus(writer.view);
  writer.close = () => void close(writer, end);
  writer.isRestored = first !== undefined;
  if (first !== undefined) await restore(writer, wire, { first, others, editing });
  return writer;
}

/** A draft that is left goes on as this tab's own, and any others are merged into it. */
async function restore(
  { saver, clashes }: Writer,
  wire: Wire,
  {
    first,
    others,
    editing,
  }: { first: Draft; others: readonly Draft[]; editing: ReturnType<typeof editingOf> },
): Promise<void> {
  saver.touch([first.id]);
  for (const draft of others) {
    const doc = readDocText(draft.doc);
    const arrived = draft.doubt && (await findArrived(wire, draft.doubt, () => doc).catch(() => undefined));
    const base = arrived ? arrived.copy.doc : readDocText(draft.base);
    const merge = mergeTheirs(editing.state(), base, doc);
    editing.dispatch(merge.tr);
    clashes.value = [...clashes.peek(), ...merge.clashes];
    saver.touch([draft.id]);
  }
  void saver.save();
}

function create(place: HTMLElement, { doc, label }: { doc: Node; label: string }): Writer {
  const writer = {
    words: signal(countDocument(doc)),
    shape: signal(0),
    range: signal(undefined),
    clashes: signal<readonly Clash[]>([]),
  } as unknown as Writer;
  let last = doc;
  let timer: ReturnType<typeof setTimeout> | undefined;
  writer.view = openText(place, {
    doc,
    label,
    isCurly: () => wish("curly").peek() === "on",
    isTypewriter: () => wish("typewriter").peek() === "on",
    onChange(transactions, { state }) {
      writer.saver?.noticed(transactions);
      const { empty, from, to } = state.selection;
      if (!empty) writer.range.value = { from, to };
      else if (writer.range.peek() !== undefined) writer.range.value = undefined;
      if (state.doc === last) return;
      if (!isOneBlock(last, state.doc)) writer.shape.value++;
      last = state.doc;
      clearTimeout(timer);
      timer = setTimeout(() => {
        writer.words.value = countDocument(state.doc);
      }, WORDS_MS);
    },
  });
  return writer;
}

/** The text of a view; after that is gone its last state goes on, for what is still on its way. */
function editingOf(view: EditorView): { state(): EditorState; dispatch(tr: Transaction): void } {
  let after: EditorState | undefined;
  const state = () => (view.isDestroyed ? (after ?? view.state) : view.state);
  return {
    state,
    dispatch(tr) {
      if (view.isDestroyed) after = state().apply(tr);
      else view.dispatch(tr);
    },
  };
}

async function close({ view, saver }: Writer, end: () => void): Promise<void> {
  view.destroy();
  await saver.close();
  await saver.saveAll();
  await saver.close();
  end();
}

const counted = new WeakMap<Node, number>();

function countDocument(doc: Node): number {
  return placedLeaves(doc).reduce((sum, { node }) => {
    const words = counted.get(node) ?? (node.type.name === "raw_block" ? 0 : countWords(flatText(node)));
    counted.set(node, words);
    return sum + words;
  }, 0);
}

function isOneBlock(old: Node, now: Node): boolean {
  const changed = changedBlocks(old, now);
  const [a, b] = changed === undefined ? [] : [old.nodeAt(changed.pos), now.nodeAt(changed.pos)];
  return (
    changed === undefined ||
    (a?.nodeSize === changed.oldEnd - changed.pos &&
      b?.nodeSize === changed.nowEnd - changed.pos &&
      a.attrs.blockId === b.attrs.blockId)
  );
}
