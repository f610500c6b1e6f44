import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "../../src/service/account/keys.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { chapterOf, median, report } from "./report.ts";

// CPU a request of fresh server processes, ours and the floor's turn by turn: a process settles on a fast or a slow
// compilation by chance, so repeating inside one says little. The client runs in this process and is not counted.
const PROCESSES = 9;
const WARM_UP = 3000;
const REQUESTS = 6000;
const CONNECTIONS = 10;

const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const file = join(folder, "bench.manuscript");
const manuscript = openManuscript(file, { create: true });
const { id: bookId } = createBook(manuscript, { title: "Bench" }, { source: "cli" });
const { id: chapterId } = createChapter(
  manuscript,
  bookId,
  { title: "One", markdown: chapterOf(4800) },
  { source: "cli" },
);
const { key } = createKey(manuscript);
manuscript.close();

const cpu = { bare: [] as number[], ours: [] as number[], fresh: [] as number[] };
let sizeBytes = 0;
for (let index = 0; index < PROCESSES; index++) {
  const order = index % 2 === 0 ? (["bare", "ours"] as const) : (["ours", "bare"] as const);
  for (const name of order) {
    const measured = await measure(name);
    cpu[name].push(measured.full);
    if (name === "ours") cpu.fresh.push(measured.notModified);
    sizeBytes = measured.sizeBytes;
  }
}
rmSync(folder, { recursive: true });

const ratio = median(cpu.bare) / median(cpu.ours);
report(
  `http: GET of a chapter, ${Math.round(sizeBytes / 1024)} KB, CPU of the server, median of ${PROCESSES} processes`,
  [
    { what: "node:http, the same statement, no key", value: median(cpu.bare), unit: "µs" },
    { what: "manuscript serve", value: median(cpu.ours), unit: "µs" },
    { what: "manuscript serve, 304", value: median(cpu.fresh), unit: "µs" },
    { what: "bare ÷ ours", value: ratio, unit: "×", bar: "≥ 0.7", met: ratio >= 0.7 },
  ],
);

async function measure(
  name: "bare" | "ours",
): Promise<{ full: number; notModified: number; sizeBytes: number }> {
  const child = fork(join(import.meta.dirname, `servers/${name}.ts`), [file, chapterId], {
    execArgv: ["--import", "tsx"],
  });
  const [{ url }] = (await once(child, "message")) as [{ url: string }];
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const address = `${url}/api/v1/chapters/${chapterId}`;
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  const first = await get(address, headers, agent);
  await load(address, headers, agent, WARM_UP);
  const full = await perRequest(child, () => load(address, headers, agent, REQUESTS));
  const conditional = { ...headers, "If-None-Match": first.etag };
  await load(address, conditional, agent, WARM_UP / 2);
  const notModified = await perRequest(child, () => load(address, conditional, agent, REQUESTS));
  agent.destroy();
  child.kill();
  await once(child, "exit");
  return { full, notModified, sizeBytes: first.sizeBytes };
}

async function perRequest(child: ChildProcess, run: () => Promise<void>): Promise<number> {
  const before = await cpuOf(child);
  await run();
  return ((await cpuOf(child)) - before) / REQUESTS;
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [message] = (await once(child, "message")) as [{ cpu: number }];
  return message.cpu;
}

async function load(
  address: string,
  headers: Record<string, string>,
  agent: http.Agent,
  count: number,
): Promise<void> {
  let left = count;
  const client = async () => {
    while (left-- > 0) await get(address, headers, agent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

function get(
  address: string,
  headers: Record<string, string>,
  agent: http.Agent,
): Promise<{ sizeBytes: number; etag: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(address, { headers, agent }, (response) => {
      let sizeBytes = 0;
      response.on("data", (chunk: Buffer) => {
        sizeBytes += chunk.length;
      });
      response.on("end", () => resolve({ sizeBytes, etag: response.headers.etag ?? "" }));
    });
    request.on("error", reject);
  });
}
