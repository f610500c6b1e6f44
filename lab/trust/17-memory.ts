import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeLargeBook } from "./large-book.ts";
import { type Keyed, rssOf, runIn, startKeyed } from "./measured-server.ts";
import type { Measured, TrustPromise } from "./promise.ts";

const GROWTH = 0.1;
const OPEN_MS = 100;
const SEARCH_MIB = 900;
const DETECT_MIB = 400;
const WORDS = 10_000_000;
/** Two minutes of traffic, ten with MANUSCRIPT_MINUTES=10; the first is for warming up. */
const MINUTES = Number(process.env.MANUSCRIPT_MINUTES ?? 2);

/** Memory is bounded, however long the server runs and however long the book is. */
export const promise: TrustPromise = {
  number: 17,
  isNightly: true,
  promise: "Memory is bounded",
  bar: `after ${MINUTES} minutes of mixed traffic as after the first, within ${GROWTH * 100} %; 10,000,000 words: opened in ${OPEN_MS} ms, searched in ${SEARCH_MIB} MB, detect in ${DETECT_MIB} MB`,
  measure,
};

async function measure(): Promise<Measured> {
  const missed: string[] = [];
  const [traffic, large] = await Promise.all([measureTraffic(), measureLarge()]);
  const growth = traffic.end / traffic.start - 1;
  if (Math.abs(growth) > GROWTH)
    missed.push(
      `${traffic.start.toFixed(0)} MB after the first minute, ${traffic.end.toFixed(0)} after the last`,
    );
  if (large.openMs > OPEN_MS) missed.push(`opened in ${large.openMs} ms`);
  if (large.searchMib > SEARCH_MIB) missed.push(`${large.searchMib} MB to search`);
  if (large.detectMib > DETECT_MIB) missed.push(`${large.detectMib} MB for detect`);
  const faults = [...traffic.faults, ...large.faults];
  return {
    figures: `${traffic.requests} requests in ${MINUTES} minutes: ${traffic.start.toFixed(0)} MB, then ${traffic.end.toFixed(0)} (${(growth * 100).toFixed(1)} %); 10,000,000 words: opened in ${large.openMs} ms, ${large.searchMib} MB to search, ${large.detectMib} MB for detect`,
    faults,
    missed,
  };
}

async function inFolder<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-trust-17-"));
  try {
    runIn(folder, "init", "book.manuscript");
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
}

interface Traffic {
  start: number;
  end: number;
  requests: number;
  faults: string[];
}

function measureTraffic(): Promise<Traffic> {
  return inFolder(async (folder) => {
    const book = join(folder, "book");
    writeLargeBook(book, 200_000);
    runIn(folder, "import", book);
    const served = await startKeyed(folder);
    try {
      return await drive(served);
    } finally {
      await served.stop("SIGTERM");
    }
  });
}

/** Reads, saves, long writes, searches, AI calls and undos, one after another; the least that is in use every few seconds. */
async function drive(served: Keyed): Promise<Traffic> {
  const { body: books } = await served.ask("GET", "/books");
  const bookId = books.books[0].id;
  const { body: outline } = await served.ask("GET", `/books/${bookId}`);
  const chapters: string[] = outline.chapters.map(({ id }: { id: string }) => id);
  const samples: { at: number; mib: number }[] = [];
  const faults: string[] = [];
  const begin = performance.now();
  let requests = 0;
  const ask = async (method: string, path: string, body?: unknown) => {
    requests++;
    const answer = await served.ask(method, path, body === undefined ? undefined : JSON.stringify(body));
    if (answer.status >= 500)
      faults.push(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
    return answer.body;
  };
  for (let round = 0; performance.now() - begin < MINUTES * 60_000; round++) {
    const id = chapters[round % chapters.length];
    const { doc } = await ask("GET", `/chapters/${id}?format=doc`);
    for (let at = 0; at < 10; at++) {
      const { blockId } = doc.content[1 + at].attrs;
      await ask("PATCH", `/chapters/${id}/paragraphs/${blockId}`, {
        markdown: `Round ${round} saves ${at}.`,
      });
      await ask("GET", `/chapters/${id}`);
    }
    await ask("GET", `/books/${bookId}/search?q=round ${round % 50}`);
    if (round % 4 === 0) {
      const { markdown } = await ask("GET", `/chapters/${id}?format=markdown`);
      const { act } = await ask("PUT", `/chapters/${id}/prose`, {
        markdown: `${markdown}\n\nA last word.\n`,
      });
      await ask("POST", `/acts/${act}/undo`);
    }
    if (round % 8 === 0) await ask("POST", `/chapters/${id}/detect`);
    samples.push({ at: performance.now() - begin, mib: rssOf(served.pid) });
  }
  if (!served.isAlive()) faults.push(`the server ended: ${served.said().slice(-300)}`);
  // The middle of ten seconds: between two collections memory goes up and down.
  const around = (from: number) => {
    const near = samples.filter(({ at }) => at >= from && at < from + 10_000).map(({ mib }) => mib);
    return near.sort((a, b) => a - b)[Math.floor(near.length / 2)] ?? 0;
  };
  return { start: around(60_000), end: around(MINUTES * 60_000 - 10_000), requests, faults };
}

interface Large {
  openMs: number;
  searchMib: number;
  detectMib: number;
  faults: string[];
}

function measureLarge(): Promise<Large> {
  return inFolder(async (folder) => {
    const book = join(folder, "book");
    writeLargeBook(book, WORDS);
    runIn(folder, "import", book);
    rmSync(book, { recursive: true });
    const openMs = cpuToOpen(folder);
    const searchMib = await peakOf(folder, (bookId) => ["GET", `/books/${bookId}/search?q=the`]);
    const detectMib = await peakOf(folder, (_, chapterId) => ["POST", `/chapters/${chapterId}/detect`]);
    const faults = [searchMib, detectMib].flatMap(({ fault }) => fault ?? []);
    return { openMs, searchMib: searchMib.mib, detectMib: detectMib.mib, faults };
  });
}

/** What a command that lists the books takes beyond one that opens no file, in milliseconds; the least of five. */
function cpuToOpen(folder: string): number {
  const taken = (...words: string[]) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      runIn(folder, ...words);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  return Math.max(0, Math.round(taken("books") - taken("--version")));
}

/** The most memory of the server and its helpers, in MiB, and what is wrong with its answer. */
async function peakOf(
  folder: string,
  request: (bookId: string, chapterId: string) => [string, string],
): Promise<{ mib: number; fault?: string }> {
  const served = await startKeyed(folder);
  try {
    const { body: books } = await served.ask("GET", "/books");
    const bookId = books.books[0].id;
    const { body: outline } = await served.ask("GET", `/books/${bookId}`);
    let mib = 0;
    const sampling = setInterval(() => {
      mib = Math.max(mib, rssOf(served.pid));
    }, 50);
    const [method, path] = request(bookId, outline.chapters[3].id);
    const { status, body } = await served.ask(method, path);
    clearInterval(sampling);
    const fault =
      status === 200 ? {} : { fault: `${method} ${path}: ${status} ${JSON.stringify(body).slice(0, 200)}` };
    return { mib: Math.round(mib), ...fault };
  } finally {
    await served.stop("SIGTERM");
  }
}
