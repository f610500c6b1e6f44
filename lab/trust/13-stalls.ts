import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeLargeBook } from "./large-book.ts";
import { cpuOf, type Keyed, rssOf, runIn, startKeyed, type Told } from "./measured-server.ts";
import type { Measured, TrustPromise } from "./promise.ts";
import type { Seen } from "./witness.ts";

const WORST_MS = 250;
const EXPONENT = 1.3;
const ABOVE_MIB = 300;
/** Below this a difference of two times says nothing. */
const TELLING_CPU_MS = 400;
const WORDS_OF_LARGE_BOOK = 10_000_000;

/** No input within the limits holds up anybody else. */
export const promise: TrustPromise = {
  number: 13,
  isNightly: true,
  promise: "No input within the limits stalls others",
  bar: `others answered within ${WORST_MS} ms, growth exponent below ${EXPONENT}, at most ${ABOVE_MIB} MB above rest, no 5xx but 503 with words`,
  measure,
};

/** What is tried: `make` prepares a size (1 is the limit, 0.5 half of it) and returns what is then measured. */
interface Trial {
  name: string;
  sizes: readonly number[];
  make(lab: Lab, size: number): Promise<() => Promise<Told>>;
}

interface Lab extends Keyed {
  folder: string;
  /** A new chapter with this Markdown, in a book of its own. */
  chapter(markdown?: string): Promise<string>;
  seen(): Promise<Seen>;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** The unit, or what it makes of each number, until there are so many bytes. */
function fill(bytes: number, unit: string | ((index: number) => string)): string {
  if (typeof unit === "string") return unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
  const parts: string[] = [];
  for (let index = 0, size = 0; size < bytes; index++) {
    const part = unit(index);
    size += Buffer.byteLength(part);
    parts.push(part);
  }
  return parts.slice(0, -1).join("");
}

const SENTENCE = "Ahab and Queequeg went on deck, and the sea was as dark as a wolf's mouth that night. ";
/** So long that 4 MiB of it are fewer paragraphs than a chapter may have. */
const PASSAGE = SENTENCE.repeat(5);

/** Markdown of each kind at its limit: 4 MiB, or as much of it as a chapter may have. */
const KINDS: Readonly<Record<string, (size: number) => string>> = {
  "4 MiB of paragraphs": (size) => fill(4 * MIB * size, (index) => `${PASSAGE}No. ${index}.\n\n`),
  "loose list": (size) => fill(4 * MIB * size, `- ${PASSAGE}\n\n`),
  "near-equal dialogue": (size) =>
    fill(4 * MIB * size, (index) => `“Yes,” he said for the ${index} time. ${PASSAGE}\n\n`),
  "nested quotes": (size) => fill(4 * MIB * size, `> > > ${PASSAGE}\n\n`),
  "quote of many paragraphs": (size) => fill(4 * MIB * size, `> ${PASSAGE}\n>\n`),
  references: (size) => `[r]: /r\n\n${fill(3.9 * MIB * size, `[word][r] ${PASSAGE}\n\n`)}`,
  "reference bomb": (size) => `[r]: /${"u".repeat(64 * KIB * size)}\n\n${fill(64 * KIB * size, "[r]\n\n")}`,
  "emphasis pairs": (size) => fill(4 * MIB * size, `${"*a* ".repeat(50)}\n\n`),
  "one paragraph of emphasis": (size) => fill(4 * MIB * size, "*a "),
  fences: (size) => fill(MIB * size, "```\nx\n"),
  rules: (size) => fill(MIB * size, "a\n\n---\n\n"),
  blanks: (size) => fill(MIB * size, `a${" ".repeat(60)}\n`),
  headings: (size) => fill(MIB * size, "# a\n"),
  "one-letter paragraphs": (size) => fill(512 * KIB * size, "a\n\n"),
  "one long word": (size) => "w".repeat(4 * MIB * size),
  tags: (size) => `<a ${fill(3.9 * MIB * size, "b=c ")}`,
};

const put = (lab: Lab, id: string, markdown: string) =>
  lab.ask("PUT", `/chapters/${id}/prose`, markdown, "text/markdown");

const markdownTrials: Trial[] = Object.entries(KINDS).map(([name, markdown]) => ({
  name: `PUT of ${name}`,
  sizes: [0.5, 1],
  make: async (lab, size) => {
    const id = await lab.chapter();
    const text = markdown(size);
    return () => put(lab, id, text);
  },
}));

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const docOf = (content: unknown[]) => ({ type: "doc", content });
const DOCS: Readonly<Record<string, (size: number) => unknown>> = {
  "16 MiB of paragraphs": (size) =>
    docOf(Array.from({ length: 9_900 * size }, (_, index) => paragraph(`${SENTENCE.repeat(16)}${index}`))),
  escapes: (size) => docOf([paragraph("*_[]\\`".repeat((4 * MIB * size) / 6))]),
  "80,000 paragraphs": (size) =>
    docOf(Array.from({ length: 80_000 * size }, (_, index) => paragraph(`p ${index}`))),
  "lists for nodes": (size) => docOf(Array.from({ length: 5_000_000 * size }, () => [])),
};

const docTrials: Trial[] = Object.entries(DOCS).map(([name, doc]) => ({
  name: `PUT of a document: ${name}`,
  sizes: [0.5, 1],
  make: async (lab, size) => {
    const id = await lab.chapter();
    const body = JSON.stringify({ doc: doc(size) });
    return () => lab.ask("PUT", `/chapters/${id}/prose`, body);
  },
}));

/** A chapter as long as one may be, which the following trials work on. */
const LONG = (size: number) => KINDS["4 MiB of paragraphs"]?.(size) ?? "";

function onLong(name: string, run: (lab: Lab, id: string, size: number) => Promise<Told>): Trial {
  return {
    name,
    sizes: [0.5, 1],
    make: async (lab, size) => {
      const id = await lab.chapter(LONG(size));
      return () => run(lab, id, size);
    },
  };
}

const storedTrials: Trial[] = [
  onLong("detect on 4 MiB", (lab, id) => lab.ask("POST", `/chapters/${id}/detect`)),
  onLong("check of 4 MiB", (lab, id) => lab.ask("POST", `/chapters/${id}/check`)),
  onLong("synopsis of 4 MiB", (lab, id) => lab.ask("POST", `/chapters/${id}/synopsis`)),
  onLong("PUT over 4 MiB", (lab, id, size) => put(lab, id, LONG(size).replaceAll("night", "day"))),
  onLong("reading 4 MiB as a document", async (lab, id) => ({
    ...(await lab.ask("GET", `/chapters/${id}?format=doc`)),
    body: "",
  })),
  {
    name: "PATCH with 4 MiB",
    sizes: [0.5, 1],
    make: async (lab, size) => {
      const id = await lab.chapter("One.\n");
      const { body } = await lab.ask("GET", `/chapters/${id}?format=doc`);
      const text = JSON.stringify({ markdown: fill(MIB * size * 0.99, "*a ").trim() });
      return () => lab.ask("PATCH", `/chapters/${id}/paragraphs/${body.doc.content[0].attrs.blockId}`, text);
    },
  },
  {
    name: "reanchor, and the mentions of a fact",
    sizes: [0.5, 1],
    make: async (lab, size) => {
      const book = await lab.ask("POST", "/books", JSON.stringify({ title: "Many mentions" }));
      const made = JSON.stringify({ title: "Long", markdown: LONG(size) });
      await lab.ask("POST", `/books/${book.body.id}/chapters`, made);
      const fact = await lab.ask(
        "POST",
        `/books/${book.body.id}/facts`,
        JSON.stringify({ name: "Queequeg" }),
      );
      return async () => {
        const put = await lab.ask("POST", `/books/${book.body.id}/mentions/reanchor`);
        const read = await lab.ask("GET", `/facts/${fact.body.id}`);
        const gone = await lab.ask("DELETE", `/facts/${fact.body.id}`);
        return [put, read, gone].find(({ status }) => status >= 500) ?? { ...gone, body: "" };
      };
    },
  },
  {
    name: "deleting a book of 1,000,000 words, and its undo",
    sizes: [0.5, 1],
    make: async (lab, size) => {
      const book = await lab.ask("POST", "/books", JSON.stringify({ title: "Gone" }));
      for (let chapter = 0; chapter < 8 * size; chapter++) {
        const text = fill(700 * KIB, (index) => `${SENTENCE.repeat(4)}${chapter} ${index}\n\n`);
        await lab.ask(
          "POST",
          `/books/${book.body.id}/chapters`,
          JSON.stringify({ title: `${chapter}`, markdown: text }),
        );
      }
      return async () => {
        const gone = await lab.ask("DELETE", `/books/${book.body.id}`);
        const back = await lab.ask("POST", `/acts/${gone.body.act}/undo`);
        return gone.status >= 500 ? gone : back;
      };
    },
  },
];

const beside = (lab: Lab, words: readonly string[]) => async (): Promise<Told> => {
  const bin = join(import.meta.dirname, "../../bin/manuscript.js");
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: lab.folder,
    env: { ...process.env, HOME: lab.folder },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const [code] = await once(child, "exit");
  return { status: code === 0 ? 200 : 500, body: `exit ${code}` };
};

const commandTrials: Trial[] = [
  {
    name: "import of 8 MiB by the command line",
    sizes: [1],
    make: async (lab) => {
      const folder = join(lab.folder, "eight");
      writeLargeBook(folder, 1_400_000);
      return beside(lab, ["import", folder]);
    },
  },
  {
    name: "import of 10,000,000 words by the command line",
    sizes: [1],
    make: async (lab) => {
      const folder = join(lab.folder, "large");
      writeLargeBook(folder, WORDS_OF_LARGE_BOOK);
      return beside(lab, ["import", folder]);
    },
  },
  {
    name: "first search of 10,000,000 words",
    sizes: [1],
    make: async (lab) => {
      const { body } = await lab.ask("GET", "/books");
      const largest = body.books.sort(
        (a: { wordCount: number }, b: { wordCount: number }) => b.wordCount - a.wordCount,
      )[0];
      return () => lab.ask("GET", `/books/${largest.id}/search?q=the`);
    },
  },
];

async function measure(): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-trust-13-"));
  runIn(folder, "init", "book.manuscript");
  const served = await startKeyed(folder);
  const told: Told13 = {
    faults: [],
    missed: [],
    lines: 0,
    worstMs: 0,
    medians: [],
    exponent: 0,
    aboveMib: 0,
  };
  let witness: ChildProcess | undefined;
  try {
    const lab = await openLab(folder, served);
    witness = lab.witness;
    const atRest = await settle(lab);
    for (const trial of [...markdownTrials, ...docTrials, ...storedTrials, ...commandTrials]) {
      if (process.env.MANUSCRIPT_TRIAL && !trial.name.includes(process.env.MANUSCRIPT_TRIAL)) continue;
      await tryOne(lab, trial, atRest, told);
      if (!served.isAlive()) break;
    }
    if (!served.isAlive()) told.faults.push(`the server ended: ${served.said().slice(-500)}`);
  } finally {
    witness?.kill("SIGKILL");
    await served.stop("SIGTERM");
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
  told.medians.sort((a, b) => a - b);
  const median = told.medians[Math.floor(told.medians.length / 2)] ?? 0;
  return {
    figures: `${told.lines} heavy requests: others waited ${round(told.worstMs)} ms at most, ${median.toFixed(1)} ms in the middle; exponent at most ${told.exponent.toFixed(2)}; ${round(told.aboveMib)} MB above rest`,
    faults: told.faults,
    missed: told.missed,
  };
}

interface Told13 {
  faults: string[];
  missed: string[];
  lines: number;
  worstMs: number;
  medians: number[];
  exponent: number;
  aboveMib: number;
}

async function openLab(folder: string, served: Keyed): Promise<Lab & { witness: ChildProcess }> {
  const own = await served.ask("POST", "/books", JSON.stringify({ title: "Somebody else's" }));
  const markdown = Array.from({ length: 20 }, (_, index) => `Paragraph ${index}. ${SENTENCE}`).join("\n\n");
  const other = await served.ask(
    "POST",
    `/books/${own.body.id}/chapters`,
    JSON.stringify({ title: "One", markdown }),
  );
  const { body } = await served.ask("GET", `/chapters/${other.body.id}?format=doc`);
  const asked = {
    url: served.url,
    key: served.key,
    pid: String(served.pid),
    chapterId: other.body.id,
    blockId: body.doc.content[3].attrs.blockId,
  };
  const witness = fork(join(import.meta.dirname, "witness.ts"), [JSON.stringify(asked)], {
    execArgv: ["--import", "tsx"],
  });
  let count = 0;
  return {
    ...served,
    folder,
    witness,
    chapter: async (text) => {
      const made = JSON.stringify({
        title: `Chapter ${++count}`,
        ...(text === undefined ? {} : { markdown: text }),
      });
      const book = await served.ask("POST", "/books", JSON.stringify({ title: `Book ${count}` }));
      const { status, body: answer } = await served.ask("POST", `/books/${book.body.id}/chapters`, made);
      if (status !== 201) throw new Error(`a chapter could not be made: ${status} ${JSON.stringify(answer)}`);
      return answer.id;
    },
    seen: async () => {
      witness.send("tell");
      const [seen] = await once(witness, "message");
      return seen as Seen;
    },
  };
}

/** What the server and its helpers take at rest, in MiB: each has done something small. */
async function settle(lab: Lab): Promise<number> {
  const id = await lab.chapter("A few words.\n");
  await lab.ask("POST", `/chapters/${id}/detect`);
  const { body } = await lab.ask("GET", `/chapters/${id}`);
  await lab.ask("GET", `/books/${body.bookId}/search?q=words`);
  await rest(lab);
  return rssOf(lab.pid);
}

/** Waits until the helpers have given back what an earlier request took: each is measured by itself. */
async function rest(lab: Lab): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await lab.seen();
}

async function tryOne(lab: Lab, trial: Trial, atRest: number, told: Told13): Promise<void> {
  const cpu: number[] = [];
  for (const size of trial.sizes) {
    const run = await trial.make(lab, size);
    await rest(lab);
    const before = cpuOf(lab.pid);
    const start = performance.now();
    const { status, body } = await run();
    const took = performance.now() - start;
    const seen = await lab.seen();
    cpu.push(cpuOf(lab.pid) - before);
    told.lines++;
    told.medians.push(seen.medianMs);
    const worst = Math.max(seen.worstReadMs, seen.worstWriteMs);
    const above = seen.peakMib - atRest;
    told.worstMs = Math.max(told.worstMs, worst);
    told.aboveMib = Math.max(told.aboveMib, above);
    const name = `${trial.name}${size === 1 ? "" : ` × ${size}`}`;
    const line = `${name}: ${status} after ${round(took)} ms, ${cpu.at(-1)} ms CPU; others ${seen.medianMs.toFixed(1)} ms, at most ${round(seen.worstReadMs)} to read and ${round(seen.worstWriteMs)} to save; ${round(above)} MB above rest`;
    if (process.env.MANUSCRIPT_TOLD)
      console.log(`   ${line} ${status >= 400 ? JSON.stringify(body).slice(0, 160) : ""}`);
    if (status === 500 || (status === 503 && typeof body.message !== "string"))
      told.faults.push(`${line}: ${JSON.stringify(body).slice(0, 200)}`);
    for (const failure of new Set(seen.failures)) {
      const isBusy = failure.includes(" 503 {");
      (isBusy ? told.missed : told.faults).push(`${name}: the others got ${failure}`);
    }
    if (worst >= WORST_MS || above > ABOVE_MIB) told.missed.push(line);
  }
  const [half, full] = cpu;
  if (half === undefined || full === undefined || full < TELLING_CPU_MS || half < TELLING_CPU_MS / 2) return;
  const exponent = Math.log2(full / half);
  told.exponent = Math.max(told.exponent, exponent);
  if (exponent >= EXPONENT) told.missed.push(`${trial.name}: ${half} ms CPU for half, ${full} for all`);
}

function round(value: number): number {
  return Math.round(value);
}
