import assert from "node:assert/strict";
import { leafText, leavesOf } from "../../src/prose/document/leaves.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { Conflict } from "../../src/refusals.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { joinChapters, splitChapter } from "../../src/service/books/split-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { parseReady } from "../../src/service/present.ts";
import { deleteParagraph, insertParagraphs } from "../../src/service/prose/paragraphs.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { acceptProposal } from "../../src/service/review/accept-proposal.ts";
import { propose } from "../../src/service/review/propose.ts";
import { groupBy } from "../../src/text/group-by.ts";
import { dump } from "../support/dump.ts";
import { OWNER } from "../support/sample.ts";

/** A paragraph as its words; every word is written once in a history, so it says where it comes from. */
interface Paragraph {
  id: string;
  words: readonly string[];
}

interface Edit {
  op: "replace" | "insert_after" | "delete";
  blockId: string | null;
  markdown?: string;
  /** The words of the paragraph when it was proposed. */
  base: readonly string[];
  next: readonly string[];
}

interface Proposed {
  id: string;
  edits: readonly Edit[];
}

/** A chapter in which a writer writes while others propose, and what is known of each word. */
export class History {
  readonly #own: Manuscript;
  readonly #random: () => number;
  readonly #bookId: string;
  readonly #proposals: Proposed[] = [];
  /** What each chapter said at each of its revisions. */
  readonly #known = new Map<string, Map<number, readonly Paragraph[]>>();
  #count = 0;

  constructor(own: Manuscript, random: () => number) {
    this.#own = own;
    this.#random = random;
    this.#bookId = createBook(own, { title: "B" }, OWNER).id;
    const markdown = Array.from({ length: 6 }, () => this.#paragraph(12)).join("\n\n");
    createChapter(own, this.#bookId, { title: "T", markdown: `${markdown}\n` }, OWNER);
    this.#note();
  }

  /** Writing and proposing, in turn. */
  live(): void {
    for (let step = 0; step < 12; step++) {
      if (this.#random() < 0.4 && this.#proposals.length < 4) this.#propose();
      else this.#write();
    }
    while (this.#proposals.length < 2) this.#propose();
  }

  /**
   * Accepts all proposals in some order, what is not stale of each, and takes all back. Each acceptance is held against what
   * is known of the words.
   */
  acceptAll(): { accepted: string[]; merged: number; stale: number; text: string } {
    const before = dump(this.#own.store);
    const accepted: string[] = [];
    const acts: string[] = [];
    const count = { merged: 0, stale: 0 };
    for (const { id, edits } of this.#shuffled(this.#proposals)) {
      const state = this.#read();
      const { wanted, act } = this.#accept(id, edits);
      count.stale += edits.length - wanted.length;
      if (wanted.length === 0) continue;
      acts.push(String(act));
      const done = wanted.map((index) => edits[index]!); // the answer's own
      count.merged += done.filter((edit) => isMerged(edit, state)).length;
      assertRight(state, this.#read(), done, this.#insertedBefore(id));
      accepted.push(...wanted.map((index) => `${id}/${index}`));
    }
    const text = this.#read()
      .map(({ words }) => words.join(" "))
      .join("\n");
    for (const act of acts.toReversed()) undoAct(this.#own, act, OWNER);
    assert.deepEqual(dump(this.#own.store), before, "undone, it is another file");
    return { accepted, ...count, text };
  }

  /** What was to be put behind each paragraph by those who proposed before: it stands first. */
  #insertedBefore(id: string): ReadonlyMap<string | null, ReadonlySet<string>> {
    const sooner = this.#proposals.slice(
      0,
      this.#proposals.findIndex((one) => one.id === id),
    );
    const inserted = sooner.flatMap(({ edits }) => edits.filter(({ op }) => op === "insert_after"));
    const behind = groupBy(inserted, ({ blockId }) => blockId);
    return new Map([...behind].map(([at, all]) => [at, new Set(all.map(({ next }) => next.join()))]));
  }

  /** Accepts all edits, or those that the refusal says can be. */
  #accept(id: string, edits: readonly Edit[]): { wanted: number[]; act: string | null } {
    try {
      return { wanted: [...edits.keys()], act: acceptProposal(this.#own, id, {}, OWNER).act };
    } catch (error) {
      assert.ok(error instanceof Conflict, String(error));
      const wanted = error.extra.edits as number[];
      if (wanted.length === 0) return { wanted, act: null };
      return { wanted, act: acceptProposal(this.#own, id, { edits: wanted }, OWNER).act };
    }
  }

  #propose(): void {
    // Now and then by somebody who has read an older revision.
    const chapterId = this.#one(this.#chapters());
    const known = this.#known.get(chapterId)!; // noted when it was made
    const revisions = [...known.keys()];
    const revision = this.#random() < 0.7 ? revisions.at(-1)! : this.#one(revisions); // there is one from the start
    const standing = new Set(this.#read().map(({ id }) => id));
    const paragraphs = known.get(revision)!.filter(({ id }) => standing.has(id)); // its own key
    const some = this.#shuffled(paragraphs).slice(0, 1 + Math.floor(this.#random() * 4));
    const edits = some.map((paragraph) => this.#edit(paragraph));
    if (edits.length === 0) return;
    const sent = edits.map(({ base: _, next: __, ...edit }) => edit);
    const { id } = propose(this.#own, chapterId, { revision, edits: sent }, OWNER);
    this.#proposals.push({ id, edits });
  }

  #edit({ id, words }: Paragraph): Edit {
    const kind = this.#random();
    if (kind < 0.15) return { op: "delete", blockId: id, base: words, next: [] };
    if (kind < 0.35) {
      const next = this.#words(6);
      return { op: "insert_after", blockId: id, markdown: `${next.join(" ")}.`, base: words, next };
    }
    const next = this.#reworded(words);
    return { op: "replace", blockId: id, markdown: this.#spelt(next), base: words, next };
  }

  /** What a writer does meanwhile. */
  #write(): void {
    const chapterId = this.#one(this.#chapters());
    const paragraphs = this.#readChapter(chapterId);
    const { id, words } = this.#one(paragraphs);
    const own = this.#own;
    const place = { chapterId, blockId: id };
    const kind = this.#random();
    if (kind < 0.55) replaceParagraph(own, place, { markdown: this.#spelt(this.#reworded(words)) }, OWNER);
    else if (kind < 0.65 && paragraphs.length > 3) deleteParagraph(own, place, OWNER);
    else if (kind < 0.75)
      insertParagraphs(own, chapterId, { after: id, markdown: this.#paragraph(8) }, OWNER);
    else if (kind < 0.85) this.#rearrange(chapterId);
    else if (kind < 0.93) this.#cut(chapterId);
    else this.#splitOrJoin(chapterId, paragraphs);
    this.#note();
  }

  /** Makes two chapters of one, or one of two. */
  #splitOrJoin(chapterId: string, paragraphs: readonly Paragraph[]): void {
    const isLast = this.#chapters().at(-1) === chapterId;
    if (!isLast) joinChapters(this.#own, chapterId, {}, OWNER);
    else if (paragraphs.length > 1)
      splitChapter(this.#own, chapterId, { blockId: this.#one(paragraphs.slice(1)).id }, OWNER);
  }

  /** Moves a paragraph, or joins it to the next. */
  #rearrange(chapterId: string): void {
    const answer = readChapterAnswer(this.#own, chapterId, { format: "doc" }) as { doc: DocNode };
    const content = answer.doc.content ?? [];
    if (content.length < 2) return;
    const at = Math.floor(this.#random() * (content.length - 1));
    const [one, next] = [content[at]!, content[at + 1]!]; // two at least
    const joined = { ...one, content: [{ type: "text", text: `${leafText(one)} ${leafText(next)}` }] };
    const moved = content.filter((node) => node !== one);
    moved.splice(Math.floor(this.#random() * content.length), 0, one);
    const doc = this.#random() < 0.5 || content.length < 4 ? moved : content.toSpliced(at, 2, joined);
    replaceProse(
      this.#own,
      chapterId,
      { doc: { type: "doc", content: doc.map((node) => ({ ...node })) } },
      OWNER,
    );
  }

  /** Cuts a paragraph in two; either half may keep its id. */
  #cut(chapterId: string): void {
    const answer = readChapterAnswer(this.#own, chapterId, { format: "doc" }) as { doc: DocNode };
    const content = answer.doc.content ?? [];
    const at = Math.floor(this.#random() * content.length);
    const words = leafText(content[at]!).split(" "); // within the list
    const half = Math.ceil(words.length / 2);
    const isFirst = this.#random() < 0.5;
    const piece = (own: readonly string[], isOwn: boolean): DocNode => ({
      type: "paragraph",
      attrs: { blockId: isOwn ? content[at]?.attrs?.blockId : null },
      content: [{ type: "text", text: own.join(" ") }],
    });
    if (words.length < 2) return;
    const pieces = [piece(words.slice(0, half), isFirst), piece(words.slice(half), !isFirst)];
    const doc = content.toSpliced(at, 1, ...pieces);
    replaceProse(
      this.#own,
      chapterId,
      { doc: { type: "doc", content: doc.map((node) => ({ ...node })) } },
      OWNER,
    );
  }

  /** Some of the words exchanged, taken out, or with new ones between them. */
  #reworded(words: readonly string[]): string[] {
    if (this.#random() < 0.1) return this.#words(words.length || 3);
    const next = [...words];
    const changes = 1 + Math.floor(this.#random() * 2);
    for (let change = 0; change < changes; change++) {
      const at = Math.floor(this.#random() * next.length);
      const kind = this.#random();
      if (kind < 0.5) next.splice(at, 1, ...this.#words(1));
      else if (kind < 0.75 || next.length < 3) next.splice(at, 0, ...this.#words(1));
      else next.splice(at, 1);
    }
    return next.join() === words.join() ? this.#reworded(words) : next;
  }

  #words(count: number): string[] {
    return Array.from({ length: count }, () => `w${++this.#count}`);
  }

  #paragraph(count: number): string {
    return `${this.#words(count).join(" ")}.`;
  }

  /** As Markdown, with a word in italics now and then. */
  #spelt(words: readonly string[]): string {
    const at = this.#random() < 0.2 ? Math.floor(this.#random() * words.length) : -1;
    return `${words.map((word, index) => (index === at ? `*${word}*` : word)).join(" ")}.`;
  }

  #note(): void {
    for (const id of this.#chapters()) {
      const { revision } = readChapterAnswer(this.#own, id, {}) as { revision: number };
      const known = this.#known.get(id) ?? new Map<number, readonly Paragraph[]>();
      if (!known.has(revision)) known.set(revision, this.#readChapter(id));
      this.#known.set(id, known);
    }
  }

  /** Chapters in reading order; one without a paragraph is of no use. */
  #chapters(): string[] {
    const { chapters } = parseReady(readOutline(this.#own, this.#bookId));
    return chapters.flatMap(({ id, wordCount }) => (wordCount === 0 ? [] : [id]));
  }

  /** The whole book, paragraph by paragraph. */
  #read(): Paragraph[] {
    return this.#chapters().flatMap((id) => this.#readChapter(id));
  }

  #readChapter(chapterId: string): Paragraph[] {
    const answer = readChapterAnswer(this.#own, chapterId, { format: "doc" }) as { doc: DocNode };
    return (answer.doc.content ?? []).flatMap(leavesOf).map((leaf) => ({
      id: String(leaf.attrs?.blockId),
      words: leafText(leaf).match(/w\d+/g) ?? [],
    }));
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!; // none is asked of an empty list
  }

  #shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => [this.#random(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  }
}

function isMerged({ op, blockId, base }: Edit, before: readonly Paragraph[]): boolean {
  const words = before.find(({ id }) => id === blockId)?.words ?? [];
  return op === "replace" && words.join() !== base.join();
}

/** What accepting these edits may do to the words, and nothing else. */
function assertRight(
  before: readonly Paragraph[],
  after: readonly Paragraph[],
  edits: readonly Edit[],
  sooner: ReadonlyMap<string | null, ReadonlySet<string>>,
): void {
  const told = () => JSON.stringify({ before, after, edits });
  const inserted = edits.filter(({ op }) => op === "insert_after");
  const news = new Map(inserted.map((edit) => [edit.next.join(), edit]));
  const made = new Set(after.filter(({ words }) => news.has(words.join())).map(({ id }) => id));
  assert.equal(made.size, inserted.length, `an insertion is missing: ${told()}`);
  const gone = new Set(edits.filter(({ op }) => op === "delete").map(({ blockId }) => blockId));
  const left = after.filter(({ id }) => !made.has(id));
  const stays = before.filter(({ id }) => !gone.has(id));
  assert.deepEqual(
    left.map(({ id }) => id),
    stays.map(({ id }) => id),
    `paragraphs came, went or moved: ${told()}`,
  );
  for (const edit of edits.filter(({ op }) => op === "delete"))
    assert.deepEqual(
      before.find(({ id }) => id === edit.blockId)?.words,
      edit.base,
      `other words were deleted: ${told()}`,
    );
  for (const [at, { id, words }] of left.entries()) {
    const old = stays[at]!.words; // of one length
    const edit = edits.find(({ op, blockId }) => op === "replace" && blockId === id);
    if (edit === undefined) assert.deepEqual(words, old, `a wrong paragraph: ${told()}`);
    else assertMerged(edit, old, words, told);
  }
  const order = after.map(({ id }) => id);
  for (const edit of inserted) {
    const at = after.findIndex(({ words }) => words.join() === edit.next.join());
    let previous = at - 1;
    const isBefore = ({ id, words }: Paragraph) =>
      gone.has(id) || sooner.get(edit.blockId)?.has(words.join()) === true;
    while (previous >= 0 && isBefore(after[previous]!)) previous--; // within the list
    if (!gone.has(edit.blockId)) assert.equal(order[previous], edit.blockId, `put elsewhere: ${told()}`);
  }
}

function assertMerged(
  { base, next }: Edit,
  old: readonly string[],
  words: readonly string[],
  told: () => string,
): void {
  const cut = new Set(base.filter((word) => !next.includes(word)));
  const added = next.filter((word) => !base.includes(word));
  const expected = new Set([...old.filter((word) => !cut.has(word)), ...added]);
  assert.deepEqual([...words].sort(), [...expected].sort(), `other words than both wrote: ${told()}`);
  for (const side of [old, next]) {
    const both = side.filter((word) => words.includes(word));
    assert.deepEqual(
      words.filter((word) => both.includes(word)),
      both,
      `words in another order: ${told()}`,
    );
  }
}
