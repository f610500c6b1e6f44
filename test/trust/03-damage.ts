import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal } from "../../src/refusals.ts";
import { listFacts, readFact } from "../../src/service/annotations/facts.ts";
import { createSnippet, listSnippets } from "../../src/service/annotations/snippets.ts";
import { createChapter, deleteChapter } from "../../src/service/books/chapters.ts";
import { readOutline } from "../../src/service/books/outline.ts";
import { listRevisions, readChapter } from "../../src/service/books/read-chapter.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { searchBook } from "../../src/service/search/search.ts";
import { MARKDOWN, OWNER, type Sample, writeSample } from "../support/sample.ts";
import { seeded, ticking } from "../support/sandbox.ts";
import type { Measured, TrustPromise } from "./promise.ts";

const FLIPS = Number(process.env.MANUSCRIPT_RUNS ?? 1500);
const SEED = Number(process.env.MANUSCRIPT_SEED ?? 3);

/** What the writer wrote that stands nowhere in prose, and old revisions of it: half of the flips hit such bytes. */
const AIMED = [
  "Too dark?",
  "She keeps the lamp.",
  "Mara is late.",
  "The Ferry Book",
  "The Lamp",
  "tide table",
  "before light",
  "The tide waits",
  "An older draft",
  "a quay of grey stone",
];

/** Single bits of a manuscript's file turned over, and everything read that the API serves. */
export const promise: TrustPromise = {
  number: 3,
  promise: "Damage is found, and never served as text",
  bar: "1,500 flipped bits: 0 changed texts answered, the doctor finds every one that changed an answer",
  measure: async () => {
    const folder = mkdtempSync(join(tmpdir(), "manuscript-trust-"));
    try {
      return measure(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

type Seen = "opening" | "reading" | "doctor" | "nothing";

function measure(folder: string): Measured {
  const sound = join(folder, "sound.manuscript");
  const asked = writeManuscript(sound);
  const bytes = readFileSync(sound);
  const expected = answersOf(sound, asked);
  const places = placesIn(bytes);
  const counts: Record<Seen, number> = { opening: 0, reading: 0, doctor: 0, nothing: 0 };
  const faults: string[] = [];
  for (const { at, bit } of places) {
    const path = join(folder, "flipped.manuscript");
    for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
    copyFileSync(sound, path);
    flip(path, at, bytes[at]! ^ (1 << bit)); // a place within the file
    const { seen, fault } = look(path, asked, expected);
    counts[seen]++;
    if (fault !== undefined) faults.push(`bit ${bit} of byte ${at}: ${fault}`);
  }
  const figures = `${places.length} flips of ${bytes.length} bytes: ${counts.opening} seen at opening, ${counts.reading} at reading, ${counts.doctor} by the doctor alone, ${counts.nothing} changed nothing; ${faults.length} served or missed`;
  return { figures, faults };
}

function look(
  path: string,
  asked: Asked,
  expected: ReadonlyMap<string, string>,
): { seen: Seen; fault?: string } {
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
  const served = other.filter((name) => !isTold(answers.get(name) ?? ""));
  const found = isFound(path);
  const fault =
    served.length > 0
      ? `${served[0]} answered something else: ${firstDifference(expected.get(served[0] ?? "") ?? "", answers.get(served[0] ?? "") ?? "")}`
      : other.length > 0 && !found
        ? `${other[0]} refuses, and the doctor finds nothing`
        : undefined;
  const seen = other.length > 0 ? "reading" : found ? "doctor" : "nothing";
  return fault === undefined ? { seen } : { seen, fault };
}

/** Whether an answer says by itself that it is none, or not all: a search names the chapters that it could not read. */
function isTold(answer: string): boolean {
  return answer.startsWith(REFUSED) || answer.includes('"unread":["');
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (a[at] === b[at] && at < a.length) at++;
  return `${JSON.stringify(a.slice(Math.max(at - 30, 0), at + 20))} is ${JSON.stringify(b.slice(Math.max(at - 30, 0), at + 20))}`;
}

function isFound(path: string): boolean {
  return diagnose(path, ticking()).checks.some(({ name, status }) => name !== "disk" && status !== "ok");
}

interface Asked extends Pick<Sample, "bookId" | "factId" | "otherFactId"> {
  chapters: readonly string[];
  revisions: number;
}

/** A book with prose, mentions, notes, facts, parts, synopses, old revisions and deleted rows. */
function writeManuscript(path: string): Asked {
  const own = openManuscript(path, { create: true, clock: ticking(), random: seeded(5) });
  const sample = writeSample(own);
  const { bookId, chapterId, otherChapterId } = sample;
  const long = Array.from(
    { length: 40 },
    (_, n) => `Paragraph ${n} tells of a quay of grey stone and of ${n} ropes.`,
  );
  const { id: third } = createChapter(
    own,
    bookId,
    { title: "The Quay", markdown: `${long.join("\n\n")}\n` },
    OWNER,
  );
  for (let draft = 1; draft <= 8; draft++) {
    long[draft * 3] = `An older draft, number ${draft}, of what was said at the quay.`;
    replaceProse(own, third, { markdown: `${long.join("\n\n")}\n` }, OWNER);
    replaceProse(
      own,
      chapterId,
      { markdown: MARKDOWN.replace("rope", `rope ${draft}`) },
      { ...OWNER, mentions: "keep" },
    );
    createSnippet(own, bookId, { kind: "note", chapterId: third, text: `Note ${draft} on the quay.` }, OWNER);
  }
  const gone = createChapter(own, bookId, { title: "Gone", markdown: `${long.join("\n\n")}\n` }, OWNER);
  deleteChapter(own, gone.id, OWNER);
  own.close();
  return { ...sample, chapters: [chapterId, otherChapterId, third], revisions: 10 };
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

type Ask = (name: string, read: () => unknown) => void;

function askBook(own: Manuscript, { bookId, factId, otherFactId }: Asked, ask: Ask): void {
  ask("books", () => listBooks(own));
  ask("outline", () => readOutline(own, bookId).body.toString());
  ask("facts", () => listFacts(own, bookId));
  for (const id of [factId, otherFactId]) ask(`fact ${id}`, () => readFact(own, id));
  ask("snippets", () => listSnippets(own, bookId, {}));
  ask("acts", () => listActs(own, {}));
  for (const q of ["lamp", "quay", "Tobit"]) ask(`search ${q}`, () => searchBook(own, bookId, { q }));
}

function askChapter(own: Manuscript, id: string, revisions: number, ask: Ask): void {
  for (const format of ["text", "doc", "markdown"] as const) {
    ask(`${id} as ${format}`, () => readChapter(own, id, { format }).body?.toString());
    for (let revision = 1; revision <= revisions; revision++) {
      ask(`${id} as ${format} at ${revision}`, () =>
        readChapter(own, id, { format, revision }).body?.toString(),
      );
    }
  }
  ask(`${id} bare`, () => readChapter(own, id, { bare: true }).body?.toString());
  ask(`revisions of ${id}`, () => listRevisions(own, id));
}

function answer(read: () => unknown): string {
  try {
    return JSON.stringify(read()) ?? "";
  } catch (error) {
    if (error instanceof Refusal) return `${REFUSED}${error.code}`;
    return `500: ${(error as Error).message}`;
  }
}

interface Place {
  at: number;
  bit: number;
}

function placesIn(bytes: Buffer): Place[] {
  const random = randomOf(SEED);
  const aimed = AIMED.flatMap((text) => everyPlaceOf(bytes, text));
  return Array.from({ length: FLIPS }, (_, index) => {
    const target = index % 2 === 0 ? undefined : aimed[random(aimed.length)];
    const at = target === undefined ? random(bytes.length) : target.at + random(target.length);
    return { at, bit: random(8) };
  });
}

function everyPlaceOf(bytes: Buffer, text: string): { at: number; length: number }[] {
  const places = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
    places.push({ at, length: text.length });
  return places;
}

/** Whole numbers below a limit, the same in every run. */
function randomOf(seed: number): (limit: number) => number {
  const next = seeded(seed);
  return (limit) => {
    const [a = 0, b = 0, c = 0] = next(3);
    return ((a << 16) | (b << 8) | c) % limit;
  };
}

function flip(path: string, at: number, byte: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Uint8Array.of(byte), 0, 1, at);
  closeSync(file);
}
