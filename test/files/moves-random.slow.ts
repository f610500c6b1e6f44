import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { markdownOf } from "../../lab/faults/two-sided/exchange.ts";
import { BadRequest } from "../../src/refusals.ts";
import { moveParagraphs } from "../../src/service/books/move-paragraphs.ts";
import { joinChapters, splitChapter } from "../../src/service/books/split-chapter.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { listBlocks } from "../../src/store/rows/blocks.ts";
import { listChapters } from "../../src/store/rows/chapters.ts";
import { randomly } from "../prose/rewrite.ts";
import { dump } from "../support/dump.ts";
import { randomFrom } from "../support/random.ts";
import { OWNER } from "../support/sample.ts";
import { folder, manuscript } from "../support/sandbox.ts";
import { assertSound } from "../support/sound.ts";
import { type Kept, movingBook } from "./moving-book.ts";

// Books whose paragraphs are split, joined and moved at random, by calls and in files, in both ways of a folder. Each paragraph
// has a word that no other has, and by that alone it is known here what must have become of it.
const RUNS_A_FILE = 10;

interface Dice {
  below(count: number): number;
  pick<Value>(values: readonly Value[]): Value;
}

function diceFrom(seed: number): Dice {
  const next = randomFrom(seed);
  for (let warm = 0; warm < 5; warm++) next();
  const below = (count: number) => Math.floor(next() * count);
  return { below, pick: (values) => values[below(values.length)] as (typeof values)[number] };
}

type Book = Awaited<ReturnType<typeof movingBook>>;

const WORDS =
  "ferry bell lamp rope quay tide gull salt harbour winter letter candle garden orchard bridge window stranger sister captain morning silence river thunder market basket silver mirror shadow lantern pebble anchor barrel chimney meadow kitchen ribbon saddle whistle cradle sparrow".split(
    " ",
  );

/** A paragraph of words of its own, now and then a very short one. */
function sentence({ below, pick }: Dice, key: () => number): string {
  const words = Array.from({ length: below(15) === 0 ? 2 : 8 + below(20) }, () => pick(WORDS));
  return `Mara q${key()} ${words.join(" ")}.`;
}

/** The next paragraph, a list or a quote, or one of the lines that every chapter has. */
function anyBlock(dice: Dice, key: () => number): string {
  const kind = dice.below(12);
  if (kind === 0) return "* * *";
  if (kind === 1) return dice.pick(["“Yes.”", "“No.”", "She nodded."]);
  if (kind === 2) return `- ${sentence(dice, key)}\n- ${sentence(dice, key)}`;
  return kind === 3 ? `> ${sentence(dice, key)}` : sentence(dice, key);
}

const NOTHING = {
  calls: 0,
  exchanges: 0,
  conflicts: 0,
  edits: 0,
  paragraphs: 0,
  moved: 0,
  lostIds: 0,
  wrong: 0,
  lostNotes: 0,
  lostMentions: 0,
  lostEdits: 0,
  lostTexts: 0,
  doubled: 0,
  both: 0,
  refused: 0,
};
type Tally = typeof NOTHING;

/** A chapter's file: what stands before its prose, and its blocks. */
interface Sheet {
  file: string;
  front: string;
  blocks: string[];
}

function readSheets(book: Book): Sheet[] {
  return book.files().map((file) => {
    const text = book.read(file);
    const front = /^---\n[\s\S]*?\n---\n\n?/.exec(text)?.[0] ?? "";
    return { file, front, blocks: text.slice(front.length).trimEnd().split("\n\n") };
  });
}

/** What was done in files: words that were written into paragraphs, and keys of paragraphs that were deleted. */
interface FileEdits {
  words: string[];
  deleted: Set<string>;
}

/** Cuts and pastes among files as a writer does, and writes into paragraphs wherever they are now. */
function editFiles(book: Book, dice: Dice, key: () => number): FileEdits {
  const { below, pick } = dice;
  const sheets = readSheets(book);
  const gone: string[] = [];
  const done: FileEdits = { words: [], deleted: new Set() };
  const cut = ({ blocks }: Sheet) => blocks.splice(below(blocks.length + 1), 1 + below(4));
  const paste = ({ blocks }: Sheet, cutOut: readonly string[]) =>
    blocks.splice(below(blocks.length + 1), 0, ...cutOut);
  for (let left = 1 + below(4); left > 0; left--) {
    const [from, to] = [pick(sheets), pick(sheets)];
    const what = pick(["move", "move", "move", "swap", "split", "join", "rename", "write", "delete"]);
    if (what === "move") paste(to, cut(from));
    else if (what === "swap") {
      const [one, other] = [cut(from), cut(to)];
      paste(from, other);
      paste(to, one);
    } else if (what === "split" && from.blocks.length > 3) {
      const file = from.file.replace(/\.md$/, `-${key()}.md`);
      sheets.push({ file, front: "", blocks: from.blocks.splice(1 + below(from.blocks.length - 1)) });
    } else if (what === "join" && from !== to && sheets.length > 2) {
      to.blocks.push(...from.blocks);
      sheets.splice(sheets.indexOf(from), 1);
      gone.push(from.file);
    } else if (what === "rename") {
      gone.push(from.file);
      from.file = `90-r${key()}.md`;
    } else if (what === "write") paste(from, [anyBlock(dice, key)]);
    else if (what === "delete" && from.blocks.length > 3)
      for (const block of from.blocks.splice(below(from.blocks.length), 1))
        for (const [word] of block.matchAll(/\bq\d+\b/g)) done.deleted.add(word);
  }
  for (let left = below(3); left > 0; left--) {
    const sheet = pick(sheets);
    const at = below(sheet.blocks.length);
    const block = sheet.blocks[at];
    if (block === undefined || !/^Mara .*\.$/.test(block)) continue;
    const word = `f${key()}`;
    sheet.blocks[at] = `${block.slice(0, -1)} ${word}.`;
    done.words.push(word);
  }
  const kept = new Set(sheets.map(({ file }) => file));
  const present = new Set(book.files());
  for (const file of gone) if (!kept.has(file) && present.has(file)) book.remove(file);
  for (const { file, front, blocks } of sheets) book.write(file, `${front}${blocks.join("\n\n")}\n`);
  return done;
}

/** One call that splits, joins or moves; the act that it made. */
function call(own: Manuscript, book: Book, { below, pick }: Dice): string | undefined {
  const chapters = listChapters(own.store, book.bookId).filter(({ blockCount }) => blockCount > 1);
  const one = pick(chapters);
  const other = pick(chapters);
  if (one === undefined || other === undefined) return undefined;
  const firsts = (id: string) => listBlocks(own.store, id).map(({ leaves: [first] }) => String(first));
  const [here, there] = [firsts(one.id), firsts(other.id)];
  const what = pick(["split", "join", "move", "move", "move"]);
  if (what === "split" && here.length > 1)
    return String(splitChapter(own, one.id, { blockId: here[1 + below(here.length - 1)] ?? "" }, OWNER).act);
  if (what === "join" && one.id !== other.id && chapters.length > 2)
    return String(joinChapters(own, one.id, { chapterId: other.id }, OWNER).act);
  const at = below(here.length);
  const blockIds = here.slice(at, at + 1 + below(3));
  const after = pick([null, ...there.filter((id) => !blockIds.includes(id))]);
  return String(moveParagraphs(own, one.id, { blockIds, toChapterId: other.id, after }, OWNER).act);
}

/** Holds what became of each paragraph against what was; a call loses nothing. */
function compare(before: Map<string, Kept>, now: Map<string, Kept>, tally: Tally, isCall = false): void {
  const owners = new Map([...before].map(([key, { blockId }]) => [blockId, key]));
  for (const [key, { blockId, chapterId, text, notes, mentions }] of now) {
    if ((owners.get(blockId) ?? key) !== key) tally.wrong++;
    const old = before.get(key);
    if (old === undefined) continue;
    tally.paragraphs++;
    if (old.chapterId !== chapterId) tally.moved++;
    if (isCall) assert.deepEqual([blockId, notes, mentions], [old.blockId, old.notes, old.mentions], key);
    if (old.blockId !== blockId) {
      tally.lostIds++;
      continue; // what stands beside it is lost with it
    }
    tally.lostNotes += old.notes.filter((note) => !notes.includes(note)).length;
    if (old.text === text)
      tally.lostMentions += old.mentions.filter((mention) => !mentions.includes(mention)).length;
  }
}

/** Splits, joins and moves in the manuscript; now and then that is undone. */
function callSome(own: Manuscript, book: Book, dice: Dice, tally: Tally): void {
  for (let calls = dice.below(3); calls > 0; calls--) {
    const [before, file] = [book.kept(), dump(own.store)];
    let act: string | undefined;
    try {
      act = call(own, book, dice);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      tally.refused++;
    }
    if (act === undefined) continue;
    tally.calls++;
    compare(before, book.kept(), tally, true);
    if (dice.below(3) > 0) continue;
    undoAct(own, act, OWNER);
    assert.deepEqual(dump(own.store), file);
  }
}

/** Writes a word of its own into some paragraphs of the manuscript; those words. */
function editSome(own: Manuscript, book: Book, { below, pick }: Dice, key: () => number): string[] {
  const kept = [...book.kept().values()].filter(({ text }) => !/\be\d+\b/.test(text));
  return Array.from({ length: kept.length === 0 ? 0 : below(3) }, () => {
    const { chapterId, blockId } = pick(kept);
    const now = [...book.kept().values()].find((one) => one.blockId === blockId);
    const word = `e${key()}`;
    replaceParagraph(own, { chapterId, blockId: blockId ?? "" }, { markdown: `${now?.text} ${word}` }, OWNER);
    return word;
  });
}

/** Every paragraph of the book, one a line. */
function textsOf({ store }: Manuscript, { bookId }: Book): string {
  return store
    .list<string>(
      "SELECT text FROM blocks JOIN chapters ON chapters.id = chapter_id WHERE book_id = ?",
      bookId,
    )
    .join("\n");
}

/** How many paragraphs stand twice; a line of a few words does where its file is gone, until a sync with `--delete`. */
function doubledIn(texts: string): number {
  const long = texts.split("\n").filter((text) => text.split(" ").length >= 5);
  const keys = long.flatMap((text) => [...text.matchAll(/\bq\d+\b/g)].map(([word]) => word));
  return keys.length - new Set(keys).size;
}

/** Deletes paragraphs of the manuscript. */
function deleteSome(own: Manuscript, book: Book, { below, pick }: Dice): void {
  for (let left = below(3); left > 0; left--) {
    const { chapterId, text } = pick([...book.kept().values()]);
    const blocks = markdownOf(own, chapterId).split("\n\n");
    const rest = blocks.filter((block) => block.trim() !== text);
    if (rest.length < 2) continue;
    const markdown = `${rest.join("\n\n").trimEnd()}\n`;
    replaceProse(own, chapterId, { markdown }, { ...OWNER, mentions: "keep" });
  }
}

/** Brings files that were edited and the manuscript together. */
async function exchangeSome(own: Manuscript, book: Book, ways: Ways, tally: Tally): Promise<boolean> {
  const { dice, key, options } = ways;
  const isPlain = "plain" in options;
  if (!isPlain) await book.sync({ yes: true, delete: true });
  const { words: said, deleted } = editFiles(book, dice, key);
  const calls = tally.calls;
  if (!isPlain && dice.below(3) === 0) callSome(own, book, dice, tally);
  if (tally.calls > calls) tally.both++;
  if (!isPlain && dice.below(3) === 0) deleteSome(own, book, dice);
  const words = !isPlain && dice.below(3) === 0 ? editSome(own, book, dice, key) : [];
  const how = isPlain ? "import" : dice.pick(["sync", "import"] as const);
  const [before, file] = [book.kept(), dump(own.store)];
  let { act, chapters } = await book[how]({ yes: true });
  tally.exchanges++;
  tally.edits += words.length;
  compare(before, book.kept(), tally);
  assertSound(own.store);
  const texts = textsOf(own, book);
  tally.lostEdits += words.filter((word) => !texts.includes(word)).length;
  const files = book.files().map(book.read).join("\n");
  tally.lostEdits += said.filter((word) => !texts.includes(word) && !files.includes(word)).length;
  const keys = [...texts.matchAll(/\bq\d+\b/g)].map(([word]) => word);
  tally.doubled += doubledIn(texts);
  tally.lostTexts += [...before.keys()].filter((word) => !keys.includes(word) && !deleted.has(word)).length;
  if (chapters.some(({ status }) => status === "conflict")) {
    tally.conflicts++;
    const held = book.kept();
    ({ act, chapters } = await book[how]({ yes: true, force: dice.pick(["stored", "incoming"] as const) }));
    compare(held, book.kept(), tally);
    tally.doubled += doubledIn(textsOf(own, book));
    return true;
  }
  if (act === null || dice.below(3) > 0) return true;
  undoAct(own, act, OWNER);
  assert.deepEqual(dump(own.store), file);
  return false;
}

interface Ways {
  dice: Dice;
  key: () => number;
  options: { plain?: boolean; blockIds?: boolean };
}

async function runOnce(own: Manuscript, path: string, dice: Dice, tally: Tally): Promise<void> {
  let last = 0;
  const key = () => ++last;
  const chapters = Array.from({ length: 3 + dice.below(2) }, (_, index) => {
    const blocks = Array.from({ length: 4 + dice.below(8) }, () => anyBlock(dice, key));
    return `# Chapter ${"ABCDE"[index]}\n\n${blocks.join("\n\n")}\n`;
  });
  const options = dice.pick([{}, { blockIds: true }, { plain: true }]);
  const book = await movingBook(own, path, chapters, options);
  for (let round = 1 + dice.below(2); round > 0; round--) {
    // A folder of prose alone is never written again: it would not know of these.
    if (!("plain" in options)) callSome(own, book, dice, tally);
    if (!(await exchangeSome(own, book, { dice, key, options }, tally))) return;
  }
}

it("paragraphs split, joined and moved at random, by calls and in files, keep ids, notes and mentions", async (t) => {
  const { seed, numRuns } = randomly(500);
  const tally = { ...NOTHING };
  const root = folder(t);
  let own = manuscript(t, { reader: null });
  const one = process.env.MANUSCRIPT_RUN;
  const first = Number(one ?? 0);
  for (let run = first; run < (one === undefined ? numRuns : first + 1); run++) {
    if (run % RUNS_A_FILE === 0) own = manuscript(t, { reader: null });
    own.store.prepare("PRAGMA synchronous = OFF").run(); // nobody cuts the power here
    const path = join(root, String(run));
    mkdirSync(path);
    try {
      await runOnce(own, path, diceFrom(seed + run * 7919), tally);
    } catch (error) {
      throw new Error(`run ${run} of seed ${seed}`, { cause: error });
    }
  }
  t.diagnostic(`seed ${seed}: ${JSON.stringify(tally)}`);
  const { wrong, lostNotes, lostMentions, lostEdits, lostTexts, doubled } = tally;
  assert.deepEqual(
    { wrong, lostNotes, lostMentions, lostEdits, lostTexts, doubled },
    { wrong: 0, lostNotes: 0, lostMentions: 0, lostEdits: 0, lostTexts: 0, doubled: 0 },
  );
  assert.ok(tally.lostIds <= tally.moved * 0.01, `${tally.lostIds} of ${tally.moved} ids lost`);
});
