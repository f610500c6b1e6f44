import { type Signal, signal } from "@preact/signals";
import type { Node } from "prosemirror-model";
import type { EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { randomKey } from "../../api/ask.ts";
import { refreshReads } from "../../api/reads.ts";
import type { Outline } from "../../parts/view.tsx";
import { apiWire } from "./saving/api-wire.ts";
import { browserDrafts, liveAs } from "./saving/browser-drafts.ts";
import { readDocText } from "./saving/json.ts";
import { findArrived } from "./saving/merging.ts";
import { type Editing, Saver } from "./saving/saver.ts";
import type { Draft, Wire, Written } from "./saving/wire.ts";
import { changedBlocks, changedWords, leafAt } from "./text/leaves.ts";
import { mergeTheirs } from "./text/merge.ts";
import type { Clash } from "./text/merge-blocks.ts";
import { openText, type TextOptions } from "./text/open-text.ts";

/** A chapter that is open for writing. */
export interface Writer {
  view: EditorView;
  saver: Saver;
  /** Rises with every change of the text. */
  version: Signal<number>;
  /** Rises when blocks come, go or get their ids. */
  shape: Signal<number>;
  /** The selection; undefined if it is empty. */
  range: Signal<{ from: number; to: number } | undefined>;
  /** Clashes that nobody has resolved yet. */
  clashes: Signal<readonly Clash[]>;
  /** Notes whose paragraph a save took out, and the document that had it. */
  lost: Signal<{ notes: Written["detached"]; doc: Node } | undefined>;
  /** True if unsaved text was found in this browser. */
  isRestored: boolean;
  /** Ends it: what is unsaved is kept and sent, though nobody sees it any more. */
  close(): void;
}

/** Opens a chapter; what was typed into it before and never arrived is in the text again. */
export async function openWriter(place: HTMLElement, book: Outline, chapterId: string): Promise<Writer> {
  const wire = apiWire(chapterId);
  const drafts = browserDrafts();
  const [copy, left] = await Promise.all([wire.read(), drafts.left(chapterId).catch((): Draft[] => [])]);
  const [first, ...others] = left;
  const server = copy!; // the newest revision is always there, or refused
  const start = first === undefined ? server : { doc: readDocText(first.base), revision: first.revision };
  const draftId = randomKey();
  const end = liveAs(draftId);
  const doc = first === undefined ? server.doc : readDocText(first.doc);
  const writer = create(place, { doc, language: languageOf(book), place: { bookId: book.id, chapterId } });
  const editing = editingOf(writer.view);
  writer.saver = new Saver(
    { ...start, chapterId, draftId, doubt: first?.doubt ?? null },
    {
      editing,
      wire,
      drafts,
      events: {
        onDetached: (notes, doc) => {
          writer.lost.value = { notes, doc };
        },
        onClash: (more) => {
          const isNew = (clash: Clash) => !more.some((one) => isSame(one, clash));
          writer.clashes.value = [...writer.clashes.peek().filter(isNew), ...more];
        },
      },
    },
  );
  writer.close = () => void close(writer, end);
  writer.isRestored = first !== undefined;
  if (first !== undefined) await restore(writer, wire, { first, others, editing });
  return writer;
}

/** The language that a book is in; where it names none, the browser's. */
export function languageOf({ language }: Outline): string {
  return language ?? navigator.language;
}

function isSame(a: Clash, b: Clash): boolean {
  return a.blockId === b.blockId && a.theirs?.textContent === b.theirs?.textContent;
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

function create(
  place: HTMLElement,
  { doc, ...shown }: Pick<TextOptions, "doc" | "language" | "place">,
): Writer {
  const writer = {
    version: signal(0),
    shape: signal(0),
    range: signal(undefined),
    clashes: signal<readonly Clash[]>([]),
    lost: signal(undefined),
  } as unknown as Writer;
  let last = doc;
  writer.view = openText(place, {
    doc,
    ...shown,
    onChange(transactions, { state }) {
      writer.saver?.noticed(transactions);
      const { empty, from, to } = state.selection;
      if (!empty) writer.range.value = { from, to };
      else if (writer.range.peek() !== undefined) writer.range.value = undefined;
      if (state.doc === last) return;
      const changed = changedBlocks(last, state.doc);
      if (changed !== undefined && changedWords(last, state.doc, changed) === undefined) writer.shape.value++;
      last = state.doc;
      writer.version.value++;
    },
  });
  return writer;
}

/** The text of a view; after that is gone its last state goes on, for what is still on its way. */
function editingOf(view: EditorView): Editing {
  let after: EditorState | undefined;
  const state = () => (view.isDestroyed ? (after ?? view.state) : view.state);
  return {
    state,
    dispatch(tr) {
      if (view.isDestroyed) after = state().apply(tr);
      else view.dispatch(tr);
    },
    composing(tr) {
      if (view.isDestroyed || !view.composing) return undefined;
      const here = leafAt(view.state.doc, view.state.selection.head)?.node;
      const then = leafAt(tr.doc, tr.mapping.map(view.state.selection.head))?.node;
      return here !== undefined && then?.content.eq(here.content) ? undefined : composed(view);
    },
  };
}

/** The text takes what was composed a moment after the browser says that it is. */
const COMPOSED_MS = 60;
const LOOK_AGAIN_MS = 2000;

function composed({ dom }: EditorView): Promise<void> {
  return new Promise((resolve) => {
    const end = () => setTimeout(resolve, COMPOSED_MS);
    dom.addEventListener("compositionend", end, { once: true });
    setTimeout(resolve, LOOK_AGAIN_MS); // the text may be gone by then
  });
}

async function close({ view, saver }: Writer, end: () => void): Promise<void> {
  view.destroy();
  await saver.close();
  await saver.saveAll();
  await saver.close();
  end();
  await refreshReads(); // what is shown instead has the last words too
}
