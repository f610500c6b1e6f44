import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import type { BlockId, ChapterId } from "../../src/ids.ts";
import { RevisionConflict } from "../../src/refusals.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import type { Caller, Manuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { Problem } from "../../src/web/client/api/problem.ts";
import { asStored, readDocText, readStored } from "../../src/web/client/views/write/saving/json.ts";
import { Saver } from "../../src/web/client/views/write/saving/saver.ts";
import type { Draft, Drafts, Wire } from "../../src/web/client/views/write/saving/wire.ts";
import { ids } from "../../src/web/client/views/write/text/ids.ts";
import { placedLeaves } from "../../src/web/client/views/write/text/leaves.ts";
import type { Clash } from "../../src/web/client/views/write/text/merge-blocks.ts";
import { randomFrom } from "../support/random.ts";
import { manuscript } from "../support/sandbox.ts";

const caller: Caller = { source: "api" };
const START = "The ferry was late.\n\nNobody asked.\n\nRain came in.";

/** What becomes of a write on its way: it arrives, never arrives, or arrives and its answer does not. */
type Fate = "arrives" | "lost" | "unanswered";

/** A tab of a browser, without the browser: the text, its saver and the drafts that outlive both. */
class Desk {
  readonly drafts = new Map<string, Draft>();
  readonly clashes: Clash[] = [];
  state!: EditorState; // from `open`, which every test begins with
  saver!: Saver; // likewise
  fate: () => Fate = () => "arrives";
  readonly #manuscript: Manuscript;
  readonly #chapterId: ChapterId;

  constructor(own: Manuscript, chapterId: ChapterId) {
    this.#manuscript = own;
    this.#chapterId = chapterId;
  }

  /** Opens the chapter, with the draft that a tab left behind. */
  async open(): Promise<this> {
    const [draft] = this.drafts.values();
    const server = (await this.#wire.read())!; // the newest is there
    const start = draft ? { doc: readDocText(draft.base), revision: draft.revision } : server;
    this.state = EditorState.create({ doc: draft ? readDocText(draft.doc) : server.doc, plugins: [ids] });
    const start2 = { ...start, chapterId: this.#chapterId, draftId: `d${Math.trunc(start.revision)}` };
    this.saver = new Saver(
      { ...start2, doubt: draft?.doubt ?? null },
      {
        editing: { state: () => this.state, dispatch: (tr) => this.dispatch(tr) },
        wire: this.#wire,
        drafts: this.#drafts,
        events: { onClash: (more) => this.clashes.push(...more), onDetached: () => {} },
      },
    );
    if (draft) this.saver.touch([draft.id]);
    return this;
  }

  dispatch(tr: EditorState["tr"]): void {
    const { state, transactions } = this.state.applyTransaction(tr);
    this.state = state;
    this.saver.noticed(transactions);
  }

  type(text: string, at: number): void {
    this.dispatch(this.state.tr.insertText(text, at));
  }

  /** A new paragraph behind the one of this number. */
  add(text: string, behind: number): void {
    const { pos, node } = placedLeaves(this.state.doc)[behind]!; // as the test knows
    this.dispatch(
      this.state.tr.insert(
        pos + node.nodeSize,
        node.type.create({ blockId: null }, this.state.schema.text(text)),
      ),
    );
  }

  get text(): string {
    return textOf(this.state.doc);
  }

  readonly #drafts: Drafts = {
    keep: async (draft, instead = []) => {
      for (const id of instead) this.drafts.delete(id);
      this.drafts.set(draft.id, structuredClone(draft));
    },
    drop: async (id) => void this.drafts.delete(id),
    left: async () => [...this.drafts.values()],
  };

  readonly #wire: Wire = {
    read: async (revision) => {
      try {
        const query = { format: "doc", ...(revision === undefined ? {} : { revision }) } as const;
        const answer = readChapterAnswer(this.#manuscript, this.#chapterId, query);
        return { doc: readStored((answer as unknown as { doc: unknown }).doc), revision: answer.revision };
      } catch {
        return undefined;
      }
    },
    writeLeaf: async (node, ifRevision) => {
      const on = { chapterId: this.#chapterId, blockId: node.attrs.blockId as BlockId };
      const body = { node: { ...asStored(node) }, ifRevision, mentions: "keep" as const };
      const { revision, act } = this.#send(() => replaceParagraph(this.#manuscript, on, body, caller));
      return { revision, act: act ?? null, ids: undefined, detached: [] };
    },
    writeDoc: async (doc, ifRevision) => {
      const body = { doc: asStored(doc) as { type: "doc" }, ifRevision, mentions: "keep" as const };
      const answer = this.#send(() => replaceProse(this.#manuscript, this.#chapterId, body, caller));
      const { revision, act, blocks, snippetsDetached } = answer;
      return {
        revision,
        act: act ?? null,
        ids: blocks.map(({ blockId }) => blockId),
        detached: snippetsDetached,
      };
    },
  };

  #send<Answer>(write: () => Answer): Answer {
    const fate = this.fate();
    if (fate === "lost") throw new Problem(0, "offline", "lost");
    try {
      const answer = write();
      if (fate === "unanswered") throw new Problem(0, "offline", "unanswered");
      return answer;
    } catch (thrown) {
      if (thrown instanceof RevisionConflict) throw new Problem(412, "revision_conflict", thrown.message);
      throw thrown;
    }
  }
}

function chapter(t: TestContext, markdown = START): { own: Manuscript; chapterId: ChapterId } {
  const own = manuscript(t);
  const { id } = createBook(own, { title: "A Trial" }, caller);
  return { own, chapterId: createChapter(own, id, { title: "One", markdown }, caller).id as ChapterId };
}

function textOf(doc: Node): string {
  return doc.textBetween(0, doc.content.size, "\n\n");
}

function stored(own: Manuscript, chapterId: ChapterId): string {
  return (readChapterAnswer(own, chapterId, { format: "text" }) as unknown as { text: string }).text;
}

describe("Saver", () => {
  it("saves a new paragraph once, although no answer came, and goes on with the id that it has got", async (t) => {
    const { own, chapterId } = chapter(t);
    const desk = await new Desk(own, chapterId).open();
    desk.add("A new one.", 0);
    desk.fate = () => "unanswered";
    await desk.saver.save();
    assert.equal(desk.saver.state.peek().kind, "offline");
    desk.type(" More.", desk.state.doc.child(0).nodeSize + "A new one.".length + 1);
    desk.fate = () => "arrives";
    await desk.saver.saveAll();
    assert.equal(stored(own, chapterId), START.replace("late.", "late.\n\nA new one. More."));
    assert.equal(desk.drafts.size, 0);
    await desk.saver.close();
  });

  it("a tab that is killed on the way leaves one copy of what it sent", async (t) => {
    const { own, chapterId } = chapter(t);
    const desk = await new Desk(own, chapterId).open();
    desk.add("A new one.", 0);
    desk.fate = () => "unanswered";
    await desk.saver.save();
    await desk.saver.close();
    desk.fate = () => "arrives";
    await desk.open(); // the same browser, its drafts still there
    await desk.saver.saveAll();
    assert.equal(stored(own, chapterId), START.replace("late.", "late.\n\nA new one."));
    assert.equal(desk.text, stored(own, chapterId));
    assert.deepEqual(desk.clashes, []);
    await desk.saver.close();
  });

  it("two who write at once over a bad line lose nothing and double nothing", async (t) => {
    const { own, chapterId } = chapter(t);
    const random = randomFrom(11);
    const draw = (below: number) => Math.floor(random() * below);
    const fate = (): Fate =>
      (["arrives", "arrives", "arrives", "lost", "unanswered"] as const)[draw(5)] ?? "lost";
    const desks = [await new Desk(own, chapterId).open(), await new Desk(own, chapterId).open()];
    const words: string[] = [];
    for (let count = 0; count < 60; count++) {
      const desk = desks[draw(2)]!; // there are two
      const word = `w${count}`;
      words.push(word);
      const leaves = placedLeaves(desk.state.doc);
      const index = draw(leaves.length);
      if (draw(3) === 0) desk.add(`${word}.`, index);
      else desk.type(` ${word}`, leaves[index]!.pos + 1 + leaves[index]!.node.content.size); // below their number
      desk.fate = fate;
      if (draw(2) === 0) await desk.saver.save();
      if (draw(12) === 0) {
        await desk.saver.close();
        await desk.open();
      }
    }
    for (const desk of [...desks, ...desks]) {
      desk.fate = () => "arrives";
      await desk.saver.saveAll();
      await desk.saver.catchUp(Number.POSITIVE_INFINITY);
      await desk.saver.close();
    }
    const aside = desks
      .flatMap((desk) => desk.clashes.map(({ theirs }) => theirs?.textContent ?? ""))
      .join(" ");
    const text = stored(own, chapterId);
    const times = (word: string, within: string) => within.split(new RegExp(`\\b${word}\\b`)).length - 1;
    assert.deepEqual(
      words.filter((word) => times(word, text) > 1),
      [],
      "doubled",
    );
    assert.deepEqual(
      words.filter((word) => times(word, `${text} ${aside}`) === 0),
      [],
      "lost",
    );
    for (const desk of desks) assert.equal(desk.text, text);
  });

  it("keeps what is typed while a save is on its way, and its place", async (t) => {
    const { own, chapterId } = chapter(t);
    const desk = await new Desk(own, chapterId).open();
    desk.add("Between.", 1);
    desk.fate = () => {
      desk.type("Before. ", 1);
      desk.fate = () => "arrives";
      return "arrives";
    };
    await desk.saver.saveAll();
    assert.equal(stored(own, chapterId), `Before. ${START.replace("asked.", "asked.\n\nBetween.")}`);
    assert.equal(new Set(placedLeaves(desk.state.doc).map(({ id }) => id)).size, 4);
    assert.ok(placedLeaves(desk.state.doc).every(({ id }) => id !== null));
    await desk.saver.close();
  });

  it("sends italics that end where Markdown can say it, and no paragraph that nobody has touched", async (t) => {
    const untouched = "An *old*, *odd&#32;*&#111;ne.";
    const { own, chapterId } = chapter(t, `${START}\n\n${untouched}`);
    const desk = await new Desk(own, chapterId).open();
    const { em } = desk.state.schema.marks;
    desk.dispatch(desk.state.tr.insertText("“No,” ", 1).addMark(1, 7, em!.create())); // every schema of the page has it
    desk.dispatch(desk.state.tr.insertText("so", 7));
    desk.dispatch(desk.state.tr.removeMark(7, 9, em!)); // likewise
    desk.add(" And on.", 1);
    await desk.saver.saveAll();
    const answer = readChapterAnswer(own, chapterId, { format: "markdown" });
    assert.equal(
      (answer as unknown as { markdown: string }).markdown,
      `*“No,”* so${START.replace("asked.", "asked.\n\nAnd on.")}\n\n${untouched}`,
    );
    await desk.saver.close();
  });
});
