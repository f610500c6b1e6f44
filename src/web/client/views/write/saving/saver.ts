import { type Signal, signal } from "@preact/signals";
import type { Node } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { Mapping } from "prosemirror-transform";
import { asProblem, type Problem } from "../../../api/problem.ts";
import { isFromServer, nameBlocks } from "../text/ids.ts";
import { listMentions } from "../text/mentions.ts";
import { mergeTheirs } from "../text/merge.ts";
import type { Clash } from "../text/merge-blocks.ts";
import { type Changes, changesBetween, newlyNamed, toStore, withIds, withLeaf } from "./changes.ts";
import { docText } from "./json.ts";
import { findArrived } from "./merging.ts";
import { type Doubt, type Drafts, isInDoubt, type ServerCopy, type Wire, type Written } from "./wire.ts";

/** How what was typed stands. */
export type SaveState =
  | { kind: "saved"; at: Date | undefined }
  | { kind: "unsaved" | "saving" | "offline" | "signed-out" }
  | { kind: "refused"; message: string };

/** The text that is edited. */
export interface Editing {
  state(): EditorState;
  dispatch(tr: Transaction): void;
  /** While this would change the paragraph that is being composed in, the end of the composing: it would be doubled. */
  composing?(tr: Transaction): Promise<void> | undefined;
}

/** The events of a saver. */
export interface SaverEvents {
  onClash(clashes: readonly Clash[]): void;
  onDetached(detached: Written["detached"], lost: Node): void;
}

/** With what a saver begins. */
export interface SaverStart extends ServerCopy {
  chapterId: string;
  /** Of this tab's draft. */
  draftId: string;
  doubt: Doubt | null;
}

const IDLE_MS = 1000;
const AT_MOST_MS = 8000;
const DRAFT_MS = 100;
const AGAIN_MS = 3000;
/** The number of times a write is tried again at once when another's came before. */
const MOST_TRIES = 6;

/**
 * Keeps what is typed: in this browser a tenth of a second after a key, on the server a second after the last. Knows the
 * server's last document and its revision; what others wrote meanwhile is merged in, and what was sent without an answer
 * is looked for before anything else is sent.
 */
export class Saver {
  readonly state: Signal<SaveState> = signal<SaveState>({ kind: "saved", at: undefined });
  readonly revision: Signal<number>;
  saved: Node;

  readonly #start: SaverStart;
  readonly #editing: Editing;
  readonly #wire: Wire;
  readonly #drafts: Drafts;
  readonly #events: SaverEvents;
  /** Drafts of tabs that are gone, whose words are in the text: they go once this tab's draft is kept. */
  #taken: readonly string[] = [];
  #doubt: Doubt | null;
  /** How often something was typed, and how much of it is saved. */
  #typed = 0;
  #savedTyped = 0;
  #during: Mapping | undefined;
  #saving: Promise<void> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;
  #unsavedSince: number | undefined;

  constructor(start: SaverStart, to: { editing: Editing; wire: Wire; drafts: Drafts; events: SaverEvents }) {
    this.#start = start;
    this.#editing = to.editing;
    this.#wire = to.wire;
    this.#drafts = to.drafts;
    this.#events = to.events;
    this.#doubt = start.doubt;
    this.saved = start.doc;
    this.revision = signal(start.revision);
  }

  /** True if something typed is not on the server. */
  get isUnsaved(): boolean {
    return this.#typed !== this.#savedTyped;
  }

  /** Takes note of what was done to the text. */
  noticed(transactions: readonly Transaction[]): void {
    for (const tr of transactions) {
      if (!tr.docChanged) continue;
      this.#during?.appendMapping(tr.mapping);
      if (!isFromServer(tr)) this.touch();
    }
  }

  /** Says that the text is not as it was saved; `instead` are drafts whose words are in it. */
  touch(instead: readonly string[] = []): void {
    this.#typed++;
    this.#taken = [...this.#taken, ...instead];
    if (this.state.peek().kind === "saved") this.state.value = { kind: "unsaved" };
    this.#draftTimer ??= setTimeout(() => void this.keepDraft(), DRAFT_MS);
    this.#saveSoon();
  }

  /** Saves what is unsaved, and all that is typed until that is done. */
  save(): Promise<void> {
    clearTimeout(this.#saveTimer);
    this.#saving ??= this.#saveAll().finally(() => {
      this.#saving = undefined;
      if (/^(?:unsaved|saving)$/.test(this.state.peek().kind)) this.#saveSoon();
    });
    return this.#saving;
  }

  /** Saves until nothing is left, or something stands against it. */
  async saveAll(): Promise<void> {
    for (let rounds = 0; this.isUnsaved && rounds < 20; rounds++) {
      await this.save();
      if (!/^(?:unsaved|saving|saved)$/.test(this.state.peek().kind)) return;
    }
  }

  /** The server has another revision: it is taken in. */
  async catchUp(revision: number): Promise<void> {
    if (revision <= this.revision.peek() || this.#saving !== undefined) return;
    if (this.isUnsaved) return this.save();
    this.#saving = this.#ready(() => this.#takeTheirs()).finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
    if (this.isUnsaved) await this.save();
  }

  /** Keeps what is unsaved in this browser, at once. */
  async keepDraft(): Promise<void> {
    clearTimeout(this.#draftTimer);
    this.#draftTimer = undefined;
    if (!this.isUnsaved) return;
    const taken = this.#taken;
    try {
      await this.#drafts.keep(
        {
          id: this.#start.draftId,
          chapterId: this.#start.chapterId,
          revision: this.revision.peek(),
          base: docText(this.saved),
          doc: docText(this.#editing.state().doc),
          doubt: this.#doubt,
        },
        taken,
      );
      this.#taken = this.#taken.filter((id) => !taken.includes(id));
    } catch {
      // A browser that keeps nothing: then the server alone has it, a second later.
    }
  }

  /** Ends the timers; what is unsaved is kept in this browser. */
  async close(): Promise<void> {
    clearTimeout(this.#saveTimer);
    await this.keepDraft();
  }

  /** A second after the last key, and eight after the first at the latest. */
  #saveSoon(): void {
    if (!this.isUnsaved) return;
    this.#unsavedSince ??= Date.now();
    const left = this.#unsavedSince + AT_MOST_MS - Date.now();
    this.#saveIn(Math.max(0, Math.min(IDLE_MS, left)));
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => void this.save(), ms);
  }

  async #saveAll(): Promise<void> {
    await this.#ready(async () => {
      await this.#resolveDoubt();
      let tries = 0;
      while (this.isUnsaved && !(await this.#sendOnce())) {
        await this.#takeTheirs();
        if (++tries === MOST_TRIES) return;
      }
      if (hasNewMentions(this.saved)) await this.#takeTheirs();
      await this.#settled();
    });
  }

  /** Sends what there is now; false if another's write came before. */
  async #sendOnce(): Promise<boolean> {
    this.#unsavedSince = undefined;
    const typed = this.#typed;
    const changes = changesBetween(this.saved, toStore(this.#editing.state().doc, this.saved));
    if (changes !== undefined && !(await this.#send(changes))) return false;
    this.#savedTyped = typed;
    return true;
  }

  /** Runs what asks the server; what it refuses is shown, and tried again where that may help. */
  async #ready(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (thrown) {
      const problem = asProblem(thrown);
      this.state.value = stateOf(problem);
      await this.keepDraft();
      if (problem.isOffline || problem.status >= 429) this.#saveIn(AGAIN_MS);
    }
  }

  /** Ends a save: the sent text is saved; anything typed since waits for its turn. */
  async #settled(): Promise<void> {
    if (this.isUnsaved) {
      this.state.value = { kind: "unsaved" };
      return this.keepDraft();
    }
    this.state.value = { kind: "saved", at: new Date() };
    try {
      await this.#drafts.drop(this.#start.draftId);
    } catch {
      // Kept nowhere, so nothing is to be dropped.
    }
    if (this.isUnsaved) await this.keepDraft(); // typed while the draft was dropped
  }

  /** Sends what changed; false if another's write came before. */
  async #send(changes: Changes): Promise<boolean> {
    this.state.value = { kind: "saving" };
    this.#during = new Mapping();
    try {
      if (changes === "whole") return await this.#write(this.#editing.state().doc, undefined);
      for (const leaf of changes.leaves)
        if (!(await this.#write(withLeaf(this.saved, leaf), leaf))) return false;
      return true;
    } finally {
      this.#during = undefined;
    }
  }

  async #write(typed: Node, leaf: Node | undefined): Promise<boolean> {
    const expected = toStore(typed, this.saved);
    const revision = this.revision.peek();
    // On its way it is in doubt: a browser that is killed now must not take it for another's when it comes back.
    this.#doubt = { revision: revision + 1, doc: docText(expected) };
    await this.keepDraft();
    try {
      const written = await (leaf === undefined
        ? this.#wire.writeDoc(expected, revision)
        : this.#wire.writeLeaf(leaf, revision));
      this.#doubt = null;
      this.#arrived(typed, expected, written);
      return true;
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (!isInDoubt(problem)) this.#doubt = null;
      // 404: another took out the paragraph that was sent.
      if (problem.status === 412 || (problem.status === 404 && leaf !== undefined)) return false;
      throw problem;
    }
  }

  /** The server has the document: its new blocks get their ids, wherever they are by now. */
  #arrived(typed: Node, expected: Node, { revision, ids, detached }: Written): void {
    const lost = this.saved;
    const named = ids === undefined ? expected : withIds(expected, ids);
    this.saved = named;
    this.revision.value = revision;
    const fresh = newlyNamed(typed, named);
    const during = this.#during ?? new Mapping();
    if (fresh.length > 0) {
      const tr = nameBlocks(this.#editing.state(), fresh, (pos) => during.mapResult(pos, 1));
      if (tr.docChanged) this.#editing.dispatch(tr);
    }
    if (detached.length > 0) this.#events.onDetached(detached, lost);
  }

  #composing(tr: Transaction): Promise<void> | undefined {
    return this.#editing.composing?.(tr);
  }

  /** Merges the server's document into the text. */
  async #takeTheirs(): Promise<void> {
    const copy = await this.#wire.read();
    if (copy === undefined) return;
    const { doc, revision } = copy;
    let merge = mergeTheirs(this.#editing.state(), this.saved, doc);
    for (let wait = this.#composing(merge.tr); wait !== undefined; wait = this.#composing(merge.tr)) {
      await wait;
      merge = mergeTheirs(this.#editing.state(), this.saved, doc);
    }
    const { tr, clashes } = merge;
    this.saved = doc;
    this.revision.value = revision;
    if (tr.docChanged) this.#editing.dispatch(tr);
    if (clashes.length > 0) this.#events.onClash(clashes);
    const isLeft = changesBetween(doc, toStore(this.#editing.state().doc, doc)) !== undefined;
    if (isLeft && !this.isUnsaved) this.#typed++;
  }

  /** Before anything else is sent: what was sent without an answer may be there. */
  async #resolveDoubt(): Promise<void> {
    if (this.#doubt === null) return;
    const arrived = await findArrived(this.#wire, this.#doubt, () => this.#editing.state().doc);
    this.#doubt = null;
    if (arrived === undefined) return;
    this.saved = arrived.copy.doc;
    this.revision.value = arrived.copy.revision;
    const tr = nameBlocks(this.#editing.state(), arrived.named, (pos) => ({ pos, deleted: false }));
    if (tr.docChanged) this.#editing.dispatch(tr);
  }
}

/** True if a document has mentions that the server has not numbered yet. */
function hasNewMentions(doc: Node): boolean {
  return listMentions(doc, 0, doc.content.size).some(({ mark }) => mark.attrs.mentionId === null);
}

function stateOf(problem: Problem): SaveState {
  if (problem.isOffline) return { kind: "offline" };
  if (problem.status === 401) return { kind: "signed-out" };
  return { kind: "refused", message: problem.message };
}
