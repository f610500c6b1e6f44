import { fork } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSnippet } from "../../src/service/annotations/snippets.ts";
import { createChapter, deleteChapter } from "../../src/service/books/chapters.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { MARKDOWN, OWNER, writeSample } from "../../test/support/sample.ts";
import { seeded, ticking } from "../../test/support/sandbox.ts";
import type { Asked, Looked, Place, Share } from "./flips.ts";
import { type Measured, PART, type TrustPromise } from "./promise.ts";

const FLIPS = Number(process.env.MANUSCRIPT_RUNS ?? 1000 * PART);
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
  promise: "A chapter that is damaged is never served",
  bar: "1,000 flipped bits: 0 changed texts, ids, notes or mentions of a chapter answered, the doctor finds every one that was refused",
  measure: async () => {
    // Thousands of openings: in memory, where there is such a folder, they do not wait for a disk.
    const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "manuscript-trust-"));
    try {
      return await measure(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    }
  },
};

const PROCESSES = 2;

async function measure(folder: string): Promise<Measured> {
  const sound = join(folder, "sound.manuscript");
  const asked = writeManuscript(sound);
  const bytes = readFileSync(sound);
  const places = placesIn(bytes);
  const shares = Array.from({ length: PROCESSES }, (_, share) =>
    lookAt({
      sound,
      path: join(folder, `flipped-${share}.manuscript`),
      asked,
      places: places.filter((_, index) => index % PROCESSES === share),
    }),
  );
  const looked = (await Promise.all(shares)).flat();
  const count = (seen: Looked["seen"]) => looked.filter((one) => one.seen === seen).length;
  const faults = looked.flatMap(({ at, bit, fault }) =>
    fault === undefined ? [] : [`bit ${bit} of byte ${at}: ${fault}`],
  );
  const others = looked.filter(({ isOtherServed }) => isOtherServed).length;
  const figures = `${looked.length} flips of ${bytes.length} bytes: ${count("opening")} seen at opening, ${count("reading")} at reading, ${count("doctor")} by the doctor alone, ${count("nothing")} changed nothing; ${faults.length} served or missed; ${others} changed an answer that SQLite alone checks`;
  return { figures, faults };
}

/** Has a process of its own look at some of the places. */
function lookAt(share: Share): Promise<Looked[]> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, "flips.ts"), { execArgv: ["--import", "tsx"] });
    child.once("message", (looked) => resolve(looked as Looked[]));
    child.once("exit", (code) => reject(new Error(`a process ended with ${code}`)));
    child.send(share);
  });
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
