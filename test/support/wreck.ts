import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeOf, readLeaves } from "../../src/prose/document/leaves.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../src/service/annotations/mentions.ts";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter, deleteChapter } from "../../src/service/books/chapters.ts";
import { createPart } from "../../src/service/books/parts.ts";
import { createMilestone } from "../../src/service/history/milestones.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { deleteParagraph, insertParagraphs } from "../../src/service/prose/paragraphs.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { connect } from "../../src/store/file/driver.ts";
import { makeCopy } from "../../src/store/make-copy.ts";
import { OWNER } from "./sample.ts";
import { seeded, ticking } from "./sandbox.ts";

// A book of which every word tells which paragraph it is of, and what is known of its file by SQLite itself: so that what a rescue
// brings back is judged without the rescue's own reading.

/** A paragraph as it was written last. */
export interface Written {
  chapterId: string;
  text: string;
}

/** A book to be damaged. Page numbers are from 1. */
export interface Wreckable {
  /** The file, and the log beside it. */
  bytes: Buffer;
  log: Buffer | undefined;
  /** The file as it was some time before. */
  older: Buffer;
  /** A copy that `backup` made on the way, by its name in the folder of copies. */
  copies: { name: string; bytes: Buffer }[];
  /** Paragraphs by `blockId`, as they are now, and as they ever were. */
  now: ReadonlyMap<string, Written>;
  ever: ReadonlyMap<string, ReadonlySet<string>>;
  chapters: readonly string[];
  /** The pages that hold a paragraph's row. */
  pagesOf: ReadonlyMap<string, ReadonlySet<number>>;
  /** The pages of each table and index. */
  trees: ReadonlyMap<string, readonly number[]>;
  pageCount: number;
}

const PAGE = 4096;
const WORDS = "tide salt rope lamp bell crow ferry light stone harbour gull north".split(" ");

/** Writes a book into a new folder, edits it for a while, and looks at its file. */
export function makeWreckable(
  folder: string,
  random: () => number,
  { chapters = 6, paragraphs = 20, edits = 60, hasLog = false } = {},
): Wreckable {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "book.manuscript");
  const surroundings = { create: true, clock: ticking(), random: seeded(Math.floor(random() * 1e9)) };
  const own = openManuscript(path, surroundings);
  own.store.list("PRAGMA wal_autocheckpoint = 0");
  const writer = new Writer(own, random);
  writer.begin(chapters, paragraphs);
  for (let edit = 0; edit < edits; edit++) writer.edit();
  own.store.checkpoint();
  const older = readFileSync(path);
  for (let edit = 0; edit < edits; edit++) writer.edit();
  makeCopy(path, { folder: join(folder, "book-backups"), kind: "by hand", at: Date.UTC(2026, 2, 1, 13) });
  for (let edit = 0; edit < edits / 4; edit++) writer.edit();
  own.store.checkpoint();
  for (let edit = 0; edit < edits / 4; edit++) writer.edit();
  if (!hasLog) own.store.checkpoint();
  const copied = join(folder, "looked-at");
  for (const ending of hasLog ? ["", "-wal"] : [""]) copyFileSync(path + ending, copied + ending);
  const bytes = readFileSync(copied);
  const log = hasLog ? readFileSync(`${copied}-wal`) : undefined;
  const name = "book-2026-03-01T13-00-00Z-kept.backup";
  const copies = [{ name, bytes: readFileSync(join(folder, "book-backups", name)) }];
  const written = writer.known();
  own.close();
  const known = { bytes, log, older, copies, ...written, ...lookAt(copied) };
  return { ...known, pagesOf: pagesOf(known.now, known) };
}

class Writer {
  readonly #own: Manuscript;
  readonly #random: () => number;
  readonly #ever = new Map<string, Set<string>>();
  #bookId = "";
  #number = 0;

  constructor(own: Manuscript, random: () => number) {
    this.#own = own;
    this.#random = random;
  }

  begin(chapters: number, paragraphs: number): void {
    this.#bookId = createBook(this.#own, { title: "The Ferry Book" }, OWNER).id;
    const { id: partId } = createPart(this.#own, this.#bookId, { title: "Out" }, OWNER);
    for (let chapter = 1; chapter <= chapters; chapter++) {
      const texts = Array.from({ length: paragraphs }, () =>
        this.#random() < 0.15 ? `- Item k${++this.#number}k\n- Item too k${this.#number}k` : this.#text(),
      );
      const markdown = `# Chapter ${chapter}\n\n${texts.join("\n\n")}\n`;
      createChapter(this.#own, this.#bookId, { title: `Chapter ${chapter}`, partId, markdown }, OWNER);
      this.#note();
    }
    createFact(this.#own, this.#bookId, { name: "Mara", kind: "character" }, OWNER);
    reanchorMentions(this.#own, this.#bookId, OWNER);
    createMilestone(this.#own, this.#bookId, { name: "First draft" }, OWNER);
  }

  /** One of what a writer does, with a paragraph of some chapter. */
  edit(): void {
    const leaves = [...this.#read()].filter(([, { text }]) => text.startsWith("Mara"));
    const [blockId, { chapterId }] = leaves[Math.floor(this.#random() * leaves.length)]!; // the book is never empty
    const own = this.#own;
    const what = this.#random();
    if (what < 0.6) {
      const marker = /k\d+k/.exec(this.#read().get(blockId)?.text ?? "")?.[0];
      replaceParagraph(own, { chapterId, blockId }, { markdown: this.#text(marker) }, OWNER);
    } else if (what < 0.75)
      insertParagraphs(own, chapterId, { after: blockId, markdown: this.#text() }, OWNER);
    else if (what < 0.85) deleteParagraph(own, { chapterId, blockId }, OWNER);
    else if (what < 0.92)
      createSnippet(own, this.#bookId, { kind: "note", blockId, text: `See ${blockId}` }, OWNER);
    else if (what < 0.95) {
      const { act } = deleteParagraph(own, { chapterId, blockId }, OWNER);
      if (act !== null) undoAct(own, act, OWNER);
    } else {
      const markdown = `# Short\n\n${this.#text()}\n`;
      const { id } = createChapter(own, this.#bookId, { title: "Short", markdown }, OWNER);
      this.#note();
      if (this.#random() < 0.7) deleteChapter(own, id, OWNER);
    }
    this.#note();
  }

  known(): Pick<Wreckable, "now" | "ever" | "chapters"> {
    const chapters = this.#own.store.list<string>("SELECT id FROM chapters");
    return { now: this.#read(), ever: this.#ever, chapters };
  }

  /** A paragraph, one in ten too long for a page, of words that only it has. */
  #text(marker = `k${++this.#number}k`): string {
    const count = this.#random() < 0.1 ? 700 : 20 + Math.floor(this.#random() * 60);
    const words = Array.from(
      { length: count },
      () => `${WORDS[Math.floor(this.#random() * WORDS.length)]}${marker}`,
    );
    return `Mara ${words.join(" ")}.`;
  }

  #note(): void {
    for (const [id, { chapterId, text }] of this.#read()) {
      const states = this.#ever.get(id) ?? new Set();
      this.#ever.set(id, states.add(`${chapterId} ${text}`));
    }
  }

  #read(): Map<string, Written> {
    return readParagraphs((sql) => this.#own.store.all(sql));
  }
}

/** The paragraphs of a file, by `blockId`. */
function readParagraphs(all: (sql: string) => unknown[]): Map<string, Written> {
  const rows = all("SELECT chapter_id AS chapterId, node FROM blocks") as {
    chapterId: string;
    node: string;
  }[];
  return new Map(
    rows.flatMap(({ chapterId, node }) =>
      readLeaves(nodeOf({ node })).map(({ blockId, text }) => [String(blockId), { chapterId, text }]),
    ),
  );
}

/** Which page is of which table or index, as SQLite itself tells it; and the file with its log taken in. */
function lookAt(path: string) {
  const connection = connect(path);
  connection.pragma("wal_checkpoint(TRUNCATE)");
  const rows = connection.prepare("SELECT name, pageno AS page FROM dbstat").all() as {
    name: string;
    page: number;
  }[];
  connection.close();
  const trees = new Map<string, number[]>();
  for (const { name, page } of rows) trees.set(name, [...(trees.get(name) ?? []), page]);
  const whole = readFileSync(path);
  return { trees, whole, pageCount: whole.length / PAGE };
}

/** The pages of the table of blocks on which words stand that only this paragraph has. */
function pagesOf(
  now: Wreckable["now"],
  { trees, whole }: { trees: Wreckable["trees"]; whole: Buffer },
): Map<string, Set<number>> {
  const byMarker = new Map<string, Set<number>>();
  for (const page of trees.get("blocks") ?? []) {
    const text = whole.toString("latin1", (page - 1) * PAGE, page * PAGE);
    for (const [marker] of text.matchAll(/k\d+k|Chapter \d+|Short/g))
      byMarker.set(marker, (byMarker.get(marker) ?? new Set()).add(page));
  }
  const all = new Map<string, Set<number>>();
  for (const [id, { text }] of now) {
    const pages = byMarker.get(/k\d+k|Chapter \d+|Short/.exec(text)?.[0] ?? "");
    if (pages !== undefined) all.set(id, pages);
  }
  return all;
}

/** A file as it is damaged, and its pages that are not as they were written. */
export interface Wreck {
  what: string;
  bytes: Buffer;
  log: Buffer | undefined;
  bad: ReadonlySet<number>;
}

const pageAt = (bytes: Buffer, page: number) => bytes.subarray((page - 1) * PAGE, page * PAGE);

type Damage = (book: Wreckable, random: () => number) => Wreck;

function pick<Value>(random: () => number, from: readonly Value[]): Value {
  return from[Math.floor(random() * from.length)]!; // never empty here
}

/** A page of some table or index, each of them as likely as the others, however small. */
function somePage({ trees, bytes }: Wreckable, random: () => number): number {
  const own = [...trees.keys()].map((name) =>
    (trees.get(name) ?? []).filter((page) => page * PAGE <= bytes.length),
  );
  const pages =
    random() < 0.5
      ? (trees.get("blocks") ?? [])
      : pick(
          random,
          own.filter(({ length }) => length > 0),
        );
  return pick(
    random,
    pages.filter((page) => page * PAGE <= bytes.length),
  );
}

function damagePages(
  what: string,
  count: number,
  change: (bytes: Buffer, book: Wreckable, random: () => number) => number[],
): Damage {
  return (book, random) => {
    const bytes = Buffer.from(book.bytes);
    const bad = new Set<number>();
    const times = 1 + Math.floor(random() * count);
    for (let time = 0; time < times; time++) for (const page of change(bytes, book, random)) bad.add(page);
    return { what, bytes, log: book.log, bad };
  };
}

const zeroed = damagePages("zeroed pages", 4, (bytes, book, random) => {
  const page = somePage(book, random);
  pageAt(bytes, page).fill(0);
  return [page];
});

// What stands on two pages that change places is intact: nothing of it may be lost.
const swapped: Damage = (book, random) => {
  const bytes = Buffer.from(book.bytes);
  const [one, other] = [somePage(book, random), somePage(book, random)];
  const held = Buffer.from(pageAt(bytes, one));
  pageAt(bytes, other).copy(pageAt(bytes, one));
  held.copy(pageAt(bytes, other));
  return { what: `swapped ${one} and ${other}`, bytes, log: book.log, bad: overflows(book, [one, other]) };
};

/** Of these pages those that go on with a row from another page: where they stand is all that tells which. */
function overflows({ bytes }: Wreckable, pages: readonly number[]): Set<number> {
  return new Set(pages.filter((page) => ![2, 5, 10, 13].includes(pageAt(bytes, page)[0] ?? 0)));
}

const misdirected = damagePages("misdirected", 2, (bytes, book, random) => {
  const [from, to] = [somePage(book, random), somePage(book, random)];
  if (from === to) return [];
  pageAt(book.bytes, from).copy(pageAt(bytes, to));
  return [to];
});

const stale = damagePages("stale pages", 4, (bytes, book, random) => {
  const page = somePage(book, random);
  if (page * PAGE > book.older.length) return [];
  const old = pageAt(book.older, page);
  if (old.equals(pageAt(bytes, page))) return [];
  old.copy(pageAt(bytes, page));
  return [page];
});

const cut: Damage = ({ bytes, log, pageCount }, random) => {
  const length = Math.floor(bytes.length * (0.1 + 0.85 * random()));
  const bad = new Set<number>();
  for (let page = Math.floor(length / PAGE) + 1; page <= pageCount; page++) bad.add(page);
  return { what: `cut to ${length} of ${bytes.length} bytes`, bytes: bytes.subarray(0, length), log, bad };
};

const headless: Damage = ({ bytes, log }, random) => {
  const length = random() < 0.5 ? 100 : PAGE;
  const damaged = Buffer.from(bytes);
  damaged.fill(0, 0, length);
  return { what: `zeroed the first ${length} bytes`, bytes: damaged, log, bad: new Set([1]) };
};

const FRAME = 24 + PAGE;

const torn: Damage = ({ bytes, log }, random) => {
  if (log === undefined) return headless({ bytes, log } as Wreckable, random);
  const kind = Math.floor(random() * 3);
  const at = Math.floor(32 + random() * (log.length - 32));
  const length = kind === 0 ? log.length - at : 1 + Math.floor(random() * 3000);
  const damaged = kind === 0 ? log.subarray(0, at) : Buffer.from(log);
  if (kind === 1) damaged.fill(0, at, at + length);
  if (kind === 2)
    for (let byte = at; byte < Math.min(at + length, log.length); byte++)
      damaged[byte] = Math.floor(random() * 256);
  return {
    what: `tore the log at ${at}, ${length} bytes`,
    bytes,
    log: damaged,
    bad: lostFrames(log, at, at + length),
  };
};

/** Pages whose newest frame is damaged, or stands within a transaction whose end is. */
function lostFrames(log: Buffer, from: number, to: number): Set<number> {
  const newest = new Map<number, boolean>();
  let waiting: [number, boolean][] = [];
  for (let at = 32; at + FRAME <= log.length; at += FRAME) {
    const isBad = at < to && at + FRAME > from;
    waiting.push([log.readUInt32BE(at), isBad]);
    if (log.readUInt32BE(at + 4) === 0) continue;
    for (const [page, isLost] of waiting) newest.set(page, isLost || isBad);
    waiting = [];
  }
  return new Set([...newest].flatMap(([page, isLost]) => (isLost ? [page] : [])));
}

/** Every way of damage; those of the file's pages count more than once. */
export const DAMAGES: readonly Damage[] = [
  ...[zeroed, zeroed, zeroed, swapped, swapped, cut, cut, headless, misdirected, stale, stale, torn],
];

/** Lays a damaged file into a folder, with its log and copies. */
export function lay(folder: string, wreck: Wreck, copies: Wreckable["copies"]): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "book-backups"), { recursive: true });
  const path = join(folder, "book.manuscript");
  writeFileSync(path, wreck.bytes, { mode: 0o600 });
  if (wreck.log !== undefined) writeFileSync(`${path}-wal`, wreck.log);
  for (const { name, bytes } of copies) writeFileSync(join(folder, "book-backups", name), bytes);
  return path;
}

/** What the report says of a chapter. */
interface Told {
  id: string;
  state: "whole" | "part" | "lost";
  missing: number;
  older: number;
}

/** What a rescue did wrong, a line each; none if all is as it must be. */
export function judge(
  book: Wreckable,
  { bad, log }: Wreck,
  {
    path,
    told,
    isTold = false,
    isCutTold = false,
  }: { path: string; told: readonly Told[]; isTold?: boolean; isCutTold?: boolean },
): string[] {
  const connection = connect(path, { readonly: true });
  const found = readParagraphs((sql) => connection.prepare(sql).all());
  connection.close();
  const logged = pagesInLog(book.log);
  const isLogBad = log !== book.log;
  // A page that is in the log, too, is read from there.
  const isIntact = (page: number) => !bad.has(page) || (!isLogBad && logged.has(page));
  const states = new Map(told.map((chapter) => [chapter.id, chapter]));
  const faults: string[] = [];
  for (const [id, { chapterId, text }] of book.now) {
    const back = found.get(id);
    if (back?.chapterId === chapterId && back.text === text) continue;
    if ([...(book.pagesOf.get(id) ?? [0])].every((page) => page > 0 && isIntact(page)))
      faults.push(`intact, not back: ${id} of ${chapterId}${back === undefined ? "" : ", which is older"}`);
    const chapter = states.get(chapterId);
    if (chapter === undefined ? !isTold : chapter.state === "whole" && !isCutTold)
      faults.push(`silent: ${id} of ${chapterId}`);
  }
  for (const [id, { chapterId, text }] of found) {
    if (!book.ever.get(id)?.has(`${chapterId} ${text}`)) faults.push(`invented: ${id} in ${chapterId}`);
    const last = book.now.get(id);
    if (last !== undefined && last.chapterId !== chapterId) faults.push(`in another chapter: ${id}`);
    if (last === undefined && !isCutTold && (states.get(chapterId)?.older ?? 0) === 0)
      faults.push(`deleted, back: ${id}`);
  }
  return faults;
}

function pagesInLog(log: Buffer | undefined): Set<number> {
  const pages = new Set<number>();
  for (let at = 32; log !== undefined && at + FRAME <= log.length; at += FRAME)
    pages.add(log.readUInt32BE(at));
  return pages;
}
