import { closeSync, copyFileSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { Refusal } from "../../src/refusals.ts";
import { listFacts, readFact } from "../../src/service/annotations/facts.ts";
import { listSnippets } from "../../src/service/annotations/snippets.ts";
import { readStoryMap } from "../../src/service/annotations/story-map.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { listRevisions, readChapter } from "../../src/service/books/read-chapter.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { listMilestones } from "../../src/service/history/milestones.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { searchBook } from "../../src/service/search/search.ts";
import type { Sample } from "../../test/support/sample.ts";
import { seeded, ticking } from "../../test/support/sandbox.ts";

// Started by 03-damage.ts: turns bits of a copy of a file over, one at a time, and compares every answer with the sound one's.

/** What one process looks at. */
export interface Share {
  /** The sound file. */
  sound: string;
  /** Where its copy is to lie. */
  path: string;
  asked: Asked;
  places: readonly Place[];
}

/** A bit of a file. */
export interface Place {
  at: number;
  bit: number;
}

/** What is asked for by its id. */
export interface Asked extends Pick<Sample, "bookId" | "factId" | "otherFactId"> {
  chapters: readonly string[];
  revisions: number;
}

/** Who saw that a bit was turned over, and what was wrong. */
export interface Looked extends Place {
  seen: "opening" | "reading" | "doctor" | "nothing";
  /** Whether something that SQLite alone checks was answered otherwise. */
  isOtherServed?: boolean;
  fault?: string;
}

process.once("message", (share: Share) => {
  process.send?.(lookAtAll(share), () => process.disconnect());
});

function lookAtAll({ sound, path, asked, places }: Share): Looked[] {
  const expected = answersOf(sound, asked);
  const bytes = readFileSync(sound);
  return places.map(({ at, bit }) => {
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    copyFileSync(sound, path);
    flip(path, at, bytes.readUInt8(at) ^ (1 << bit));
    return { at, bit, ...look(path, asked, expected) };
  });
}

function look(path: string, asked: Asked, expected: ReadonlyMap<string, string>): Omit<Looked, "at" | "bit"> {
  let answers: Map<string, string>;
  try {
    answers = answersOf(path, asked);
  } catch (error) {
    if (isFound(path)) return { seen: "opening" };
    return {
      seen: "opening",
      fault: `refused at opening (${(error as Error).message}), and the doctor finds nothing`,
    };
  }
  const other = [...expected].filter(([name, answer]) => answers.get(name) !== answer).map(([name]) => name);
  const told = other.filter((name) => isTold(answers.get(name) ?? ""));
  const served = other.filter((name) => !told.includes(name) && !name.startsWith(OTHER));
  const isOtherServed = other.length > told.length + served.length;
  const found = isFound(path);
  const fault =
    served.length > 0
      ? `${served[0]} answered something else: ${firstDifference(expected.get(served[0] ?? "") ?? "", answers.get(served[0] ?? "") ?? "")}`
      : told.length > 0 && !found
        ? `${told[0]} refuses, and the doctor finds nothing`
        : undefined;
  const seen = other.length > 0 ? "reading" : found ? "doctor" : "nothing";
  return { seen, isOtherServed, ...(fault === undefined ? {} : { fault }) };
}

/** Whether an answer says by itself that it is none, or not all: a search names the chapters that it could not read. */
function isTold(answer: string): boolean {
  return answer === `${REFUSED}unavailable` || answer.includes('"unread":["');
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (a[at] === b[at] && at < a.length) at++;
  return `${JSON.stringify(a.slice(Math.max(at - 30, 0), at + 20))} is ${JSON.stringify(b.slice(Math.max(at - 30, 0), at + 20))}`;
}

function isFound(path: string): boolean {
  return diagnose(path, ticking()).checks.some(({ name, status }) => name !== "disk" && status !== "ok");
}

const REFUSED = "refused: ";

/** Every answer by its name: JSON, or the refusal. An error that is none breaks the promise by itself. */
function answersOf(path: string, asked: Asked): Map<string, string> {
  const own = openManuscript(path, { clock: ticking(Date.UTC(2026, 2, 2)), random: seeded(9) });
  const answers = new Map<string, string>();
  const ask = (name: string, read: () => unknown) => answers.set(name, answer(read));
  try {
    askBook(own, asked, ask);
    for (const id of asked.chapters) {
      askChapter(own, id, asked.revisions, ask);
      ask(`snippets of ${id}`, () => listSnippets(own, asked.bookId, { chapterId: id }));
    }
  } finally {
    own.close();
  }
  return answers;
}

/** Begins the name of an answer that SQLite's own checks alone stand for: whatever is not prose of today. */
const OTHER = "other: ";

/** What a chapter's answer says besides counts and times, which SQLite alone checks. */
function proseOf(body: Buffer | undefined): unknown {
  if (body === undefined) return undefined;
  const { id, title, text, doc, markdown } = JSON.parse(body.toString());
  return { id, title, text, doc, markdown };
}

type Ask = (name: string, read: () => unknown) => void;

function askBook(own: Manuscript, { bookId, factId, otherFactId }: Asked, ask: Ask): void {
  ask("snippets", () => listSnippets(own, bookId, {}));
  ask(`${OTHER}books`, () => listBooks(own));
  ask(`${OTHER}outline`, () => readOutline(own, bookId).body.toString());
  ask(`${OTHER}facts`, () => listFacts(own, bookId));
  for (const id of [factId, otherFactId]) ask(`${OTHER}fact ${id}`, () => readFact(own, id));
  ask(`${OTHER}acts`, () => listActs(own, {}));
  ask(`${OTHER}milestones`, () => listMilestones(own, bookId));
  ask(`${OTHER}story map`, () => readStoryMap(own, bookId).body.toString());
  for (const q of ["lamp", "quay", "Tobit"]) ask(`${OTHER}search ${q}`, () => searchBook(own, bookId, { q }));
}

function askChapter(own: Manuscript, id: string, revisions: number, ask: Ask): void {
  for (const format of ["text", "doc", "markdown"] as const) {
    ask(`${id} as ${format}`, () => proseOf(readChapter(own, id, { format }).body));
    for (let revision = 1; revision <= revisions; revision++) {
      ask(`${OTHER}${id} as ${format} at ${revision}`, () =>
        readChapter(own, id, { format, revision }).body?.toString(),
      );
    }
  }
  ask(`${id} bare`, () => readChapter(own, id, { bare: true }).body?.toString());
  ask(`${OTHER}revisions of ${id}`, () => listRevisions(own, id));
}

function answer(read: () => unknown): string {
  try {
    return JSON.stringify(read()) ?? "";
  } catch (error) {
    if (error instanceof Refusal) return `${REFUSED}${error.code}`;
    return `500: ${(error as Error).message}`;
  }
}

function flip(path: string, at: number, byte: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Uint8Array.of(byte), 0, 1, at);
  closeSync(file);
}
