import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import type { ChapterId } from "../../../src/ids.ts";
import { createKey } from "../../../src/service/account/keys.ts";
import { createBook } from "../../../src/service/books/books.ts";
import { createChapter } from "../../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../../src/service/books/read-chapter.ts";
import { type Caller, type Manuscript, openManuscript } from "../../../src/service/manuscript.ts";
import { replaceParagraph } from "../../../src/service/prose/replace-paragraph.ts";
import { replaceProse } from "../../../src/service/prose/replace-prose.ts";
import { cpuMsOf } from "../processes.ts";
import { chapterOf } from "../report.ts";
import { startOurs } from "../servers/ours.ts";
import { openFloor } from "./floor.ts";
import type { Taken } from "./taken.ts";

/** A manuscript of one chapter, closed. */
export interface Bench {
  file: string;
  key: string;
  chapterId: ChapterId;
  markdown: string;
  blockIds: readonly string[];
}

/** One way of writing; `count` is of the process that writes, since it began. */
interface Way {
  write(index: number): void | Promise<void>;
  count(): Promise<Omit<Taken, "wallUs">>;
  close(): void | Promise<void>;
}

const caller: Caller = { source: "cli" };

/** Makes the chapter that is written. */
export function layBench(manuscript: Manuscript, words: number): Bench {
  const { id: bookId } = createBook(manuscript, { title: "Bench" }, caller);
  const markdown = chapterOf(words);
  const { id: chapterId } = createChapter(manuscript, bookId, { title: "One", markdown }, caller);
  const answer = readChapterAnswer(manuscript, chapterId, { format: "doc" });
  const content = ("doc" in answer ? answer.doc.content : []) as unknown as { attrs: { blockId: string } }[];
  const blockIds = content.map(({ attrs }) => attrs.blockId);
  return { file: manuscript.store.path, key: createKey(manuscript).key, chapterId, markdown, blockIds };
}

// Far from the paragraph of the write before.
const placeOf = ({ blockIds }: Bench, index: number) => blockIds[(index * 37) % blockIds.length] ?? "";
const textOf = (index: number) =>
  `A new text, number ${index}, of a paragraph that holds as many words as most of the others here do, she said.`;

/** By name: the rows alone, one paragraph in process and over HTTP, and every paragraph of the chapter in process. */
export const WAYS: Record<string, (bench: Bench) => Way | Promise<Way>> = {
  floor: (bench) => {
    const floor = openFloor(bench);
    return {
      write: (index) => floor.write(placeOf(bench, index), textOf(index)),
      count: async () => countHere(),
      close: () => floor.close(),
    };
  },
  store: (bench) =>
    inProcess(bench, (manuscript, index) => {
      const place = { chapterId: bench.chapterId, blockId: placeOf(bench, index) };
      replaceParagraph(manuscript, place, { markdown: textOf(index) }, caller);
    }),
  put: (bench) =>
    inProcess(bench, (manuscript, index) => {
      const markdown = bench.markdown.replaceAll(/^.+$/gm, (text) => `${text} And ${index}.`);
      replaceProse(manuscript, bench.chapterId, { markdown }, caller);
    }),
  http: overHttp,
};

function inProcess(bench: Bench, write: (manuscript: Manuscript, index: number) => void): Way {
  const manuscript = openManuscript(bench.file);
  return {
    write: (index) => write(manuscript, index),
    count: async () => countHere(),
    close: () => manuscript.close(),
  };
}

async function overHttp(bench: Bench): Promise<Way> {
  const { child: server, port } = await startOurs(bench.file);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${bench.key}`, "Content-Type": "application/json" };
  const { chapterId } = bench;
  return {
    write: async (index) => {
      const path = `http://127.0.0.1:${port}/api/v1/chapters/${chapterId}/paragraphs/${placeOf(bench, index)}`;
      const sent = http.request(path, { method: "PATCH", headers, agent });
      sent.end(JSON.stringify({ markdown: textOf(index) }));
      const [answer] = (await once(sent, "response")) as [http.IncomingMessage];
      answer.resume();
      await once(answer, "end");
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
    },
    count: async () => ({
      cpuUs: 1000 * cpuMsOf(server.pid!), // it has spoken
      systemUs: Number.NaN,
      writtenBytes: writtenBy(server.pid!),
    }),
    close: async () => {
      agent.destroy();
      server.kill();
      await once(server, "exit");
    },
  };
}

function countHere(): Omit<Taken, "wallUs"> {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system, systemUs: system, writtenBytes: writtenBy(process.pid) };
}

/** Bytes that a process has handed to the system to be written; a server's answers are among them. */
function writtenBy(pid: number): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
  } catch {
    return Number.NaN; // not Linux
  }
}
