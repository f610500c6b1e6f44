import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { changeAccount } from "../../src/service/account/account.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { firstSaid } from "../../test/support/first-said.ts";
import { PROGRAM } from "../../test/support/program.ts";
import type { TrustPromise } from "./promise.ts";
import { copied, madeBy, scratch, startServed } from "./served.ts";

const STOPS = 50;
const BAR_MS = 2000;
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const SLOW = 800;
/** As many of them ask for 4 MB and hardly read; each keeps its answer in the server's memory. */
const READERS = 40;
const OWNER = { source: "cli" } as const;

/** What all rounds together came to. */
interface Tally {
  faults: string[];
  missed: string[];
  stops: number;
  answered: number;
  slowestMs: number;
}

interface Book {
  path: string;
  key: string;
  chapters: string[];
  large: string;
}

export const promise: TrustPromise = {
  number: 15,
  isNightly: true,
  promise: "A stop is quiet and short, and slow clients deny nothing",
  bar: "50 stops with requests in flight and half-sent bodies: exit 0 in under 2 s, no -wal, 0 lost; 800 slow clients: 0 denied, all dropped",
  measure: async () => {
    const { folder, drop } = scratch();
    const tally: Tally = { faults: [], missed: [], stops: 0, answered: 0, slowestMs: 0 };
    try {
      const book = makeBook(join(folder, "made.manuscript"));
      const [slow] = await Promise.all([slowClients(folder, book, tally), stops(folder, book, tally)]);
      const said = `${tally.stops} stops, ${tally.answered} answered saves, slowest exit ${Math.round(tally.slowestMs)} ms, ${tally.faults.length} faults`;
      return { figures: `${said}; ${slow}`, faults: tally.faults, missed: tally.missed };
    } finally {
      drop();
    }
  },
};

function makeBook(path: string): Book {
  const { known, key } = madeBy(path, (manuscript) => {
    const { id } = createBook(manuscript, { title: "Stops" }, OWNER);
    const chapters = [1, 2, 3].map(
      (at) => createChapter(manuscript, id, { title: `${at}`, markdown: "word 0\n" }, OWNER).id as string,
    );
    const markdown = `${"A long line of a long chapter. ".repeat(50)}\n\n`.repeat(1300);
    const large = createChapter(manuscript, id, { title: "large", markdown }, OWNER).id as string;
    return { chapters, large };
  });
  return { path, key, ...known };
}

/** Fifty servers stopped at work, two at a time; then a hasty stop, watchers and imports. */
async function stops(folder: string, book: Book, tally: Tally): Promise<void> {
  const rounds = Array.from({ length: STOPS }, (_, at) => at);
  const next = async (): Promise<void> => {
    for (let at = rounds.shift(); at !== undefined; at = rounds.shift())
      await oneStop(copied(folder, book.path, "stop"), book, at, tally);
  };
  await Promise.all([next(), next()]);
  await hastyStop(copied(folder, book.path, "hasty"), book, tally);
  for (const signal of SIGNALS) await stopWatch(copied(folder, book.path, "watch"), signal, tally);
  for (let at = 0; at < 6; at++) await stopImport(copied(folder, book.path, "import"), at, tally);
}

async function oneStop(folder: string, book: Book, at: number, tally: Tally): Promise<void> {
  const signal = SIGNALS[at % SIGNALS.length]!; // there are three
  const fail = (what: string) => tally.faults.push(`stop ${at} by ${signal}: ${what}`);
  const model = at % 5 === 0 ? await silentModel(folder) : undefined;
  const server = await startServed(folder, ["--quiet"]);
  const idle = halfSent(server.url, book);
  const answered = new Map<string, number>();
  const writers = book.chapters.map((id) => saveUntilGone(server.base, book.key, id, answered));
  const asked = model === undefined ? undefined : askEngine(server.base, book);
  await wait(120 + (at % 7) * 40);
  if (model !== undefined) await model.asked;
  const { exit, ms } = await server.stop(signal);
  await Promise.all(writers);
  const told = await asked;
  if (told !== undefined && told !== 200) fail(`the AI call in flight was answered ${told}`);
  for (const socket of idle) socket.destroy();
  model?.close();
  tally.stops++;
  tally.slowestMs = Math.max(tally.slowestMs, ms);
  if (exit !== 0) fail(`exit ${exit}: ${server.said()}`);
  if (ms > BAR_MS) tally.missed.push(`stop ${at} by ${signal}: ${Math.round(ms)} ms`);
  const path = join(folder, "book.manuscript");
  if (existsSync(`${path}-wal`)) fail("-wal is left");
  for (const line of lost(path, answered)) fail(line);
  for (const count of answered.values()) tally.answered += count;
}

/** A model that takes every question and answers none. */
async function silentModel(folder: string): Promise<{ asked: Promise<unknown>; close: () => void }> {
  const model = createServer(() => {});
  const asked = once(model, "request");
  model.listen(0, "127.0.0.1");
  await once(model, "listening");
  const manuscript = openManuscript(join(folder, "book.manuscript"));
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  changeAccount(manuscript, { llm: { url, model: "m" } } as never);
  manuscript.close();
  return {
    asked,
    close: () => {
      model.closeAllConnections();
      model.close();
    },
  };
}

async function askEngine(base: string, { key, chapters }: Book): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${key}` };
  const answer = await fetch(`${base}/chapters/${chapters[0]}/synopsis`, { method: "POST", headers });
  await answer.text();
  return answer.status;
}

/** Three who hold a connection: one in its headers, one in its body, one without a word. */
function halfSent(url: string, { key, chapters }: Book): Socket[] {
  const { port } = new URL(url);
  const head = `PUT /api/v1/chapters/${chapters[0]}/prose HTTP/1.1\r\nHost: localhost\r\n`;
  const body = `${head}Authorization: Bearer ${key}\r\nContent-Type: text/markdown\r\nContent-Length: 5000\r\n\r\nhalf`;
  return [head, body, ""].map((text) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
    return socket.on("error", () => {});
  });
}

/** Saves `word 1`, `word 2` … until the server is gone; the last that was answered is noted. */
async function saveUntilGone(
  base: string,
  key: string,
  id: string,
  answered: Map<string, number>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "text/markdown" };
  for (let count = 1; ; count++) {
    try {
      const save = { method: "PUT", headers, body: `word ${count}\n` };
      const answer = await fetch(`${base}/chapters/${id}/prose?`, save);
      await answer.text();
      if (answer.status !== 200) return;
      answered.set(id, count);
    } catch {
      return;
    }
  }
}

function lost(path: string, answered: ReadonlyMap<string, number>): string[] {
  const manuscript = openManuscript(path);
  try {
    return [...answered].flatMap(([id, count]) => {
      const answer = readChapterAnswer(manuscript, id, {});
      const kept = "text" in answer ? Number(/word (\d+)/.exec(String(answer.text))?.[1]) : Number.NaN;
      return kept >= count ? [] : [`${id}: save ${count} was answered, ${kept} is there`];
    });
  } finally {
    manuscript.close();
  }
}

/** The second Ctrl-C does not wait for what the first one waits for. */
async function hastyStop(folder: string, book: Book, tally: Tally): Promise<void> {
  const server = await startServed(folder, ["--quiet"]);
  const idle = halfSent(server.url, book);
  await wait(100);
  server.process.kill("SIGINT");
  await wait(300);
  const { exit } = await server.stop("SIGINT");
  for (const socket of idle) socket.destroy();
  // A machine under load may be done with the first before the second comes.
  if (exit !== "SIGINT" && exit !== 0) tally.faults.push(`a second Ctrl-C: ${exit}`);
  if (exit === 0) tally.missed.push("a second Ctrl-C came too late to be one");
}

async function ended(child: ReturnType<typeof spawn>): Promise<number | string | null> {
  const [exit, signal] = (await once(child, "exit")) as [number | null, string | null];
  return signal ?? exit;
}

function run(folder: string, ...argv: readonly string[]): ReturnType<typeof spawn> {
  const env = { PATH: process.env.PATH, HOME: folder };
  return spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

async function stopWatch(folder: string, signal: NodeJS.Signals, tally: Tally): Promise<void> {
  await ended(run(folder, "export", "1", "-o", "out"));
  const child = run(folder, "sync", "out", "--watch");
  const exit = ended(child);
  await firstSaid(child, "stderr");
  await wait(300);
  child.kill(signal);
  const told = await exit;
  if (told !== 0) tally.faults.push(`sync --watch stopped by ${signal}: ${told}`);
  if (existsSync(join(folder, "book.manuscript-wal"))) tally.faults.push("sync --watch leaves a -wal");
}

/** An import stopped somewhere in its course: it has happened whole, or not at all. */
async function stopImport(folder: string, at: number, tally: Tally): Promise<void> {
  const chapters = 60;
  mkdirSync(join(folder, "in"));
  for (let index = 0; index < chapters; index++)
    writeFileSync(join(folder, "in", `${100 + index}.md`), "A paragraph of words.\n\n".repeat(300));
  const signal = SIGNALS[at % SIGNALS.length]!; // there are three
  const child = run(folder, "import", "in", "--title", "Taken in");
  const exit = ended(child);
  await wait(250 + at * 150);
  child.kill(signal);
  const told = await exit;
  const manuscript = openManuscript(join(folder, "book.manuscript"));
  const found = listBooks(manuscript).books.find(({ title }) => title === "Taken in")?.chapterCount ?? 0;
  manuscript.close();
  if (told !== signal && told !== 0) tally.faults.push(`import stopped by ${signal}: ${told}`);
  if (found !== 0 && found !== chapters) tally.faults.push(`import stopped by ${signal}: ${found} chapters`);
  if (told === 0 && found !== chapters) tally.faults.push("import said 0 and is not there");
}

/** Header by the letter, body by the letter, silent, reading slowly; then how a good client fares, and when they are gone. */
async function slowClients(folder: string, book: Book, tally: Tally): Promise<string> {
  const server = await startServed(copied(folder, book.path, "slow"), ["--quiet"]);
  const before = server.descriptors() ?? 0;
  // Its own good client keeps one open, and it may read a file meanwhile. Who does not read does not see that it is cut.
  const held = () => Math.max((server.descriptors() ?? open.size) - before - 3, 0);
  const open = new Set<Socket>();
  const start = performance.now();
  const lettering: (() => void)[] = [];
  for (let at = 0; at < SLOW - READERS; at++) lettering.push(slowClient(server.url, book, at % 3, open));
  const readers = setInterval(() => {
    lettering.push(slowClient(server.url, book, 3, open));
    if (lettering.length === SLOW) clearInterval(readers);
  }, 50);
  const letters = setInterval(() => lettering.forEach((send) => void send()), 1000);
  const good = { asked: 0, slowestMs: 0 };
  let droppedMs = 0;
  while (performance.now() - start < 110_000 && (held() > 0 || lettering.length < SLOW)) {
    const begun = performance.now();
    const headers = { Authorization: `Bearer ${book.key}` };
    const answer = await fetch(`${server.base}/books`, { headers }).catch(() => undefined);
    await answer?.text();
    if (answer?.status !== 200) tally.faults.push(`beside slow clients: ${answer?.status ?? "no answer"}`);
    good.asked++;
    good.slowestMs = Math.max(good.slowestMs, performance.now() - begun);
    droppedMs = performance.now() - start;
    await wait(50);
  }
  clearInterval(letters);
  if (held() > 0) tally.faults.push(`${held()} of ${SLOW} slow clients are held after 110 s`);
  for (const socket of open) socket.destroy();
  await server.stop("SIGTERM");
  if (good.slowestMs > 1000) tally.missed.push(`beside slow clients: ${Math.round(good.slowestMs)} ms`);
  return `${SLOW} slow clients, all dropped after ${Math.round(droppedMs / 1000)} s, beside them ${good.asked} answers, slowest ${Math.round(good.slowestMs)} ms`;
}

/** Begins one of the four kinds; what it returns is done every second. */
function slowClient(
  url: string,
  { key, chapters, large }: Book,
  kind: number,
  open: Set<Socket>,
): () => void {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  open.add(socket);
  socket.on("error", () => {}).once("close", () => open.delete(socket));
  const head = (what: string) =>
    `${what} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/markdown\r\n`;
  const letter = () => {
    if (socket.writable) socket.write("x");
  };
  if (kind === 0) {
    socket.write(`${head("GET /api/v1/books")}X-Slow: `);
    socket.resume();
    return letter;
  }
  if (kind === 1) {
    socket.write(`${head(`PUT /api/v1/chapters/${chapters[0]}/prose`)}Content-Length: 5000\r\n\r\n`);
    socket.resume();
    return letter;
  }
  if (kind === 2) {
    socket.resume();
    return () => {};
  }
  socket.pause();
  // One answer finds room on its way, two do not.
  socket.write(`${head(`GET /api/v1/chapters/${large}`)}\r\n`.repeat(2));
  return () => {
    socket.read(512);
    // A blank line before a request is none, and no sign of life.
    if (socket.writable) socket.write("\r\n");
  };
}
