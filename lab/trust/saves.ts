import { statfsSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import type { ChapterId, FactId } from "../../src/ids.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { createFact, readFact } from "../../src/service/annotations/facts.ts";
import { listSnippets } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { listBooks } from "../../src/service/list-books.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { type Around, type Served, startServed } from "./served.ts";

// Writers that save through a real server and through real commands, and remember every answer; used by promises that
// then take the process, the disk or the file away, and look for each save in what is left.

const OWNER = { source: "cli" } as const;

/** A save that was answered: what must be in the file from then on, as it is or as a revision. */
export type Save =
  | { kind: "prose"; chapterId: string; revision: number; markdown: string }
  | { kind: "fact"; id: string; name: string; summary: string }
  | { kind: "snippet"; id: string; text: string };

/** A manuscript that writers write to. */
export interface Desk {
  path: string;
  bookId: string;
  /** One a writer and turn: two writers never share one. */
  chapterIds: readonly string[];
  key: string;
}

/** A folder in memory, where Linux has room for it, else the system's: a process that is killed cannot tell. */
export function roomyFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (bavail * bsize >= 2 ** 31) return "/dev/shm";
  } catch {
    // Not Linux.
  }
  return tmpdir();
}

/** Makes a manuscript with a book of empty chapters and a key. */
export function makeDesk(path: string, chapterCount: number): Desk {
  const manuscript = openManuscript(path, { create: true });
  const bookId = createBook(manuscript, { title: "Kept" }, OWNER).id;
  const chapterIds = Array.from(
    { length: chapterCount },
    (_, index) => createChapter(manuscript, bookId, { title: `Chapter ${index}` }, OWNER).id,
  );
  createFact(manuscript, bookId, { name: "Nobody" }, OWNER);
  const { key } = createKey(manuscript, { name: "trust" });
  manuscript.close();
  return { path, bookId, chapterIds, key };
}

/** Serves what writers write to, without copies of it beside. */
export function serveDesk({ path }: Desk, around: Around = {}): Promise<Served> {
  return startServed(dirname(path), [path, "--quiet", "--no-backups"], around);
}

/** One writer over HTTP. */
export class Writer {
  readonly saves: Save[] = [];
  /** Answers that were neither a save nor a broken connection. */
  readonly refused: string[] = [];
  readonly #desk: Desk;
  readonly #name: string;
  readonly #own: readonly string[];
  #turn = 0;
  /** The paragraphs and their ids of the chapter that is being written, once a PUT of it was answered. */
  #open: { chapterId: string; paragraphs: string[]; blockIds: string[] } | undefined;

  constructor(desk: Desk, name: string, own: readonly string[]) {
    this.#desk = desk;
    this.#name = name;
    this.#own = own;
  }

  /** Saves one thing after another until the server is gone, or `until` aborts; `pauseMs` between two saves. */
  async write(port: number, until: AbortSignal, pauseMs = 0): Promise<void> {
    this.#open = undefined; // what was in flight may be saved or not: the next PUT says it anew
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    while (!until.aborted) {
      const answered = await this.#save((method, path, body) =>
        this.#ask(port, agent, { method, path, body }),
      );
      if (!answered) break;
      if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
    }
    agent.destroy();
  }

  /** One save: mostly prose, by turns whole or a paragraph, else a fact or a note. False once nobody answers. */
  async #save(
    ask: (method: string, path: string, body: string | object) => Promise<Answer | undefined>,
  ): Promise<boolean> {
    const turn = this.#turn++;
    const text = `${this.#name} saved this as number ${turn}, ${"and went on writing, ".repeat(turn % 9)}at once.`;
    if (turn % 5 === 3) {
      const fact = { name: `${this.#name} ${turn}`, kind: "other", summary: text };
      const made = await ask("POST", `/books/${this.#desk.bookId}/facts`, fact);
      return this.#keep(made, ({ id }) => ({ kind: "fact", id, name: fact.name, summary: text }));
    }
    if (turn % 5 === 4) {
      const made = await ask("POST", `/books/${this.#desk.bookId}/snippets`, { kind: "note", text });
      return this.#keep(made, ({ id }) => ({ kind: "snippet", id, text }));
    }
    if (turn % 5 === 0 || this.#open === undefined) return await this.#putWhole(ask, { turn, text });
    const { chapterId, paragraphs, blockIds } = this.#open;
    const at = turn % paragraphs.length;
    const changed = paragraphs.with(at, text);
    const answer = await ask("PATCH", `/chapters/${chapterId}/paragraphs/${blockIds[at]}`, text);
    this.#open = answer === undefined ? undefined : { ...this.#open, paragraphs: changed };
    return this.#keep(answer, ({ revision }) => ({
      kind: "prose",
      chapterId,
      revision,
      markdown: joined(changed),
    }));
  }

  async #putWhole(
    ask: (method: string, path: string, body: string) => Promise<Answer | undefined>,
    { turn, text }: { turn: number; text: string },
  ): Promise<boolean> {
    const chapterId = this.#own[turn % this.#own.length] ?? "";
    const paragraphs = [text, `A second paragraph of ${turn}.`, `A third of ${turn}, by ${this.#name}.`];
    const answer = await ask("PUT", `/chapters/${chapterId}/prose`, joined(paragraphs));
    this.#open = answer && {
      chapterId,
      paragraphs,
      blockIds: answer.body.blocks.map(({ blockId }) => blockId),
    };
    return this.#keep(answer, ({ revision }) => ({
      kind: "prose",
      chapterId,
      revision,
      markdown: joined(paragraphs),
    }));
  }

  #keep(answer: Answer | undefined, saveOf: (body: Answer["body"]) => Save): boolean {
    if (answer === undefined) return false;
    this.saves.push(saveOf(answer.body));
    return true;
  }

  /** The answer to a request; undefined if the connection broke before it was whole, or it is no save. */
  #ask(port: number, agent: http.Agent, request: { method: string; path: string; body: string | object }) {
    const { method, path, body } = request;
    const isText = typeof body === "string";
    return new Promise<Answer | undefined>((done) => {
      const headers = {
        Authorization: `Bearer ${this.#desk.key}`,
        "Content-Type": isText ? "text/markdown" : "application/json",
      };
      const sent = http.request(
        { port, host: "127.0.0.1", method, path: `/api/v1${path}`, agent, headers },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("error", () => done(undefined));
          answer.on("end", () => {
            if (!answer.complete) return done(undefined);
            const told = Buffer.concat(chunks).toString();
            if (answer.statusCode === 200 || answer.statusCode === 201)
              return done({ body: JSON.parse(told) });
            this.refused.push(`${method} ${path}: ${answer.statusCode} ${told}`);
            done(undefined);
          });
        },
      );
      sent.on("error", () => done(undefined));
      sent.end(isText ? body : JSON.stringify(body));
    });
  }
}

interface Answer {
  body: { id: string; revision: number; blocks: { blockId: string }[] };
}

const joined = (paragraphs: readonly string[]) => `${paragraphs.join("\n\n")}\n`;

/** The saves that a manuscript does not hold, byte for byte, a line each. */
export function listLost(path: string, saves: readonly Save[]): string[] {
  const manuscript = openManuscript(path);
  try {
    const texts = new Map<string, string | null>();
    for (const { id } of listBooks(manuscript).books)
      for (const snippet of listSnippets(manuscript, id, {}).snippets) texts.set(snippet.id, snippet.text);
    const isThere = (save: Save) => {
      if (save.kind === "snippet") return texts.get(save.id) === save.text;
      if (save.kind === "fact") {
        const { fact } = readFact(manuscript, save.id as FactId);
        return fact.name === save.name && fact.summary === save.summary;
      }
      const { chapterId, revision, markdown } = save;
      const query = { format: "markdown", revision } as const;
      const found = readChapterAnswer(manuscript, chapterId as ChapterId, query) as { markdown?: string };
      return found.markdown === markdown;
    };
    return saves.filter((save) => !tried(() => isThere(save))).map((save) => `lost: ${JSON.stringify(save)}`);
  } finally {
    manuscript.close();
  }
}

function tried(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false; // not found
  }
}
