/**
 * What others wait for while a server does something large with a book of a million words: the longest turn of its event
 * loop and the longest time that a write holds the file, both in CPU time of the thread that does it, and beside them how
 * long another client waited by the clock. Words name the works: `npm run bench -- stalls`, or
 * `node --import tsx lab/bench/stalls.ts chapter`.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { PROGRAM } from "../../test/support/program.ts";
import { writeLargeBook } from "../trust/large-book.ts";
import { type Keyed, runIn, startKeyed, type Told } from "../trust/measured-server.ts";
import { MONITORED, monitoredIn, turnsOf } from "../trust/monitored.ts";
import { copied } from "../trust/served.ts";
import type { Seen } from "../trust/witness.ts";
import { chapterOf, type Line, report } from "./report.ts";

/** What these four may hold up others, and what else is measured, in milliseconds. */
const MOST_MS = 50;
const MOST_OF_GIANTS_MS = 250;
const WORDS = 1_000_000;
const LONG = 50_000;
const POSTED = 5000;
/** What other programs do to a wait by the clock is only ever more: the least of so many rounds counts. */
const ROUNDS = Number(process.env.MANUSCRIPT_ROUNDS ?? 3);

interface Lab extends Keyed {
  folder: string;
  /** A book of a million words. */
  bookId: string;
  /** A chapter of 50,000 words in it. */
  longId: string;
}

interface Work {
  name: string;
  isAtOnce?: boolean;
  /** More than what a writer does every day. */
  isGiant?: boolean;
  /** Prepares a round, which is then measured. */
  make(lab: Lab, round: number): Promise<() => Promise<Told | undefined>>;
}

/** Every thirtieth word of it is a name. */
const LONG_TEXT = chapterOf(LONG).replaceAll("harbour", "Harbour");
const touched = (round: number) => LONG_TEXT.replaceAll(/ (\d+)$/gm, ` Once more, ${round}. $1`);
const fewTouched = (round: number) => LONG_TEXT.replaceAll(/ (\d+)77$/gm, ` Once more, ${round}. $177`);
const put = (lab: Lab, markdown: string) =>
  lab.ask("PUT", `/chapters/${lab.longId}/prose`, markdown, "text/markdown");
const post = (lab: Lab, path: string, body: unknown) => lab.ask("POST", path, JSON.stringify(body));

const WORKS: readonly Work[] = [
  {
    name: "an index builds",
    // A server begins it by itself, so there is no waiting for rest.
    isAtOnce: true,
    make: async (lab) => () => lab.ask("GET", `/books/${lab.bookId}/search?q=the`),
  },
  {
    name: "a book is imported over HTTP, a POST a chapter",
    make: async (lab, round) => {
      const { body } = await post(lab, "/books", { title: `Posted ${round}` });
      const chapters = Array.from({ length: WORDS / POSTED }, (_, at) =>
        chapterOf(POSTED, round * 1000 + at),
      );
      return async () => {
        let last: Told | undefined;
        for (const [at, markdown] of chapters.entries())
          last = await post(lab, `/books/${body.id}/chapters`, { title: `Chapter ${at}`, markdown });
        return last;
      };
    },
  },
  {
    name: "a book is imported by the command line",
    isGiant: true,
    make: async (lab, round) => {
      const folder = join(lab.folder, `imported ${round}`);
      writeLargeBook(folder, WORDS);
      return () => beside(lab, ["import", folder, "--title", `Imported ${round}`]);
    },
  },
  {
    name: "a chapter of 50,000 words: PUT, every paragraph touched",
    make: async (lab, round) => () => put(lab, touched(round)),
  },
  {
    name: "a chapter of 50,000 words: PUT, few touched",
    make: async (lab, round) => () => put(lab, fewTouched(round)),
  },
  {
    name: "a chapter of 50,000 words: PUT of other text",
    make: async (lab, round) => () => put(lab, chapterOf(LONG, 100 + round)),
  },
  { name: "check", make: async (lab) => () => lab.ask("POST", `/chapters/${lab.longId}/check`) },
  { name: "detect", make: async (lab) => () => lab.ask("POST", `/chapters/${lab.longId}/detect`) },
  {
    name: "reanchor of the book",
    isGiant: true,
    make: async (lab) => {
      await post(lab, `/books/${lab.bookId}/facts`, { name: "Harbour" });
      return () => lab.ask("POST", `/books/${lab.bookId}/mentions/reanchor`);
    },
  },
  {
    name: "a proposal of 1,000 edits",
    isGiant: true,
    make: async (lab) => {
      const text = (at: number) => chapterOf(60, at).replaceAll("\n\n", " ").trim();
      const markdown = Array.from({ length: 1000 }, (_, at) => text(at)).join("\n\n");
      const made = await post(lab, `/books/${lab.bookId}/chapters`, { title: "Proposed for", markdown });
      const { body } = await lab.ask("GET", `/chapters/${made.body.id}?format=doc`);
      const edits = body.doc.content.map((node: { attrs: { blockId: string } }, at: number) => ({
        ...{ op: "replace", blockId: node.attrs.blockId, markdown: text(at + 5000) },
      }));
      return () => post(lab, `/chapters/${made.body.id}/proposals`, { revision: 1, edits });
    },
  },
  {
    name: "a proposal of one paragraph with 320,000 unclosed marks",
    isGiant: true,
    make: async (lab) => {
      const made = await post(lab, `/books/${lab.bookId}/chapters`, { title: "One", markdown: "One." });
      const edits = [{ op: "insert_after", blockId: null, markdown: "*a ".repeat(320_000) }];
      return () => post(lab, `/chapters/${made.body.id}/proposals`, { revision: 1, edits });
    },
  },
  {
    name: "a book of 1,000,000 words is deleted",
    isGiant: true,
    make: async (lab) => () => lab.ask("DELETE", `/books/${lab.bookId}`),
  },
  {
    name: "… and that is undone",
    isGiant: true,
    make: async (lab) => {
      const { body } = await lab.ask("DELETE", `/books/${lab.bookId}`);
      return () => lab.ask("POST", `/acts/${body.act}/undo`);
    },
  },
];

async function beside({ folder }: Lab, words: readonly string[]): Promise<Told> {
  const argv = [...MONITORED, PROGRAM, ...words, "--file", join(folder, "book.manuscript")];
  const child = spawn(process.execPath, argv, {
    cwd: folder,
    env: { ...process.env, HOME: folder, ...monitoredIn(folder).env },
    stdio: "ignore",
  });
  const [code] = await once(child, "exit");
  return { status: code === 0 ? 200 : 500, body: `exit ${code}` };
}

/** What a round came to, in milliseconds. */
interface Round {
  turnMs: number;
  heldMs: number;
  readMs: number;
  saveMs: number;
}

const chosen = WORKS.filter(({ name }) => process.argv.slice(2).every((word) => name.includes(word)));
const ground = mkdtempSync(join(tmpdir(), "manuscript-stalls-"));
const HOW = `The server answers others between its own short turns, whatever is asked of it: its longest turn is what a read may wait for.
A save waits for the file as well, for SQLite lets one program write at a time, and an act is one transaction: there as a whole or
not at all. What can be known before (parsing, planning, hashes) is made before the file is taken. What is left is the writing of
rows, 30 to 60 µs a paragraph; a book of a million words that is imported or deleted at once has 12,500 of them.`;
try {
  layGround();
  report("stalls of others at 1,000,000 words", await measureAll(), HOW);
} finally {
  rmSync(ground, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}

/** A book of so many words with one long chapter, in the file that each round gets a copy of. */
function layGround(): void {
  const large = join(ground, "large");
  runIn(ground, "init", "book.manuscript");
  writeLargeBook(large, WORDS - LONG);
  writeFileSync(join(large, "9999.md"), `# Long\n\n${LONG_TEXT}`);
  runIn(ground, "import", large);
}

async function measureAll(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const work of chosen) {
    const rounds: Round[] = [];
    for (let round = 1; round <= ROUNDS; round++) rounds.push(await measure(work, round));
    lines.push(...linesOf(work, rounds));
  }
  return lines;
}

/** Each round has a server and a file of its own, so that nothing is warm. */
async function measure(work: Work, round: number): Promise<Round> {
  const folder = copied(ground, join(ground, "book.manuscript"), "round");
  const served = await startKeyed(folder, monitoredIn(folder));
  let witness: ChildProcess | undefined;
  try {
    const lab = await openLab(folder, served);
    const run = await work.make(lab, round);
    witness = await startWitness(lab);
    if (!work.isAtOnce) await settled(lab);
    await seenBy(witness);
    await turnsOf(lab.pid, lab.folder);
    const told = await run();
    if (told !== undefined && told.status >= 400)
      throw new Error(`${work.name}: ${told.status} ${JSON.stringify(told.body).slice(0, 300)}`);
    const seen = await seenBy(witness);
    if (seen.failures.length > 0) throw new Error(`${work.name}: others got ${seen.failures[0]}`);
    const turns = await turnsOf(lab.pid, lab.folder);
    const done = { ...turns, readMs: seen.worstReadMs, saveMs: seen.worstWriteMs };
    console.error(`   ${work.name} ${round}: ${JSON.stringify(done)}`);
    return done;
  } finally {
    witness?.kill("SIGKILL");
    await served.stop("SIGTERM");
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

async function openLab(folder: string, served: Keyed): Promise<Lab> {
  const { body } = await served.ask("GET", "/books");
  const bookId = body.books[0].id;
  const outline = await served.ask("GET", `/books/${bookId}`);
  return { ...served, folder, bookId, longId: outline.body.chapters.at(-1).id };
}

/** Nothing of what starts or prepares is measured: the helpers have started and are at rest, the index is built. */
async function settled(lab: Lab): Promise<void> {
  const { body } = await post(lab, "/books", { title: "Small" });
  const made = await post(lab, `/books/${body.id}/chapters`, { title: "Small", markdown: "A few words.\n" });
  await lab.ask("POST", `/chapters/${made.body.id}/detect`);
  await lab.ask("GET", `/books/${lab.bookId}/search?q=words`);
  await lab.ask("DELETE", `/books/${body.id}`);
  await wait(1500);
}

async function startWitness(lab: Lab): Promise<ChildProcess> {
  const { body } = await post(lab, "/books", { title: "Somebody else's" });
  const markdown = Array.from({ length: 20 }, (_, at) => `Paragraph ${at} of another book.`).join("\n\n");
  const made = await post(lab, `/books/${body.id}/chapters`, { title: "One", markdown });
  const read = await lab.ask("GET", `/chapters/${made.body.id}?format=doc`);
  const { blockId } = read.body.doc.content[3].attrs;
  const asked = { url: lab.url, key: lab.key, pid: String(lab.pid), chapterId: made.body.id, blockId };
  const witness = fork(join(import.meta.dirname, "../trust/witness.ts"), [JSON.stringify(asked)], {
    execArgv: ["--import", "tsx"],
  });
  await wait(500);
  return witness;
}

async function seenBy(witness: ChildProcess): Promise<Seen> {
  witness.send("tell");
  const [seen] = await once(witness, "message");
  return seen as Seen;
}

function linesOf({ name, isGiant }: Work, rounds: readonly Round[]): Line[] {
  const most = (of: (round: Round) => number) => Math.max(...rounds.map(of));
  const barred = (what: string, value: number, mostMs: number): Line => ({
    ...{ what: `${name}: ${what}`, value, unit: "ms CPU", bar: `≤ ${mostMs}`, met: value <= mostMs },
  });
  const told = (what: string, of: (round: Round) => number): Line => ({
    ...{ what: `${name}: ${what}`, value: Math.min(...rounds.map(of)), unit: "ms" },
  });
  return [
    barred(
      "longest turn of the server’s loop",
      most(({ turnMs }) => turnMs),
      MOST_MS,
    ),
    // Who saves waits for the turn and for the hold.
    barred(
      "longest hold of the file, and a turn",
      most(({ turnMs, heldMs }) => turnMs + heldMs),
      isGiant ? MOST_OF_GIANTS_MS : MOST_MS,
    ),
    told("another client’s worst read by the clock", ({ readMs }) => readMs),
    told("another client’s worst save by the clock", ({ saveMs }) => saveMs),
  ];
}
