/** Measures one line at one size in a process of its own and prints it as JSON: `once.ts NAME SIZE`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../../../src/http/server.ts";
import { createKey } from "../../../src/service/account/keys.ts";
import { createBook } from "../../../src/service/books/books.ts";
import { createChapter } from "../../../src/service/books/chapters.ts";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { cpuSince } from "../report.ts";
import { type Asked, LINES } from "./lines.ts";

const [name, size] = process.argv.slice(2);
const line = LINES.find((one) => one.name === name)!; // the bench names one of them
const folder = mkdtempSync(join(tmpdir(), "manuscript-growth-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const manuscript = openManuscript(join(folder, "growth.manuscript"), { create: true });
const { id: bookId } = createBook(manuscript, { title: "Growth" }, { source: "cli" });
const { id: chapterId } = createChapter(manuscript, bookId, { title: "Empty" }, { source: "cli" });
const { key } = createKey(manuscript);
const server = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [manuscript] });
await ask({ method: "GET", path: "/books" });
const asked = line.lay({ manuscript, bookId, chapterId }, Number(size));

globalThis.gc?.();
const restBytes = resetPeak();
const started = process.cpuUsage();
const { status, bytes } = await ask(asked);
const cpuMs = cpuSince(started) / 1000;
const peakBytes = readPeak();
console.log(JSON.stringify({ cpuMs, peakMb: (peakBytes - restBytes) / 1024 / 1024, status, bytes }));
await server.close();
manuscript.close();

/** The answer is counted and let go. */
function ask(wanted: Asked): Promise<{ status: number; bytes: number }> {
  if (typeof wanted === "function") {
    wanted();
    return Promise.resolve({ status: 200, bytes: 0 });
  }
  const { method, path, type, body } = wanted;
  const headers = { Authorization: `Bearer ${key}`, ...(type === undefined ? {} : { "Content-Type": type }) };
  return new Promise((resolve, reject) => {
    const sent = http.request(`${server.url}/api/v1${path}`, { method, headers, agent: false }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, bytes }));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Lets Linux count the peak anew; elsewhere it is that of the whole process. Returns what is resident now. */
function resetPeak(): number {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // no such file
  }
  return process.memoryUsage.rss();
}

function readPeak(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
